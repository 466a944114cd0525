//! Circuit breaker of a source: after repeated failures it is not called for a while, so that callers need not wait for
//! it each time.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures in a row that open the breaker.
const FAILURES: u32 = 5;

/// Failures of a source, and the end of its pause.
#[derive(Default)]
pub(super) struct Breaker {
    state: Mutex<BreakerState>,
}

#[derive(Default)]
struct BreakerState {
    failures: u32,
    until: Option<Instant>,
}

impl Breaker {
    /// Remaining pause of an open breaker. After the pause one failure opens it again.
    pub(super) fn remaining_pause(&self, now: Instant) -> Option<Duration> {
        self.lock().until.and_then(|until| until.checked_duration_since(now)).filter(|left| !left.is_zero())
    }

    pub(super) fn record_success(&self) {
        *self.lock() = BreakerState::default();
    }

    pub(super) fn record_failure(&self, now: Instant, pause: Duration) {
        let mut state = self.lock();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.until = now.checked_add(pause);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BreakerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_failures_in_a_row_pause_and_one_more_after_the_pause_pauses_again() {
        let (breaker, start, pause) = (Breaker::default(), Instant::now(), Duration::from_secs(30));
        for _ in 0..4 {
            breaker.record_failure(start, pause);
        }
        assert_eq!(breaker.remaining_pause(start), None);
        breaker.record_failure(start, pause);
        assert_eq!(breaker.remaining_pause(start), Some(pause));
        let later = start + pause;
        assert_eq!(breaker.remaining_pause(later), None);
        breaker.record_failure(later, pause);
        assert_eq!(breaker.remaining_pause(later), Some(pause));
        breaker.record_success();
        breaker.record_failure(later, pause);
        assert_eq!(breaker.remaining_pause(later), None);
    }
}
