//! "There may be work": the signal between whoever commits a job and whoever waits for one, without losing any in
//! between.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// Counts signals; a waiter compares with the count at the last claim, so a signal between claim and wait is not lost.
#[derive(Default)]
pub(crate) struct Wake {
    given: AtomicU64,
    seen: AtomicU64,
    waiters: Notify,
}

impl Wake {
    /// Work may be ready.
    pub(crate) fn signal(&self) {
        self.given.fetch_add(1, Ordering::SeqCst);
        self.waiters.notify_waiters();
    }

    /// A claim begins: it will see all that was signalled until now.
    pub(crate) fn claim_begins(&self) {
        self.seen.fetch_max(self.given.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    /// Returns at a signal newer than the last claim, or after `at_most`.
    pub(crate) async fn wait(&self, at_most: Duration) {
        let signalled = self.waiters.notified();
        tokio::pin!(signalled);
        signalled.as_mut().enable();
        if self.given.load(Ordering::SeqCst) > self.seen.load(Ordering::SeqCst) {
            return;
        }
        // elapsed or signalled: the caller looks for work either way
        let _ = tokio::time::timeout(at_most, signalled).await;
    }
}
