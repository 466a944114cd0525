//! Time is an argument, read from a [`Clock`]. A clock may jump ahead and come back: rows written meanwhile must not
//! wait for that day.

use std::time::Duration;
use tokio::time::Instant;

pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> jiff::Timestamp;
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }
}

/// Length of a session of the panel, in seconds.
pub const SESSION_S: i64 = 3_600;

/// The clock of leases: wall time, held back after a jump ahead by the monotonic clock.
///
/// Leases written before the jump keep their intended length: every process that works under one renews it by wall time
/// within that length, and only then the jump counts for leases too.
pub(crate) struct LeaseClock {
    /// Both clocks at the moment from which leases are counted.
    anchor: (i64, Instant),
    /// Both clocks at the last comparison.
    last: (i64, Instant),
    /// Instant at which a jump ahead was noticed that does not count yet.
    jumped: Option<Instant>,
    length: Duration,
}

impl LeaseClock {
    pub(crate) fn new(now: i64, at: Instant, length: Duration) -> LeaseClock {
        LeaseClock { anchor: (now, at), last: (now, at), jumped: None, length }
    }

    /// Compares both clocks; `true` when wall time went back since the last call.
    pub(crate) fn went_back(&mut self, now: i64, at: Instant) -> bool {
        let expected = continued_from(self.last, at);
        self.last = (now, at);
        let (ahead, back) = (now > expected.saturating_add(SLACK_S), now < expected.saturating_sub(SLACK_S));
        if now <= continued_from(self.anchor, at).saturating_add(SLACK_S) {
            (self.anchor, self.jumped) = ((now, at), None);
        } else if ahead || back || self.jumped.is_none() {
            self.jumped = Some(at);
        } else if self.jumped.is_some_and(|jumped| at.saturating_duration_since(jumped) >= self.length) {
            (self.anchor, self.jumped) = ((now, at), None);
        }
        back
    }

    /// The instant, in seconds since 1970, at which leases that end by it are over.
    pub(crate) fn leases_now(&self, now: i64, at: Instant) -> i64 {
        let slack = if self.jumped.is_some() { 0 } else { SLACK_S };
        now.min(continued_from(self.anchor, at).saturating_add(slack))
    }
}

/// Wall time as the monotonic clock continues it from `since`.
fn continued_from((now, since): (i64, Instant), at: Instant) -> i64 {
    let passed = at.saturating_duration_since(since).as_secs();
    now.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX))
}

/// Clocks are adjusted by parts of a second all the time.
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
