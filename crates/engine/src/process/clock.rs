//! Time comes in from outside. A clock may jump ahead and come back: what was written meanwhile must not wait for that
//! day.

use std::time::Duration;
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

/// The clock of leases: that of the wall, which a clock that only goes on holds back after a jump ahead.
///
/// Leases that were written before the jump last as long as they were to: whatever process works under one writes it
/// anew by the clock of the wall within its length, and only then the jump counts for leases too.
pub(crate) struct LeaseClock {
    /// Both clocks at the moment from which leases are counted on.
    anchor: (i64, Instant),
    /// Both clocks at the last look.
    last: (i64, Instant),
    /// When a jump ahead was noticed that does not count yet.
    jumped: Option<Instant>,
    /// Length of a lease.
    length: Duration,
}

impl LeaseClock {
    pub(crate) fn new(now: i64, at: Instant, length: Duration) -> LeaseClock {
        LeaseClock { anchor: (now, at), last: (now, at), jumped: None, length }
    }

    /// Compares both clocks; `true` when that of the wall went back since the last look.
    pub(crate) fn went_back(&mut self, now: i64, at: Instant) -> bool {
        let expected = gone_on(self.last, at);
        self.last = (now, at);
        let (ahead, back) = (now > expected.saturating_add(SLACK_S), now < expected.saturating_sub(SLACK_S));
        if now <= gone_on(self.anchor, at).saturating_add(SLACK_S) {
            (self.anchor, self.jumped) = ((now, at), None);
        } else if ahead || back || self.jumped.is_none() {
            self.jumped = Some(at);
        } else if self.jumped.is_some_and(|jumped| at.saturating_duration_since(jumped) >= self.length) {
            (self.anchor, self.jumped) = ((now, at), None);
        }
        back
    }

    /// The instant by which leases are over.
    pub(crate) fn leases_now(&self, now: i64, at: Instant) -> i64 {
        let slack = if self.jumped.is_some() { 0 } else { SLACK_S };
        now.min(gone_on(self.anchor, at).saturating_add(slack))
    }
}

/// The clock of the wall as it would stand had it only gone on.
fn gone_on((now, since): (i64, Instant), at: Instant) -> i64 {
    let passed = at.saturating_duration_since(since).as_secs();
    now.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX))
}

/// Clocks are set by parts of seconds all the time.
const SLACK_S: i64 = 5;

#[cfg(test)]
mod tests {
    use super::LeaseClock;
    use std::time::Duration;
    use tokio::time::Instant;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_step_back_is_seen_once() {
        let at = Instant::now();
        let mut clock = LeaseClock::new(88_000, at, MINUTE);
        assert!(!clock.went_back(88_000, at));
        assert!(clock.went_back(1_600, at));
        assert!(!clock.went_back(1_600, at) && !clock.went_back(1_598, at));
        assert_eq!(clock.leases_now(1_598, at), 1_598);
    }

    #[test]
    fn a_jump_ahead_counts_for_leases_after_all_were_written_anew() {
        let at = Instant::now();
        let later = |seconds| at + Duration::from_secs(seconds);
        let mut clock = LeaseClock::new(1_000, at, MINUTE);
        assert!(!clock.went_back(1_603, later(3)));
        assert_eq!(clock.leases_now(1_603, later(3)), 1_003);
        assert!(!clock.went_back(1_650, later(50)));
        assert_eq!(clock.leases_now(1_650, later(50)), 1_050);
        assert!(!clock.went_back(9_055, later(55)), "a second jump is waited for likewise");
        assert!(!clock.went_back(9_070, later(70)));
        assert_eq!(clock.leases_now(9_070, later(70)), 1_070);
        assert!(!clock.went_back(9_116, later(116)));
        assert_eq!(clock.leases_now(9_116, later(116)), 9_116);
    }

    #[test]
    fn a_jump_that_is_taken_back_was_a_step_back_for_whatever_was_written_meanwhile() {
        let at = Instant::now();
        let mut clock = LeaseClock::new(1_000, at, MINUTE);
        assert!(!clock.went_back(5_000, at));
        assert!(clock.went_back(3_000, at));
        assert_eq!(clock.leases_now(3_000, at), 1_000);
        assert!(clock.went_back(1_000, at));
        assert_eq!(clock.leases_now(1_000, at), 1_000);
    }

    #[test]
    fn parts_of_seconds_are_no_jump() {
        let at = Instant::now();
        let mut clock = LeaseClock::new(1_000, at, MINUTE);
        assert!(!clock.went_back(1_004, at));
        assert_eq!(clock.leases_now(1_004, at), 1_004);
    }
}
