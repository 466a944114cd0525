//! Batching of the statements of concurrent operations on one connection: once every operation waits for an answer,
//! equal statements of several of them are sent as one.

use super::sql::{columns, row_index};
use super::sql_cache::BatchSqlCache;
use crate::postgres::transaction::{is_undone, row};
use crate::row::{Params, Row};
use crate::tx::{BatchMode, SqlStep};
use deadpool_postgres::Client;
use futures_util::future::join_all;
use std::future::{Future, poll_fn};
use std::iter::Peekable;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::vec::IntoIter;
use tokio::sync::oneshot;
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

/// Statements of one connection that are not answered yet.
pub(crate) struct StatementBatcher<'t> {
    batch_sql: &'t BatchSqlCache,
    pending: Mutex<Vec<PendingRequest>>,
}

/// The statements that one operation waits for.
struct PendingRequest {
    steps: Peekable<IntoIter<OwnedStep>>,
    /// Results of each step; empty until received.
    answers: Vec<Vec<Row>>,
    reply: oneshot::Sender<Result<Vec<Vec<Row>>, StatementFailure>>,
}

/// A statement failed, and with it the transaction.
#[derive(Clone, Copy)]
pub(super) struct StatementFailure {
    /// `true` if nothing was left behind and a retry may succeed.
    pub(super) retryable: bool,
}

/// Failure for rows that do not fit the statement.
const MISMATCHED_ROWS: StatementFailure = StatementFailure { retryable: false };

/// A step that borrows nothing from its operation.
struct OwnedStep {
    sql: String,
    params: Params,
    batch_mode: BatchMode,
}

/// A statement of one operation, or merged from several: with equal parameters, or with a row of parameters for each.
struct MergedStatement {
    sql: String,
    batch_mode: BatchMode,
    rows: Vec<Params>,
    /// Reply slots of each row.
    slots: Vec<Vec<ReplySlot>>,
}

/// Place of a reply: the request and its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ReplySlot {
    request: usize,
    step: usize,
}

/// A statement to send, and the routing of its rows.
struct OutgoingStatement<'q> {
    statement: Statement,
    params: Vec<BoxedParam<'q>>,
    routing: ReplyRouting<'q>,
}

type BoxedParam<'q> = Box<dyn ToSql + Sync + Send + 'q>;

enum ReplyRouting<'q> {
    /// All rows to each slot.
    All(&'q [ReplySlot]),
    /// Each row to the slots of the row number in its first column.
    Each(&'q [Vec<ReplySlot>]),
}

impl<'t> StatementBatcher<'t> {
    /// Makes a batcher for more than one operation.
    pub(super) fn for_operations(batch_sql: &'t BatchSqlCache, operations: usize) -> Option<StatementBatcher<'t>> {
        (operations > 1 && batch_sql.is_usable()).then(|| StatementBatcher::new(batch_sql))
    }

    fn new(batch_sql: &'t BatchSqlCache) -> StatementBatcher<'t> {
        StatementBatcher { batch_sql, pending: Mutex::default() }
    }

    /// Runs the operations and answers their statements until all have ended.
    pub(super) async fn serve<R>(&self, client: &Client, operations: impl Future<Output = R>) -> R {
        let mut operations = pin!(operations);
        loop {
            let next = poll_fn(|context| match operations.as_mut().poll(context) {
                Poll::Ready(ended) => Poll::Ready(Some(ended)),
                Poll::Pending if self.lock().is_empty() => Poll::Pending,
                Poll::Pending => Poll::Ready(None),
            });
            if let Some(ended) = next.await {
                return ended;
            }
            let mut requests = std::mem::take(&mut *self.lock());
            let answered = self.answer(client, &mut requests).await;
            for PendingRequest { answers, reply, .. } in requests {
                // A dropped receiver means that the operation has ended, and the transaction with it.
                let _ = reply.send(answered.map(|()| answers));
            }
        }
    }

    async fn answer(&self, client: &Client, requests: &mut [PendingRequest]) -> Result<(), StatementFailure> {
        let statements = merge_statements(requests);
        let mut messages = Vec::with_capacity(statements.len());
        for merged in &statements {
            messages.extend(self.build_statements(client, merged).await?);
        }
        // Polled together, so sent together: a single round trip for all. All are awaited: the first error is the cause
        // of the others.
        let sent = join_all(messages.iter().map(|message| message.send(client))).await;
        for (message, rows) in messages.iter().zip(sent) {
            message.deliver_rows(rows?, requests)?;
        }
        Ok(())
    }

    /// Makes a single message for all rows where there is a batch text, or else one per row.
    async fn build_statements<'q>(
        &self,
        client: &Client,
        merged: &'q MergedStatement,
    ) -> Result<Vec<OutgoingStatement<'q>>, StatementFailure> {
        let several = merged.rows.len() > 1;
        if several && merged.batch_mode == BatchMode::Covered {
            return Ok(Vec::new());
        }
        let one = prepared(client, &merged.sql).await.map_err(statement_failure)?;
        if several && let Some(many) = self.batch_sql.of(&merged.sql, merged.batch_mode, &one) {
            let statement = prepared(client, &many).await;
            let statement = statement
                .inspect_err(|cause| self.batch_sql.record_rejection(&merged.sql, cause))
                .map_err(statement_failure)?;
            let columns = columns(&merged.rows, one.params().len());
            let params = columns.into_iter().map(|column| Box::new(column) as BoxedParam<'q>).collect();
            return Ok(vec![OutgoingStatement { statement, params, routing: ReplyRouting::Each(&merged.slots) }]);
        }
        let each = merged.rows.iter().zip(&merged.slots).map(|(row, slots)| {
            let params = row.iter().map(|value| Box::new(value) as BoxedParam<'q>).collect();
            OutgoingStatement { statement: one.clone(), params, routing: ReplyRouting::All(slots) }
        });
        Ok(each.collect())
    }

    pub(super) fn submit(&self, steps: &[SqlStep<'_>]) -> oneshot::Receiver<Result<Vec<Vec<Row>>, StatementFailure>> {
        let (reply, answer) = oneshot::channel();
        let answers = vec![Vec::new(); steps.len()];
        let steps = steps.iter().map(OwnedStep::of).collect::<Vec<_>>().into_iter().peekable();
        self.lock().push(PendingRequest { steps, answers, reply });
        answer
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PendingRequest>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnedStep {
    fn of(step: &SqlStep<'_>) -> OwnedStep {
        OwnedStep { sql: step.sql.to_owned(), params: step.params.clone(), batch_mode: step.batch_mode }
    }
}

impl PendingRequest {
    /// Number of its steps that are merged already.
    fn merged_steps(&self) -> usize {
        self.answers.len() - self.steps.len()
    }
}

/// Merges the requests' steps into statements, keeping the order of each request.
fn merge_statements(requests: &mut [PendingRequest]) -> Vec<MergedStatement> {
    let mut statements = Vec::new();
    while let Some((slot, OwnedStep { sql, params, batch_mode })) = next_step(requests) {
        let mut merged = MergedStatement { sql, batch_mode, rows: vec![params], slots: vec![vec![slot]] };
        for (request, other) in requests.iter_mut().enumerate().skip(slot.request + 1) {
            let step = other.merged_steps();
            if let Some(given) = other.steps.next_if(|given| merged.can_merge(given)) {
                merged.merge_row(ReplySlot { request, step }, given.params);
            }
        }
        statements.push(merged);
    }
    statements
}

/// Takes the next step of the first request that has any left.
fn next_step(requests: &mut [PendingRequest]) -> Option<(ReplySlot, OwnedStep)> {
    requests.iter_mut().enumerate().find_map(|(request, pending)| {
        let slot = ReplySlot { request, step: pending.merged_steps() };
        Some((slot, pending.steps.next()?))
    })
}

impl MergedStatement {
    fn can_merge(&self, given: &OwnedStep) -> bool {
        self.batch_mode != BatchMode::Never && self.batch_mode == given.batch_mode && self.sql == given.sql
    }

    fn merge_row(&mut self, slot: ReplySlot, params: Params) {
        if self.batch_mode == BatchMode::Identical
            && let Some(same) = self.rows.iter().position(|row| *row == params)
        {
            self.slots[same].push(slot);
            return;
        }
        self.rows.push(params);
        self.slots.push(vec![slot]);
    }
}

impl OutgoingStatement<'_> {
    async fn send(&self, client: &Client) -> Result<Vec<Row>, StatementFailure> {
        let params: Vec<&(dyn ToSql + Sync)> = self.params.iter().map(|param| &**param as _).collect();
        let rows = client.query(&self.statement, &params).await.map_err(statement_failure)?;
        rows.iter().map(row).collect::<Result<_, _>>().map_err(|_| MISMATCHED_ROWS)
    }

    fn deliver_rows(&self, rows: Vec<Row>, requests: &mut [PendingRequest]) -> Result<(), StatementFailure> {
        let mut deliver = |slot: ReplySlot, row: Row| requests[slot.request].answers[slot.step].push(row);
        for mut row in rows {
            match self.routing {
                ReplyRouting::All(slots) => slots.iter().for_each(|slot| deliver(*slot, row.clone())),
                ReplyRouting::Each(slots) => {
                    let slots = row_index(&mut row).and_then(|number| slots.get(number));
                    deliver(*slots.and_then(|slots| slots.first()).ok_or(MISMATCHED_ROWS)?, row);
                }
            }
        }
        Ok(())
    }
}

async fn prepared(client: &Client, sql: &str) -> Result<Statement, tokio_postgres::Error> {
    // The text only: values never enter a log.
    tracing::trace!(target: "store::sql", sql);
    client.prepare_cached(sql).await
}

fn statement_failure(cause: tokio_postgres::Error) -> StatementFailure {
    tracing::debug!(%cause, "a statement of several operations failed; each is run for itself");
    StatementFailure { retryable: is_undone(&cause) }
}

#[cfg(test)]
mod tests;
