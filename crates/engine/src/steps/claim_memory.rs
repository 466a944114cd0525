//! Memory of this process about a job between two of its claims. Losing it costs one query by key and a shorter wait,
//! never correctness.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::jobs::Job;
use tokio::time::Instant;
use uuid::Uuid;

/// Observation of the last claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SendObservation {
    /// The last send surely did not leave us, or was turned away unread: the same bytes may go without a query.
    Unsent,
}

/// Most entries of each map.
const MAX_JOBS: usize = 100_000;
/// Observations by job.
#[derive(Default)]
pub(crate) struct ClaimMemory {
    /// Valid only for the very next claim, by the attempt's number.
    seen: Mutex<HashMap<Uuid, (u32, SendObservation)>>,
    failures: Mutex<HashMap<Uuid, u32>>,
    /// First moment at which this process saw the document in doubt, with the instant of its last sending. Monotonic
    /// clock: a jump of wall time proves no quiet time.
    doubts: Mutex<HashMap<Uuid, (Option<i64>, Instant)>>,
    stumbles: Mutex<HashMap<Uuid, u32>>,
}

impl ClaimMemory {
    /// Records an observation for the next claim of this job.
    pub(crate) fn remember(&self, job: &Job, seen: SendObservation) {
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MAX_JOBS {
            all.insert(job.id, (job.tentativas, seen));
        }
    }

    /// Counts a failed call and returns the count. Attempts cut short by our own restart are no failures of the
    /// authority, so this is not the job's number of attempts.
    pub(crate) fn count_failure(&self, job: &Job) -> u32 {
        increment_count(&self.failures, job.id)
    }

    /// Counts a stored state that a step did not expect, and returns the count.
    pub(crate) fn count_state_mismatch(&self, job: &Job) -> u32 {
        increment_count(&self.stumbles, job.id)
    }

    /// Returns how long this process has seen the document in doubt since `last_sent_at`; a new sending, also by
    /// another process, starts the count anew.
    pub(crate) fn in_doubt_for(&self, job: &Job, last_sent_at: Option<i64>) -> Duration {
        let mut doubts = self.doubts.lock().unwrap_or_else(PoisonError::into_inner);
        if doubts.len() >= MAX_JOBS {
            doubts.clear();
        }
        let (sent_at, since) = doubts.entry(job.id).or_insert_with(|| (last_sent_at, Instant::now()));
        if *sent_at != last_sent_at {
            (*sent_at, *since) = (last_sent_at, Instant::now());
        }
        since.elapsed()
    }

    /// Records that a byte of the document may have left just now, by wall time.
    pub(crate) fn record_possible_send(&self, job: &Job, now: i64) {
        let mut doubts = self.doubts.lock().unwrap_or_else(PoisonError::into_inner);
        doubts.insert(job.id, (Some(now), Instant::now()));
    }

    /// Forgets a job that ended.
    pub(crate) fn ended(&self, job: &Job) {
        self.doubts.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id);
        for counts in [&self.failures, &self.stumbles] {
            counts.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id);
        }
    }

    /// Forgets the observation of the last claim.
    pub(crate) fn forget(&self, job: &Job) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id);
    }

    /// Takes the observation of the claim before this one, unless another process held the job in between.
    pub(crate) fn recall(&self, job: &Job) -> Option<SendObservation> {
        let (tentativas, seen) = self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id)?;
        (tentativas.checked_add(1) == Some(job.tentativas)).then_some(seen)
    }
}

fn increment_count(counts: &Mutex<HashMap<Uuid, u32>>, job: Uuid) -> u32 {
    let mut all = counts.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= MAX_JOBS {
        all.clear();
    }
    let count = all.entry(job).or_insert(0);
    *count = count.saturating_add(1);
    *count
}
