//! Time comes in from outside. A clock may jump ahead and come back: what was written meanwhile must not wait for that day.

use crate::{Engine, assisted, undue_use};
use std::time::{Duration, Instant};
use store::clock::Longest;

/// A source of time.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> jiff::Timestamp;
}

/// The machine's clock.
pub struct System;

impl Clock for System {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }
}

/// How long a session lasts.
pub const SESSION_S: i64 = 3_600;
/// No job waits longer: an hour of silence that an authority demands, and a minute for clocks that differ.
const JOB_S: i64 = 3_700;
/// Longer than any claim.
const LEASE_S: i64 = 600;
/// The intervals between attempts are 30 s and 60 s.
const DELIVERY_S: i64 = 120;
/// An hour and a minute between questions, and some for clocks that differ.
const DISTRIBUTION_S: i64 = 3_700;

impl Engine {
    /// Brings back what waits for an instant that no wait of its kind reaches. Changes nothing while the clock is right.
    pub(crate) async fn bring_back(&self, lease: Duration) -> Result<(), store::Error> {
        let now = self.now_s();
        self.inner.undue_use.bring_back(now);
        let longest = Longest {
            job: JOB_S,
            lease: i64::try_from(lease.as_secs()).unwrap_or(LEASE_S).max(LEASE_S),
            delivery: DELIVERY_S,
            block: undue_use::BLOCK,
            distribution: DISTRIBUTION_S,
            session: SESSION_S,
            confirmation: assisted::CONFIRMATION_S,
        };
        let found = self.store().bring_back(now, longest).await?;
        if found > 0 {
            tracing::warn!(found, "the clock was ahead: waits that would have lasted until then end now");
        }
        Ok(())
    }
}

/// Watches the clock beside one that only goes on.
pub(crate) struct Watch {
    at: Instant,
    said: i64,
}

impl Watch {
    pub(crate) fn new(now: i64) -> Watch {
        Watch { at: Instant::now(), said: now }
    }

    /// Whether the clock went back since it was looked at last.
    pub(crate) fn went_back(&mut self, now: i64) -> bool {
        let passed = i64::try_from(self.at.elapsed().as_secs()).unwrap_or(i64::MAX);
        let back = now < self.said.saturating_add(passed).saturating_sub(SLACK_S);
        *self = Watch::new(now);
        back
    }
}

/// Clocks are set by parts of seconds all the time.
const SLACK_S: i64 = 5;

#[cfg(test)]
mod tests {
    use super::Watch;

    #[test]
    fn a_step_back_is_seen_once_and_a_step_ahead_is_none() {
        let mut watch = Watch::new(1_000);
        assert!(!watch.went_back(1_000) && !watch.went_back(88_000));
        assert!(watch.went_back(1_600));
        assert!(!watch.went_back(1_600) && !watch.went_back(1_598));
    }
}
