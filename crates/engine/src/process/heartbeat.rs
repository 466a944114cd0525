//! Heartbeat of this process's workers, for `/status`.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// Instant of the last heartbeat and count of held jobs.
#[derive(Default)]
pub(crate) struct Heartbeat {
    last_beat: AtomicI64,
    jobs_in_hand: AtomicUsize,
}

impl Heartbeat {
    /// Records that the worker loop is alive and holds this many jobs.
    pub(crate) fn record(&self, now: i64, jobs_in_hand: usize) {
        self.last_beat.store(now, Ordering::Relaxed);
        self.jobs_in_hand.store(jobs_in_hand, Ordering::Relaxed);
    }
    /// Seconds since 1970; `None` when no worker was ever started in this process.
    pub(crate) fn last_beat(&self) -> Option<i64> {
        Some(self.last_beat.load(Ordering::Relaxed)).filter(|beat| *beat != 0)
    }
    /// Held jobs at the last heartbeat.
    pub(crate) fn jobs_in_hand(&self) -> usize {
        self.jobs_in_hand.load(Ordering::Relaxed)
    }
}
