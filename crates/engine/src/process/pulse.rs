//! Signs of life of this process's workers, for `/status`.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// Last beat and jobs in hand.
#[derive(Default)]
pub(crate) struct Pulse {
    last_beat: AtomicI64,
    jobs_in_hand: AtomicUsize,
}

impl Pulse {
    /// The worker loop is alive and holds this many jobs.
    pub(crate) fn beat(&self, now: i64, jobs_in_hand: usize) {
        self.last_beat.store(now, Ordering::Relaxed);
        self.jobs_in_hand.store(jobs_in_hand, Ordering::Relaxed);
    }
    /// `None` when no worker was ever started here.
    pub(crate) fn last_beat(&self) -> Option<i64> {
        Some(self.last_beat.load(Ordering::Relaxed)).filter(|beat| *beat != 0)
    }
    /// Jobs in hand at the last beat.
    pub(crate) fn jobs_in_hand(&self) -> usize {
        self.jobs_in_hand.load(Ordering::Relaxed)
    }
}
