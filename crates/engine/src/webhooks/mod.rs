//! Webhooks: the deliverer claims the deliveries that the store wrote with each change of state, signs and posts them.
//!
//! Law: `docs/contract.md`, "Webhooks" (3 attempts, 10 s each, after 30 s and 60 s; more only where the account has
//! chosen them). It has a task pool of its own: no
//! receiver delays a document, nor another receiver.
//! Must not know: the layout of a body, the safety of a call (`outbound`).

mod attempt;
mod delivery_slots;
mod pool;
mod secret;
mod sign;

pub(crate) use attempt::start_counters;
pub use pool::{Deliverer, DelivererOptions};
pub use secret::{DEFAULT_GRACE_H, LONGEST_GRACE_H};

use crate::Engine;
use fiscal::value::TpAmb;
use std::time::Duration;
use store::Visibility;
use store::audit::Actor;
use store::webhooks::{DeliveryFilter, DeliveryRecord, DeliveryStatus, MOST_EXTENDED};
use uuid::Uuid;

/// Longest attempt.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// Seconds to wait after a failed attempt, by attempts left; `None` without any.
fn interval_s(left: u32) -> Option<i64> {
    match left {
        0 => None,
        1 => Some(60),
        _ => Some(30),
    }
}

/// Seconds to wait before each attempt after the contract's; less than three days together.
const EXTENDED_INTERVALS_S: [i64; MOST_EXTENDED as usize] =
    [300, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 64_800, LONGEST_INTERVAL_S];

/// Longest wait before an attempt.
pub(crate) const LONGEST_INTERVAL_S: i64 = 86_400;

/// Seconds to wait before an attempt after the contract's, by those made before; `None` when the account has not
/// chosen that many.
fn extended_interval_s(made: u32, chosen: u32) -> Option<i64> {
    let waits = EXTENDED_INTERVALS_S.get(..usize::try_from(chosen).ok()?).unwrap_or(&EXTENDED_INTERVALS_S);
    waits.get(usize::try_from(made).ok()?).copied()
}

impl Engine {
    /// Enqueues a test event for the account's address, and returns its delivery; `NotFound` without an address.
    pub async fn send_test_event(&self, tenant: Uuid, ambiente: TpAmb) -> Result<DeliveryRecord, store::Error> {
        let id = self.store().send_test_event(tenant, ambiente, self.now_s()).await?;
        self.store().delivery(Visibility::whole(tenant), id).await
    }

    /// Starts a new series of attempts of a delivery that was delivered or lost, and returns its new state.
    pub async fn resend_delivery(
        &self,
        sight: Visibility,
        id: Uuid,
        actor: Actor,
    ) -> Result<DeliveryRecord, store::Error> {
        self.store().delivery(sight, id).await?;
        self.store().resend_delivery(sight.tenant(), id, actor, self.now_s()).await?;
        self.store().delivery(sight, id).await
    }
}

/// Most deliveries that one call sends again.
pub const MOST_RESENT: usize = 100;

impl Engine {
    /// Starts a new series of attempts of the newest lost deliveries, at most [`MOST_RESENT`]; returns how many, and
    /// how many are still lost.
    pub async fn resend_lost(&self, sight: Visibility, actor: &Actor) -> Result<(u64, u64), store::Error> {
        let filter = DeliveryFilter { status: Some(DeliveryStatus::Perdida), ..DeliveryFilter::default() };
        let (lost, total) = self.store().deliveries(sight, filter, MOST_RESENT, 0).await?;
        let mut resent = 0;
        for delivery in lost {
            match self.store().resend_delivery(sight.tenant(), delivery.id, actor.clone(), self.now_s()).await {
                Ok(()) => resent += 1,
                // begun by another caller meanwhile
                Err(store::Error::Conflict(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok((resent, total.saturating_sub(resent)))
    }
}

#[cfg(test)]
mod tests {
    use super::{EXTENDED_INTERVALS_S, extended_interval_s, interval_s};
    use store::webhooks::ATTEMPTS;

    #[test]
    fn three_attempts_after_30_and_60_seconds() {
        let waits: Vec<_> = (0..ATTEMPTS).rev().map(interval_s).collect();
        assert_eq!(waits, [Some(30), Some(60), None]);
    }

    #[test]
    fn attempts_after_them_are_as_many_as_chosen_at_growing_intervals_within_three_days() {
        let waits: Vec<_> = (0..4).map(|made| extended_interval_s(made, 2)).collect();
        assert_eq!(waits, [Some(300), Some(1_800), None, None]);
        assert_eq!((extended_interval_s(0, 0), extended_interval_s(8, 99)), (None, Some(86_400)));
        assert!(EXTENDED_INTERVALS_S.is_sorted() && EXTENDED_INTERVALS_S.iter().sum::<i64>() + 90 < 3 * 86_400);
    }
}
