//! Backlog: the count of waiting jobs, and the decision to accept one more emission. Work that only piles up is refused
//! rather than promised.
//!
//! Jobs that wait for an authority that is down, or for their moment, do not count: only those that could run now and
//! do not. The count is a sample, taken at most once a second and more seldom where it takes long; emissions accepted
//! between two samples are added. Acts on documents (cancelling, correcting …) are never refused: the law gives them
//! little time.
//!
//! Must not know: HTTP.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use store::Store;
use uuid::Uuid;

use crate::family::Family;

/// Limits of the backlog.
#[derive(Debug, Clone, Copy)]
pub struct BacklogLimits {
    /// Jobs in all; 0 for any number.
    pub in_all: u64,
    /// Jobs of one tenant; 0 for any number.
    pub per_tenant: u64,
}

impl Default for BacklogLimits {
    fn default() -> BacklogLimits {
        BacklogLimits { in_all: 100_000, per_tenant: 50_000 }
    }
}

/// The queue does not keep up, and takes no more emissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BacklogFull {
    /// Limit of this tenant.
    Tenant,
    /// Limit of all tenants.
    All,
}

/// The last sample of the queue, and its limits.
pub(crate) struct Backlog {
    options: BacklogLimits,
    sample: Mutex<BacklogSample>,
    /// Held by the task that counts; others use the last sample.
    counting: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct BacklogSample {
    due: Option<Instant>,
    all: u64,
    of: HashMap<Uuid, u64>,
}

impl Backlog {
    pub(crate) fn new(options: BacklogLimits) -> Backlog {
        Backlog { options, sample: Mutex::default(), counting: tokio::sync::Mutex::default() }
    }

    /// Counts again, if it is due and no other task counts.
    pub(super) async fn refresh(&self, store: &Store, now: i64) -> Result<(), store::Error> {
        let Ok(_counting) = self.counting.try_lock() else { return Ok(()) };
        let began = Instant::now();
        if self.sample().due.is_some_and(|due| began < due) {
            return Ok(());
        }
        let most = self.options.in_all.max(self.options.per_tenant).saturating_mul(2);
        let of = store.ready_jobs(now, most).await?;
        let all = of.values().sum();
        let due = Some(Instant::now() + SAMPLE_INTERVAL.max(began.elapsed() * SAMPLING_SHARE));
        *self.sample() = BacklogSample { due, all, of };
        Ok(())
    }

    /// Adds one emission to the sample, if there is room.
    pub(super) fn reserve_place(&self, tenant: Uuid, family: &Family) -> Result<(), BacklogFull> {
        let mut sample = self.sample();
        let of_tenant = sample.of.get(&tenant).copied().unwrap_or_default();
        if is_full(of_tenant, self.options.per_tenant, family) {
            return Err(BacklogFull::Tenant);
        }
        if is_full(sample.all, self.options.in_all, family) {
            return Err(BacklogFull::All);
        }
        sample.all += 1;
        *sample.of.entry(tenant).or_default() += 1;
        Ok(())
    }

    fn sample(&self) -> MutexGuard<'_, BacklogSample> {
        self.sample.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `true` if the limit is reached. A document issued at the counter has a quarter more.
fn is_full(waiting: u64, most: u64, family: &Family) -> bool {
    let reserve = if family.contingency.at_the_counter { most / 4 } else { 0 };
    most > 0 && waiting >= most.saturating_add(reserve)
}

const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
/// Counting takes at most a fiftieth of the time.
const SAMPLING_SHARE: u32 = 50;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{NFCE, NFE};

    #[test]
    fn a_note_finds_no_room_where_a_sale_at_the_counter_still_does() {
        let backlog = Backlog::new(BacklogLimits { in_all: 8, per_tenant: 4 });
        let (one, two, three) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        for _ in 0..4 {
            backlog.reserve_place(one, &NFE).unwrap();
        }
        assert_eq!(backlog.reserve_place(one, &NFE), Err(BacklogFull::Tenant));
        assert_eq!(
            (backlog.reserve_place(one, &NFCE), backlog.reserve_place(one, &NFCE)),
            (Ok(()), Err(BacklogFull::Tenant))
        );
        for _ in 0..3 {
            backlog.reserve_place(two, &NFE).unwrap();
        }
        assert_eq!(backlog.reserve_place(three, &NFE), Err(BacklogFull::All));
        assert_eq!(backlog.reserve_place(three, &NFCE), Ok(()));
    }

    #[test]
    fn without_a_bound_everything_fits() {
        let backlog = Backlog::new(BacklogLimits { in_all: 0, per_tenant: 0 });
        assert!((0..100).all(|_| backlog.reserve_place(Uuid::nil(), &NFE).is_ok()));
    }
}
