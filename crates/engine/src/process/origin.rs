//! Id of the request that is being answered, for logs alone. No decision uses it, so it is a task-local and not an
//! argument, like a span.

use std::future::Future;

tokio::task_local! {
    static REQUEST: String;
}

/// Runs a future as part of a request. A task spawned inside does not inherit it.
pub fn within<F: Future>(request_id: String, work: F) -> impl Future<Output = F::Output> {
    REQUEST.scope(request_id, work)
}

/// Id of the current request; `None` in work that no request caused.
pub(crate) fn request_id() -> Option<String> {
    REQUEST.try_with(Clone::clone).ok()
}
