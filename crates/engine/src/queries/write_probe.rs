//! Probe of the store's writes: a write on request, at most one every few seconds.

use crate::Engine;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Result of the last probe.
#[derive(Default)]
pub(crate) struct WriteProbe(Mutex<Option<(Instant, bool)>>);

/// Validity of a result.
const FRESH: Duration = Duration::from_secs(5);
/// Longest probe: a slower write is as good as none, since callers would not wait for it either.
const MAX_WAIT: Duration = Duration::from_secs(5);

impl Engine {
    /// Probes the store, or returns the last result. Concurrent callers share one probe.
    pub async fn can_write(&self) -> bool {
        let mut last = self.inner.write_probe.0.lock().await;
        if let Some((_, known)) = last.filter(|(at, _)| at.elapsed() < FRESH) {
            return known;
        }
        let tried = tokio::time::timeout(MAX_WAIT, self.store().probe(self.now_s())).await;
        let works = matches!(tried, Ok(Ok(())));
        if last.is_none_or(|(_, before)| before) && !works {
            let cause = tried.map_or_else(
                |_| "sem resposta a tempo".to_owned(),
                |tried| tried.err().map(|error| error.to_string()).unwrap_or_default(),
            );
            tracing::error!(error.cause = cause, "the database takes no writes");
        } else if last.is_some_and(|(_, before)| !before) && works {
            tracing::info!("the database takes writes again");
        }
        *last = Some((Instant::now(), works));
        works
    }
}
