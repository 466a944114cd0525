//! The request that is being answered: its id, for logs, and its author, for jobs and the audit trail. No decision uses
//! them, so they are a task-local and not an argument, like a span.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use store::audit::Actor;
use store::jobs::HandEmission;

tokio::task_local! {
    static REQUEST: CurrentRequest;
}

/// A request in progress.
#[derive(Clone)]
pub(crate) struct CurrentRequest {
    id: String,
    author: Arc<OnceLock<Actor>>,
    by_hand: Arc<OnceLock<HandEmission>>,
}

/// Runs a future as part of a request. A task spawned inside does not inherit it.
pub fn within<F: Future>(request_id: String, work: F) -> impl Future<Output = F::Output> {
    resume(CurrentRequest { id: request_id, author: Arc::default(), by_hand: Arc::default() }, work)
}

/// Names the author of the current request, once its credentials are known. The first one stays.
pub fn set_author(author: Actor) {
    let _ = REQUEST.try_with(|request| request.author.set(author));
}

/// Describes the emission that the current request's user writes by hand. The first description stays.
pub fn set_hand_emission(emission: HandEmission) {
    let _ = REQUEST.try_with(|request| request.by_hand.set(emission));
}

/// Runs a future as part of a request that began in another task.
pub(crate) fn resume<F: Future>(request: CurrentRequest, work: F) -> impl Future<Output = F::Output> {
    REQUEST.scope(request, work)
}

/// The current request; `None` in work that no request caused.
pub(crate) fn current() -> Option<CurrentRequest> {
    REQUEST.try_with(Clone::clone).ok()
}

/// Id of the current request; `None` in work that no request caused.
pub(crate) fn request_id() -> Option<String> {
    REQUEST.try_with(|request| request.id.clone()).ok()
}

/// Author of the current request; `None` before its credentials are known.
pub(crate) fn author() -> Option<Actor> {
    REQUEST.try_with(|request| request.author.get().cloned()).ok().flatten()
}

/// Description of the emission by hand; `None` for every other one.
pub(crate) fn hand_emission() -> Option<HandEmission> {
    REQUEST.try_with(|request| request.by_hand.get().cloned()).ok().flatten()
}
