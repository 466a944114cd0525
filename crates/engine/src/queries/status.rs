//! Health of the parts: database, queue, authorities, workers.
//!
//! Law: MOC 7.0, visão geral (status of an authority at most once every three minutes).
//! Must not know: the form of `/status`.

use crate::Engine;
use crate::authorities::health::AuthorityHealth;
use std::sync::Arc;
use store::authorities::{Circuit, CircuitState};
use store::installation::RestoredCopy;
use store::jobs::QueueDepth;

/// State of the whole service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverallStatus {
    /// Everything answers.
    Operational,
    /// A part that is not essential (an authority, an old queue) does not answer.
    Degraded,
    /// The database, the queue or the workers are down.
    Down,
}

/// State of the parts, for `/status`.
#[derive(Debug, Clone)]
pub struct SystemStatus {
    /// Worst of the parts.
    pub overall: OverallStatus,
    /// The database answered a query.
    pub database: bool,
    /// The database took a write.
    pub writes: bool,
    /// Counts, when the database answered.
    pub queue: Option<QueueDepth>,
    /// A worker of this process sent a heartbeat in the last 30 seconds; `None` when none was ever started here.
    pub workers: Option<bool>,
    /// Jobs that this process holds.
    pub jobs_in_hand: usize,
    /// Unfinished deliveries of webhooks and the seconds the oldest has been due, when the database answered.
    pub webhooks: Option<(u64, u64)>,
    /// Health of each authority called since the start.
    pub bridge: Vec<AuthorityHealth>,
    /// Circuits that are not closed, of every process.
    pub circuits: Vec<Circuit>,
    /// The database is a copy that was put back, and no operator has accounted for it.
    pub restored: Option<RestoredCopy>,
}

/// Age of the last heartbeat from which a worker counts as dead.
const HEARTBEAT_LIMIT_S: i64 = 30;
/// Age of a ready job from which the queue counts as behind.
const OLD_QUEUE_S: u64 = 300;

impl Engine {
    /// Checks every part. Answers within a few seconds even when an authority does not.
    pub async fn status(&self) -> SystemStatus {
        let now = self.now_s();
        let database = self.store().ping().await.is_ok();
        let writes = database && self.can_write().await;
        let queue = if database { self.store().queue_depth(now).await.ok() } else { None };
        let webhooks = if database { self.store().delivery_backlog(now).await.ok() } else { None };
        let workers = self.inner.heartbeat.last_beat().map(|beat| now - beat <= HEARTBEAT_LIMIT_S);
        self.probe_authorities().await;
        let bridge = self.inner.health.all();
        let overview = if database { self.authority_overview().await.unwrap_or_default() } else { Arc::default() };
        let open = overview.circuits.iter().filter(|circuit| circuit.state != CircuitState::Closed);
        let circuits: Vec<Circuit> = open.cloned().collect();
        let restored = self.restored();
        let overall = match overall(database && writes, workers, queue, &bridge) {
            OverallStatus::Operational if !circuits.is_empty() || restored.is_some() => OverallStatus::Degraded,
            overall => overall,
        };
        let jobs_in_hand = self.inner.heartbeat.jobs_in_hand();
        SystemStatus { overall, database, writes, queue, workers, jobs_in_hand, webhooks, bridge, circuits, restored }
    }
}

fn overall(
    database: bool,
    workers: Option<bool>,
    queue: Option<QueueDepth>,
    bridge: &[AuthorityHealth],
) -> OverallStatus {
    let Some(queue) = queue.filter(|_| database && workers != Some(false)) else { return OverallStatus::Down };
    if queue.oldest_s > OLD_QUEUE_S || bridge.iter().any(|authority| !authority.answering()) {
        OverallStatus::Degraded
    } else {
        OverallStatus::Operational
    }
}
