//! Whether the store takes writes, as far as is known: tried when somebody asks, at most every few seconds, whoever
//! asks how often.

use crate::Engine;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// What came of the last try.
#[derive(Default)]
pub(crate) struct Writing(Mutex<Option<(Instant, bool)>>);

/// How old an answer may be.
const FRESH: Duration = Duration::from_secs(5);
/// A write that takes longer is as good as none: callers would not wait for it either.
const PATIENCE: Duration = Duration::from_secs(5);

impl Engine {
    /// Who asks while it is tried waits for the same try.
    pub async fn can_write(&self) -> bool {
        let mut last = self.inner.writing.0.lock().await;
        if let Some((_, known)) = last.filter(|(at, _)| at.elapsed() < FRESH) {
            return known;
        }
        let tried = tokio::time::timeout(PATIENCE, self.store().probe(self.now_s())).await;
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
