//! Request rate of a credential: a token bucket per key in this process, and the texts that report its state.
//!
//! Law: `docs/contract.md`, "Limits"; `RateLimit` and `RateLimit-Policy` as in draft-ietf-httpapi-ratelimit-headers.
//! The bucket is stored as the one instant at which it is full again (GCRA), in whole nanoseconds.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderName;
use uuid::Uuid;

/// `RateLimit-Policy`.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// `RateLimit`.
pub(crate) const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// Rate limiter of credentials.
pub(crate) struct RateLimiter {
    /// Size of the burst and requests per window; 0 for no limit.
    requests: u32,
    window: Duration,
    started: Instant,
    /// Instant at which each credential's bucket is full again, in nanoseconds since the start.
    full_at: Mutex<HashMap<Uuid, u64>>,
}

/// State of a credential's bucket after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RateStatus {
    pub(crate) requests: u32,
    pub(crate) window: Duration,
    remaining: u64,
    /// Time until the bucket is full again.
    full_in: Duration,
    /// Time until a request is admitted, when this one was not.
    pub(crate) refused_for: Option<Duration>,
}

impl RateLimiter {
    /// `requests` per `window_s`; 0 requests: no limit.
    pub(crate) fn new(requests: u32, window_s: u32) -> RateLimiter {
        let window = Duration::from_secs(u64::from(window_s.max(1)));
        RateLimiter { requests, window, started: Instant::now(), full_at: Mutex::default() }
    }

    /// Consumes a request of a bucket, if it holds one. `None` without a limit.
    pub(crate) fn consume(&self, credential: Uuid, now: Instant) -> Option<RateStatus> {
        if self.requests == 0 {
            return None;
        }
        let now = nanos(now.saturating_duration_since(self.started));
        let window = nanos(self.window);
        let one = window / u64::from(self.requests);
        let mut buckets = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST && !buckets.contains_key(&credential) {
            // a full bucket is equal to an absent one
            buckets.retain(|_, full_at| *full_at > now);
            if buckets.len() >= MOST {
                buckets.clear();
            }
        }
        let full_at = buckets.entry(credential).or_insert(now);
        let after = (*full_at).max(now) + one;
        let refused_for = (after - now).checked_sub(window).filter(|over| *over > 0).map(Duration::from_nanos);
        if refused_for.is_none() {
            *full_at = after;
        }
        let full_in = full_at.saturating_sub(now);
        let remaining = (window - full_in.min(window)).checked_div(one).unwrap_or(u64::from(self.requests));
        let (requests, window) = (self.requests, self.window);
        Some(RateStatus { requests, window, remaining, full_in: Duration::from_nanos(full_in), refused_for })
    }
}

impl RateStatus {
    /// Value of `RateLimit-Policy`.
    pub(crate) fn policy(&self) -> String {
        format!("\"padrao\";q={};w={}", self.requests, self.window.as_secs())
    }

    /// Value of `RateLimit`.
    pub(crate) fn state(&self) -> String {
        let reset = self.refused_for.unwrap_or(self.full_in);
        format!("\"padrao\";r={};t={}", self.remaining, whole_seconds(reset))
    }
}

/// Whole seconds, rounded up: a client that waits that long is not too early.
pub(crate) fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2)
}

/// Credentials remembered at once; each costs 24 bytes.
const MOST: usize = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn after(gate: &RateLimiter, ms: u64) -> Instant {
        gate.started + Duration::from_millis(ms)
    }

    #[test]
    fn a_bucket_empties_refuses_and_fills_again() {
        let (gate, key) = (RateLimiter::new(5, 10), Uuid::from_u128(1));
        for left in (0..5).rev() {
            let standing = gate.consume(key, after(&gate, 0)).unwrap();
            assert_eq!((standing.remaining, standing.refused_for), (left, None));
        }
        let refused = gate.consume(key, after(&gate, 500)).unwrap();
        assert_eq!((refused.remaining, refused.refused_for), (0, Some(Duration::from_millis(1_500))));
        assert_eq!(refused.state(), "\"padrao\";r=0;t=2");
        assert_eq!(refused.policy(), "\"padrao\";q=5;w=10");
        let other = gate.consume(Uuid::from_u128(2), after(&gate, 500)).unwrap();
        assert_eq!(other.refused_for, None);
        let one = gate.consume(key, after(&gate, 2_000)).unwrap();
        assert_eq!((one.remaining, one.refused_for), (0, None));
        let rested = gate.consume(key, after(&gate, 60_000)).unwrap();
        assert_eq!((rested.remaining, rested.full_in), (4, Duration::from_secs(2)));
    }

    #[test]
    fn the_largest_limit_still_counts() {
        let gate = RateLimiter::new(u32::MAX, 1);
        assert_eq!(gate.consume(Uuid::nil(), gate.started).unwrap().refused_for, None);
    }

    #[test]
    fn no_limit_keeps_nothing() {
        let gate = RateLimiter::new(0, 1);
        assert!(gate.consume(Uuid::nil(), gate.started).is_none() && gate.full_at.lock().unwrap().is_empty());
    }

    #[test]
    fn memory_is_bounded() {
        let gate = RateLimiter::new(10, 1);
        for key in 0..MOST + 10 {
            gate.consume(Uuid::from_u128(key as u128), after(&gate, 0));
        }
        assert!(gate.full_at.lock().unwrap().len() <= MOST);
    }
}
