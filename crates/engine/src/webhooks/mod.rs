//! Webhooks: the deliverer claims the deliveries that the store wrote with each change of state, signs and posts them.
//!
//! Law: `docs/contract.md`, "Webhooks" (3 attempts, 10 s each, after 30 s and 60 s). It has a task pool of its own: no
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
use std::time::Duration;
use store::Visibility;
use store::audit::Actor;
use store::webhooks::DeliveryRecord;
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

impl Engine {
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

#[cfg(test)]
mod tests {
    use super::interval_s;
    use store::webhooks::ATTEMPTS;

    #[test]
    fn three_attempts_after_30_and_60_seconds() {
        let waits: Vec<_> = (0..ATTEMPTS).rev().map(interval_s).collect();
        assert_eq!(waits, [Some(30), Some(60), None]);
    }
}
