//! Correction after a clock that was ahead and came back: rows written meanwhile must not wait for that day.

use crate::Engine;
use crate::acceptance::assisted;
use crate::authorities::undue_use;
use crate::process::clock::SESSION_S;
use crate::{alerts, webhooks};
use std::time::Duration;
use store::clock::InstantLimits;

/// Longest wait of a job: the hour of a block, and a minute for clocks that differ.
const JOB_S: i64 = 3_700;
/// Longer than any claim.
const LEASE_S: i64 = 600;
/// Longest wait of a delivery: the intervals between attempts are 30 s and 60 s.
const DELIVERY_S: i64 = 120;
/// Longest wait of a distribution: an hour and a minute between queries, and some for clocks that differ.
const DISTRIBUTION_S: i64 = 3_700;

impl Engine {
    /// Clamps instants that no wait of their kind reaches. Changes nothing while the clock is right.
    pub(crate) async fn clamp_future_instants(&self, lease: Duration) -> Result<(), store::Error> {
        let now = self.now_s();
        self.inner.undue_use.clamp_future(now);
        let longest = InstantLimits {
            job: JOB_S,
            lease: i64::try_from(lease.as_secs()).unwrap_or(LEASE_S).max(LEASE_S),
            delivery: DELIVERY_S,
            extended_delivery: webhooks::LONGEST_INTERVAL_S,
            gap_check: alerts::GAP_CHECK_S,
            block: undue_use::BLOCK,
            distribution: DISTRIBUTION_S,
            session: SESSION_S,
            confirmation: assisted::CONFIRMATION_S,
        };
        let found = self.store().clamp_future_instants(now, longest).await?;
        if found > 0 {
            tracing::warn!(found, "the clock was ahead: waits that would have lasted until then end now");
        }
        Ok(())
    }
}
