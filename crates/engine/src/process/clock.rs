//! Time comes in from outside. A clock may jump ahead and come back: what was written meanwhile must not wait for that day.

use tokio::time::Instant;

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
