//! The commit window: how long a batch waits for further operations to share its commit.

use std::time::{Duration, Instant};

/// Longest wait for the size of the previous batch.
const PATIENCE: Duration = Duration::from_millis(1);
/// Longest gap between two operations of one burst.
const ROW: Duration = Duration::from_millis(5);

/// The expected size of the next batch: while commits follow each other, the size of the last one. A lone operation
/// never waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gathering {
    expected: usize,
    until: Instant,
}

impl Gathering {
    /// Opens the window after a batch of this size.
    pub(crate) fn after(operations: usize) -> Gathering {
        Gathering { expected: operations, until: Instant::now() + ROW }
    }

    pub(crate) fn expected(&self) -> usize {
        self.expected
    }

    /// Returns the remaining wait if fewer operations are queued than expected.
    pub(crate) fn is_awaited(&self, there: usize) -> Option<Duration> {
        let left = self.until.saturating_duration_since(Instant::now()).min(PATIENCE);
        (there < self.expected && !left.is_zero()).then_some(left)
    }
}

impl Default for Gathering {
    /// A window that expects no further operation.
    fn default() -> Gathering {
        Gathering::after(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_alone_waits_for_nobody_and_whoever_is_not_waits_a_moment() {
        assert_eq!(Gathering::default().is_awaited(1), None);
        let gathering = Gathering::after(3);
        assert!(gathering.is_awaited(2).is_some_and(|wait| wait <= PATIENCE));
        assert_eq!(gathering.is_awaited(3), None, "all are there");
        std::thread::sleep(ROW);
        assert_eq!(gathering.is_awaited(1), None, "that was another row");
    }
}
