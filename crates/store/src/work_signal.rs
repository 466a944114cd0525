//! The signal "there may be work" from a committed job to waiting workers. No signal is lost between a claim and a
//! wait.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// Counts signals. A waiter compares with the count at the last claim, so a signal between claim and wait is not lost.
#[derive(Default)]
pub(crate) struct WorkSignal {
    given: AtomicU64,
    seen: AtomicU64,
    waiters: Notify,
}

impl WorkSignal {
    /// Signals that work may be ready.
    pub(crate) fn signal(&self) {
        self.given.fetch_add(1, Ordering::SeqCst);
        self.waiters.notify_waiters();
    }

    /// Records the start of a claim, which sees everything signalled so far.
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
        // Elapsed or signalled: the caller looks for work either way.
        let _ = tokio::time::timeout(at_most, signalled).await;
    }
}
