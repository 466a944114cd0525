//! Lifetime of a simulated process, which may end at any commit or call.

use std::sync::atomic::{AtomicI64, Ordering};
use store::CommitPoint;

/// Lifetime of a process.
pub struct ProcessLife {
    /// Commits until its end; below zero it has ended.
    commits_left: AtomicI64,
}

/// Commits of a process without a set end.
const UNBOUNDED: i64 = i64::MAX;

impl ProcessLife {
    pub(crate) fn new() -> ProcessLife {
        ProcessLife { commits_left: AtomicI64::new(UNBOUNDED) }
    }

    pub fn is_alive(&self) -> bool {
        self.commits_left.load(Ordering::SeqCst) >= 0
    }

    pub fn end(&self) {
        self.commits_left.store(-1, Ordering::SeqCst);
    }

    /// Ends the process right after so many more commits.
    pub fn end_after(&self, commits: i64) {
        self.commits_left.store(commits, Ordering::SeqCst);
    }

    /// Removes the set end of a process that has not ended.
    pub fn clear_end(&self) {
        if self.is_alive() {
            self.commits_left.store(UNBOUNDED, Ordering::SeqCst);
        }
    }

    pub(crate) fn passes(&self, point: CommitPoint) -> bool {
        if !self.is_alive() {
            return false;
        }
        let left = self.commits_left.load(Ordering::SeqCst);
        if point == CommitPoint::AfterCommit && left != UNBOUNDED {
            self.commits_left.store(left - 1, Ordering::SeqCst);
        }
        self.is_alive()
    }

    /// True when a call may be sent, or its answer taken.
    pub fn may_call(&self) -> bool {
        self.is_alive()
    }
}
