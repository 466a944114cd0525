//! Group commit: several operations in one transaction. Operations that arrive while one is under way go in the next. A
//! lone operation goes at once.
//!
//! A batch costs few more round trips than a single operation, and one commit; equal statements of several operations
//! are sent as one (`statements`). When anything fails the transaction is rolled back. A failed batch statement does
//! not show which operation failed, so each statement is then sent by itself; failed operations are run alone, where
//! the error is their own, and the others together again.

use super::leader_queue::{LeaderQueue, QueueEntry};
use super::sql_cache::BatchSqlCache;
use super::statements::StatementBatcher;
use super::transaction::{BatchedTx, run_batched};
use crate::Error;
use crate::commit_window::CommitWindow;
use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::postgres::{FailedAttempt, TransactionConnection, commit};
use crate::tx::Lane;
use deadpool_postgres::{Client, Pool};
use futures_util::future::{join, join_all};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// Setting of the lane whose commits do not wait for the disk.
const NON_DURABLE: &str = "SET synchronous_commit = off";

/// Most operations in one transaction; more would make the first of them wait long.
const MAX_BATCH: usize = 64;

/// Longest transaction of ours while the server answers.
const MAX_DURATION: Duration = Duration::from_secs(30);

/// Most repetitions of a batch with failures: a failure behind another is seen only without the first.
const MAX_REPEATS: usize = 3;

/// Outcome of an operation in a batch.
pub(crate) enum BatchOutcome {
    /// Run and, unless the result is an error, committed.
    Completed(Result<AnyOutput, Error>),
    /// Rolled back, not provably by its own fault: to be run alone.
    RunAlone,
}

/// The commit lanes, one for each kind of commit. Each has its own connection.
pub(crate) struct GroupCommit {
    finishing: Arc<CommitLane>,
    non_durable: Arc<CommitLane>,
    beginning: Arc<CommitLane>,
}

impl GroupCommit {
    /// `pool` makes a pool of one connection, with the settings given and those for access by key.
    pub(crate) fn new(pool: impl Fn(&[&'static str]) -> Result<Pool, Error>) -> Result<GroupCommit, Error> {
        let lane = |settings: &[_]| pool(settings).map(CommitLane::new);
        Ok(GroupCommit { finishing: lane(&[])?, non_durable: lane(&[NON_DURABLE])?, beginning: lane(&[])? })
    }

    pub(crate) fn pools(&self) -> impl Iterator<Item = &Pool> {
        [&self.finishing, &self.non_durable, &self.beginning].into_iter().map(|lane| &lane.pool)
    }

    #[cfg(test)]
    pub(crate) fn batch_sql_caches(&self) -> [&BatchSqlCache; 3] {
        [&self.finishing, &self.non_durable, &self.beginning].map(|lane| &lane.batch_sql)
    }

    pub(crate) fn close(&self) {
        self.pools().for_each(Pool::close);
    }

    /// Runs an operation in the next transaction of its lane; returns after the commit. `order` is its lock order in
    /// the batch.
    pub(crate) async fn commit_in_batch(&self, operation: DynOperation, order: String) -> BatchOutcome {
        let lane = match (operation.lane(), operation.is_durable()) {
            (Lane::Urgent, true) => &self.finishing,
            (Lane::Urgent, false) => &self.non_durable,
            (Lane::Ordinary, _) => &self.beginning,
        };
        let (caller, answer) = oneshot::channel();
        let member =
            BatchedOperation { operation, order, output: None, was_undone: false, aborted_by_peer: false, caller };
        if lane.enqueue(member) {
            tokio::spawn(lead_batches(Arc::clone(lane)));
        }
        // Dropped without an answer: the transaction panicked.
        answer.await.unwrap_or(BatchOutcome::RunAlone)
    }
}

/// A queue of operations for the next transaction of one lane.
struct CommitLane {
    pool: Pool,
    batch_sql: BatchSqlCache,
    waiting: LeaderQueue<BatchedOperation>,
    window: Mutex<CommitWindow>,
    /// Notified when the expected number of operations has arrived.
    complete: Notify,
}

impl CommitLane {
    fn new(pool: Pool) -> Arc<CommitLane> {
        Arc::new(CommitLane {
            pool,
            batch_sql: BatchSqlCache::default(),
            waiting: LeaderQueue::default(),
            window: Mutex::default(),
            complete: Notify::new(),
        })
    }

    /// Adds an operation; `true` if the caller must start the leader.
    fn enqueue(&self, member: BatchedOperation) -> bool {
        let QueueEntry { length, leads } = self.waiting.enqueue(member);
        if length > 1 && length == self.commit_window().expected() {
            self.complete.notify_one();
        }
        leads
    }

    /// Waits until the expected operations have arrived or the commit window ends.
    async fn wait_for_batch(&self) {
        let length = self.waiting.len();
        let awaited = self.commit_window().remaining_wait(length).filter(|_| length > 0);
        if let Some(wait) = awaited {
            // Arrived or not: the batch goes.
            let _ = tokio::time::timeout(wait, self.complete.notified()).await;
        }
    }

    fn commit_window(&self) -> MutexGuard<'_, CommitWindow> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs transaction after transaction until the queue is empty.
async fn lead_batches(lane: Arc<CommitLane>) {
    let mut leader = lane.waiting.leader();
    loop {
        lane.wait_for_batch().await;
        let Some(mut members) = leader.next_batch(MAX_BATCH) else { return };
        let operations = members.len();
        // All batches take locks in this order, so that two transactions never wait for each other in a cycle.
        members.sort_by(|one, other| one.order.cmp(&other.order));
        // A task of its own: a panic in one operation must not leave the lane without a leader.
        let transaction = tokio::spawn(commit_batch(Arc::clone(&lane), members));
        if let Err(cause) = transaction.await {
            tracing::error!(%cause, "a transaction of several operations ended in a panic");
        }
        *lane.commit_window() = CommitWindow::after_batch(operations);
    }
}

/// Commits a batch in one transaction; callers are answered after the commit. Failed operations are returned to be run
/// alone, and the others are run together again: an account above its quota must not cost the others their batch.
async fn commit_batch(lane: Arc<CommitLane>, mut members: Vec<BatchedOperation>) {
    let mut end = try_commit(&lane, &mut members, true).await;
    for _ in 0..MAX_REPEATS {
        if !matches!(end, CommitResult::Failed) || members.len() < 2 {
            break;
        }
        let failed: Vec<BatchedOperation> = members.extract_if(.., |member| member.has_failed()).collect();
        // If no operation failed by itself, a batch statement did.
        let alike = !failed.is_empty();
        failed.into_iter().for_each(BatchedOperation::reply_run_alone);
        end = try_commit(&lane, &mut members, alike).await;
    }
    let alone = members.len() == 1;
    for member in members {
        match &end {
            CommitResult::Committed => member.reply_completed(),
            CommitResult::Unknown(why) => member.reply_unknown(why.clone()),
            // The error of a lone operation can only be its own.
            CommitResult::Failed if alone => member.reply_failed(),
            CommitResult::Failed | CommitResult::Nothing => member.reply_run_alone(),
        }
    }
}

/// `alike`: equal statements are batched.
async fn try_commit(lane: &CommitLane, members: &mut [BatchedOperation], alike: bool) -> CommitResult {
    if members.is_empty() {
        return CommitResult::Nothing;
    }
    let Ok(client) = lane.pool.get().await else { return CommitResult::Nothing };
    let batcher = if alike { StatementBatcher::for_operations(&lane.batch_sql, members.len()) } else { None };
    // A timeout closes the connection: one that is dead without notice must not hold up the lane.
    let committed = tokio::time::timeout(MAX_DURATION, commit_all(client, members, batcher.as_ref())).await;
    committed.unwrap_or_else(|_| CommitResult::Unknown("PostgreSQL: o servidor não responde".to_owned()))
}

/// Result of a transaction.
enum CommitResult {
    Committed,
    /// An operation failed, and everything was rolled back.
    Failed,
    /// Nothing was done.
    Nothing,
    /// The transaction or its commit was not answered.
    Unknown(String),
}

async fn commit_all(
    client: Client,
    members: &mut [BatchedOperation],
    batcher: Option<&StatementBatcher<'_>>,
) -> CommitResult {
    let mut connection = TransactionConnection(Some(client));
    let Some(client) = connection.0.as_ref() else { return CommitResult::Nothing };
    let runs = join_all(members.iter_mut().map(|member| member.run(client, batcher)));
    // Polled in this order, so sent in this order; if the first is refused, so is the second.
    let (begun, succeeded) = join(client.batch_execute("BEGIN"), run_batched(batcher, client, runs)).await;
    if begun.is_err() || succeeded.contains(&false) {
        if client.batch_execute("ROLLBACK").await.is_ok() {
            connection.return_to_pool();
        }
        return if begun.is_err() { CommitResult::Nothing } else { CommitResult::Failed };
    }
    match commit(client).await {
        Ok(()) => {
            connection.return_to_pool();
            CommitResult::Committed
        }
        Err(failed) if failed.undone => CommitResult::Nothing,
        Err(FailedAttempt { error: Error::Unavailable(why), .. }) => CommitResult::Unknown(why),
        Err(failed) => CommitResult::Unknown(failed.error.to_string()),
    }
}

/// An operation with its caller.
struct BatchedOperation {
    operation: DynOperation,
    order: String,
    output: Option<Result<AnyOutput, Error>>,
    was_undone: bool,
    aborted_by_peer: bool,
    caller: oneshot::Sender<BatchOutcome>,
}

impl BatchedOperation {
    /// Runs it; `false` when the transaction must be rolled back.
    async fn run(&mut self, client: &Client, batcher: Option<&StatementBatcher<'_>>) -> bool {
        let mut tx = BatchedTx::new(client, batcher);
        let output = self.operation.run(&mut tx).await;
        let tx = tx.own_tx();
        (self.was_undone, self.aborted_by_peer) = (tx.was_undone(), tx.is_aborted_by_peer());
        let succeeded = output.is_ok() && !tx.has_failed();
        self.output = Some(output);
        succeeded
    }

    /// `true` if it failed by itself, not through another operation.
    fn has_failed(&self) -> bool {
        !self.aborted_by_peer && !matches!(self.output, Some(Ok(_)))
    }

    /// Answers with the output.
    fn reply_completed(mut self) {
        let outcome = self.output.take().map_or(BatchOutcome::RunAlone, BatchOutcome::Completed);
        self.send_reply(outcome);
    }

    /// Answers with the error, unless a retry may succeed.
    fn reply_failed(mut self) {
        let outcome = match self.output.take() {
            Some(Err(error)) if !self.was_undone => BatchOutcome::Completed(Err(error)),
            _ => BatchOutcome::RunAlone,
        };
        self.send_reply(outcome);
    }

    /// Answers that the operation is to be run alone.
    fn reply_run_alone(self) {
        self.send_reply(BatchOutcome::RunAlone);
    }

    /// Answers that the result is unknown.
    fn reply_unknown(self, why: String) {
        self.send_reply(BatchOutcome::Completed(Err(Error::Unavailable(why))));
    }

    fn send_reply(self, outcome: BatchOutcome) {
        // A caller that was dropped needs no answer; the commit stands.
        let _ = self.caller.send(outcome);
    }
}

#[cfg(test)]
mod tests;
