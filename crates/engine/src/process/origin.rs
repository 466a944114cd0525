//! Which request is being answered, for logs alone: no decision is made by it, so it comes beside the arguments, as a
//! span does.

use std::future::Future;

tokio::task_local! {
    static REQUEST: String;
}

/// Runs something as part of a request. A task spawned inside does not inherit it.
pub fn within<F: Future>(request_id: String, work: F) -> impl Future<Output = F::Output> {
    REQUEST.scope(request_id, work)
}

/// The request at hand; none in work that nobody asked for from outside.
pub(crate) fn request_id() -> Option<String> {
    REQUEST.try_with(Clone::clone).ok()
}
