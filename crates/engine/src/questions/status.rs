//! Health of the parts: database, queue, fiscal bridge, workers.
//!
//! Law: `design.md` §3.5 (status polls not more often than every three minutes). Must not know how `/status` is
//! written.

use crate::Engine;
use crate::authorities::bridge::AuthorityHealth;
use std::sync::Arc;
use store::authorities::{Circuit, CircuitState};
use store::installation::Restored;
use store::jobs::QueueDepth;

/// How the whole stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overall {
    /// Everything answers.
    Operational,
    /// A part that is not essential (an authority, an old queue) does not.
    Degraded,
    /// The database, the queue or the workers are down.
    Down,
}

/// The parts, as `/status` shows them.
#[derive(Debug, Clone)]
pub struct Status {
    /// Worst of the parts.
    pub overall: Overall,
    /// The database answered a question.
    pub database: bool,
    /// It took a write.
    pub writes: bool,
    /// Counts, when the database answered.
    pub queue: Option<QueueDepth>,
    /// A worker of this process gave a sign of life in the last 30 seconds; `None` when none was ever started here.
    pub workers: Option<bool>,
    /// Jobs in hand in this process.
    pub jobs_in_hand: usize,
    /// Unfinished deliveries of webhooks and the seconds the oldest has been due, when the database answered.
    pub webhooks: Option<(u64, u64)>,
    /// One row per authority spoken to since the start.
    pub bridge: Vec<AuthorityHealth>,
    /// Circuits that are not closed, of whichever process.
    pub circuits: Vec<Circuit>,
    /// The database is a copy that was put back, and no operator has accounted for it.
    pub restored: Option<Restored>,
}

/// A worker that was silent for longer is taken for dead.
const HEARTBEAT_LIMIT_S: i64 = 30;
/// A job that has been ready for longer means the queue does not keep up.
const OLD_QUEUE_S: u64 = 300;

impl Engine {
    /// Asks every part. Answers within a few seconds even when an authority does not.
    pub async fn status(&self) -> Status {
        let now = self.now_s();
        let database = self.store().ping().await.is_ok();
        let writes = database && self.can_write().await;
        let queue = if database { self.store().queue_depth(now).await.ok() } else { None };
        let webhooks = if database { self.store().delivery_backlog(now).await.ok() } else { None };
        let workers = self.inner.pulse.last_beat().map(|beat| now - beat <= HEARTBEAT_LIMIT_S);
        self.probe_bridge().await;
        let bridge = self.inner.bridge.all();
        let overview = if database { self.overview().await.unwrap_or_default() } else { Arc::default() };
        let open = overview.circuits.iter().filter(|circuit| circuit.state != CircuitState::Closed);
        let circuits: Vec<Circuit> = open.cloned().collect();
        let restored = self.restored();
        let overall = match overall(database && writes, workers, queue, &bridge) {
            Overall::Operational if !circuits.is_empty() || restored.is_some() => Overall::Degraded,
            overall => overall,
        };
        let jobs_in_hand = self.inner.pulse.jobs_in_hand();
        Status { overall, database, writes, queue, workers, jobs_in_hand, webhooks, bridge, circuits, restored }
    }
}

fn overall(database: bool, workers: Option<bool>, queue: Option<QueueDepth>, bridge: &[AuthorityHealth]) -> Overall {
    let Some(queue) = queue.filter(|_| database && workers != Some(false)) else { return Overall::Down };
    if queue.oldest_s > OLD_QUEUE_S || bridge.iter().any(|authority| !authority.answering()) {
        Overall::Degraded
    } else {
        Overall::Operational
    }
}
