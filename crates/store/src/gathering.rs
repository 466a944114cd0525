//! Operations that share a commit: how long the next one waits for those that are about to come.

use std::time::{Duration, Instant};

/// Longest that a commit waits for as many operations as the one before it had.
const PATIENCE: Duration = Duration::from_millis(1);
/// An operation that comes so much later has nothing to do with that one.
const ROW: Duration = Duration::from_millis(5);

/// How many may be on the way: while commits follow each other, as many as shared the last one. Whoever comes alone
/// never waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gathering {
    expected: usize,
    until: Instant,
}

impl Gathering {
    /// A commit of so many has just ended.
    pub(crate) fn after(operations: usize) -> Gathering {
        Gathering { expected: operations, until: Instant::now() + ROW }
    }

    /// How many.
    pub(crate) fn expected(&self) -> usize {
        self.expected
    }

    /// How long so few that are there may wait for it.
    pub(crate) fn is_awaited(&self, there: usize) -> Option<Duration> {
        let left = self.until.saturating_duration_since(Instant::now()).min(PATIENCE);
        (there < self.expected && !left.is_zero()).then_some(left)
    }
}

impl Default for Gathering {
    /// Nobody.
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
