//! Cache of the answer of `/status`.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::Mutex;

/// Cache of the last answer. The route is public and its answer counts the queue, so it is made at most once a second.
#[derive(Default)]
pub(crate) struct StatusCache(Mutex<Option<(Instant, CachedStatus)>>);

/// An answer of `/status`.
#[derive(Clone)]
pub(crate) struct CachedStatus {
    /// True when an essential part is down.
    pub(crate) down: bool,
    pub(crate) body: Value,
}

impl StatusCache {
    /// The cached answer, or a new one after a second; concurrent callers wait for the one being made.
    pub(crate) async fn answer(&self, now: Instant, make: impl AsyncFnOnce() -> CachedStatus) -> CachedStatus {
        let mut kept = self.0.lock().await;
        if let Some((made, answer)) = kept.as_ref()
            && now.saturating_duration_since(*made) < FRESH
        {
            return answer.clone();
        }
        let answer = make().await;
        *kept = Some((now, answer.clone()));
        answer
    }
}

const FRESH: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn the_answer_is_made_once_a_second_however_many_ask() {
        let (kept, start) = (StatusCache::default(), Instant::now());
        let ask = async |ms: u64, body: u64| {
            let make = async || CachedStatus { down: false, body: json!(body) };
            kept.answer(start + Duration::from_millis(ms), make).await.body
        };
        assert_eq!(ask(0, 1).await, 1);
        assert_eq!(ask(999, 2).await, 1);
        assert_eq!(ask(1000, 3).await, 3);
        assert_eq!(ask(1500, 4).await, 3);
    }
}
