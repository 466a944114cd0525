//! Webhooks: the deliverer takes what the store wrote with each change of state, signs it, and posts it.
//!
//! Law: `spec/interface.md` Events (3 attempts, 10 s each, after 30 s and 60 s), `spec/not-shown.md` §9. It has a task
//! pool of its own: no receiver delays a document, nor another receiver. Must not know: how a body looks, how a call is
//! made safe (`outbound`).

mod attempt;
mod places;
mod pool;
mod secret;
mod sign;

pub(crate) use attempt::begin_at_zero;
pub use pool::{Deliverer, Options};
pub use secret::{DEFAULT_GRACE_H, LONGEST_GRACE_H};

use crate::Engine;
use std::time::Duration;
use store::Sight;
use store::audit::Actor;
use store::webhooks::DeliveryRecord;
use uuid::Uuid;

/// How long one attempt may take.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait after a failed attempt, by attempts left; none left, no wait.
fn interval_s(left: u32) -> Option<i64> {
    match left {
        0 => None,
        1 => Some(60),
        _ => Some(30),
    }
}

impl Engine {
    /// Begins a new series of attempts of a delivery that was taken or lost, and gives how it stands then.
    pub async fn resend_delivery(&self, sight: Sight, id: Uuid, actor: Actor) -> Result<DeliveryRecord, store::Error> {
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
