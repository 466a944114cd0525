//! The commit window: how long a batch waits for further operations to share its commit.

use std::time::{Duration, Instant};

/// Longest wait for the size of the previous batch.
const MAX_WAIT: Duration = Duration::from_millis(1);
/// Longest gap between two operations of one burst.
const BURST_GAP: Duration = Duration::from_millis(5);

/// The expected size of the next batch: while commits follow each other, the size of the last one. A lone operation
/// never waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommitWindow {
    expected: usize,
    until: Instant,
}

impl CommitWindow {
    /// Opens the window after a batch of this size.
    pub(crate) fn after_batch(operations: usize) -> CommitWindow {
        CommitWindow { expected: operations, until: Instant::now() + BURST_GAP }
    }

    pub(crate) fn expected(&self) -> usize {
        self.expected
    }

    /// Returns the remaining wait if fewer operations are queued than expected.
    pub(crate) fn remaining_wait(&self, there: usize) -> Option<Duration> {
        let left = self.until.saturating_duration_since(Instant::now()).min(MAX_WAIT);
        (there < self.expected && !left.is_zero()).then_some(left)
    }
}

impl Default for CommitWindow {
    /// A window that expects no further operation.
    fn default() -> CommitWindow {
        CommitWindow::after_batch(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_alone_waits_for_nobody_and_whoever_is_not_waits_a_moment() {
        assert_eq!(CommitWindow::default().remaining_wait(1), None);
        let gathering = CommitWindow::after_batch(3);
        assert!(gathering.remaining_wait(2).is_some_and(|wait| wait <= MAX_WAIT));
        assert_eq!(gathering.remaining_wait(3), None, "all are there");
        std::thread::sleep(BURST_GAP);
        assert_eq!(gathering.remaining_wait(1), None, "that was another row");
    }
}
