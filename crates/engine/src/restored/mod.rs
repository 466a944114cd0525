//! Detection of a database that went back in time, by a mark that is kept beside it: at the start and while it is
//! served.
//!
//! The mark rises in the database first and is then written beside it, so the one beside is never ahead of a database
//! that lost nothing.
//! Must not know: the queries to an authority meanwhile (`steps::number_recovery`).

mod mark;

pub use mark::MarkPlace;

use crate::Engine;
use crate::process::outage_log::OutageLog;
use mark::MarkFile;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;
use store::installation::{Installation, RestoredCopy};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use uuid::Uuid;

/// Interval of the mark. A copy that is younger may be put back unnoticed.
const EVERY: Duration = Duration::from_secs(10);

/// The period that is missing in the database, as this process knows it.
#[derive(Default)]
pub(crate) struct UncertainPeriod(RwLock<Option<(RestoredCopy, Instant)>>);

impl UncertainPeriod {
    fn get(&self) -> Option<RestoredCopy> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).map(|(restored, _)| restored)
    }

    fn set(&self, restored: Option<RestoredCopy>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = restored.map(|restored| (restored, Instant::now()));
    }

    fn known_for(&self) -> Duration {
        self.0.read().unwrap_or_else(PoisonError::into_inner).map_or(Duration::MAX, |(_, since)| since.elapsed())
    }
}

impl Engine {
    /// The period that is missing in the database, until an operator ends it.
    pub fn restored(&self) -> Option<RestoredCopy> {
        self.inner.uncertain.get()
    }

    /// Time since this process noticed that a copy was put back, by its own clock; endless where none was.
    pub(crate) fn restored_for(&self) -> Duration {
        self.inner.uncertain.known_for()
    }

    fn learn_installation(&self, installation: &Installation) {
        if installation.restored == self.inner.uncertain.get() {
            return;
        }
        self.inner.uncertain.set(installation.restored);
        match installation.restored {
            Some(RestoredCopy { copia_de, restaurado_em }) => {
                tracing::error!(
                    copia_de,
                    restaurado_em,
                    "the database is a copy that was put back: what was registered between these instants is unknown to it"
                );
            }
            None => tracing::info!("the copy that was put back is accounted for"),
        }
    }
}

/// Raises the mark until it is stopped.
pub struct MarkKeeper {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl MarkKeeper {
    /// Compares the database with its mark, before anything is served or run, and continues in the background.
    pub async fn start(engine: Engine, place: Option<MarkPlace>) -> Result<MarkKeeper, store::Error> {
        let mut keeping = MarkTask { engine, beside: MarkFile::new(place), process: Uuid::now_v7() };
        keeping.raise_mark().await?;
        let (stop, stopped) = watch::channel(false);
        Ok(MarkKeeper { stop, task: tokio::spawn(keeping.run(stopped)) })
    }

    /// Raises the mark once more, so that every copy taken until now counts as older.
    pub async fn stop(self) {
        // the task receives until it ends
        let _ = self.stop.send(true);
        if let Err(error) = self.task.await {
            tracing::warn!(error.cause = %error, "the mark was not raised at the end");
        }
    }
}

struct MarkTask {
    engine: Engine,
    beside: MarkFile,
    /// Id of this process among those that serve the database.
    process: Uuid,
}

impl MarkTask {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut trouble = OutageLog::with("raise the mark of the database");
        loop {
            let is_last = match tokio::time::timeout(EVERY, stopped.changed()).await {
                Err(_elapsed) => false,
                Ok(Ok(())) => true,
                // a process that gives up its start, and closes its store meanwhile
                Ok(Err(_gone)) => return,
            };
            match self.raise_mark().await {
                Ok(()) => trouble.record_recovery(),
                Err(error) => trouble.record_failure(&error),
            }
            if is_last {
                self.record_end().await;
                return;
            }
        }
    }

    /// Records the end of this process; a master key may be rotated from now on.
    async fn record_end(&self) {
        if let Err(error) = self.engine.store().end_serving(self.process).await {
            tracing::warn!(error.cause = %error, "the end of this process could not be recorded");
        }
    }

    async fn raise_mark(&mut self) -> Result<(), store::Error> {
        let store = self.engine.store();
        store.record_heartbeat(self.process, self.engine.now_s()).await?;
        let seen = self.beside.highest_mark(store.installation().await?.id).await;
        let installation = store.raise_mark(seen, self.engine.now_s()).await?;
        self.engine.learn_installation(&installation);
        self.beside.write_mark(&installation).await;
        Ok(())
    }
}
