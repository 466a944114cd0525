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

    fn new(texts: &'t BatchSqlCache) -> StatementBatcher<'t> {
        StatementBatcher { batch_sql: texts, pending: Mutex::default() }
    }

    /// Runs the operations and answers their statements until all have ended.
    pub(super) async fn serve<R>(&self, client: &Client, rides: impl Future<Output = R>) -> R {
        let mut rides = pin!(rides);
        loop {
            let turn = poll_fn(|context| match rides.as_mut().poll(context) {
                Poll::Ready(ended) => Poll::Ready(Some(ended)),
                Poll::Pending if self.lock().is_empty() => Poll::Pending,
                Poll::Pending => Poll::Ready(None),
            });
            if let Some(ended) = turn.await {
                return ended;
            }
            let mut asked = std::mem::take(&mut *self.lock());
            let answered = self.answer(client, &mut asked).await;
            for PendingRequest { answers, reply: asker, .. } in asked {
                // A dropped receiver means that the operation has ended, and the transaction with it.
                let _ = asker.send(answered.map(|()| answers));
            }
        }
    }

    async fn answer(&self, client: &Client, asked: &mut [PendingRequest]) -> Result<(), StatementFailure> {
        let questions = merge_statements(asked);
        let mut messages = Vec::with_capacity(questions.len());
        for question in &questions {
            messages.extend(self.build_statements(client, question).await?);
        }
        // Polled together, so sent together: a single round trip for all. All are awaited: the first error is the cause
        // of the others.
        let sent = join_all(messages.iter().map(|message| message.send(client))).await;
        for (message, rows) in messages.iter().zip(sent) {
            message.deliver_rows(rows?, asked)?;
        }
        Ok(())
    }

    /// Makes a single message for all rows where there is a batch text, or else one per row.
    async fn build_statements<'q>(
        &self,
        client: &Client,
        question: &'q MergedStatement,
    ) -> Result<Vec<OutgoingStatement<'q>>, StatementFailure> {
        let several = question.rows.len() > 1;
        if several && question.batch_mode == BatchMode::Covered {
            return Ok(Vec::new());
        }
        let one = prepared(client, &question.sql).await.map_err(statement_failure)?;
        if several && let Some(many) = self.batch_sql.of(&question.sql, question.batch_mode, &one) {
            let statement = prepared(client, &many).await;
            let statement = statement
                .inspect_err(|cause| self.batch_sql.record_rejection(&question.sql, cause))
                .map_err(statement_failure)?;
            let columns = columns(&question.rows, one.params().len());
            let params = columns.into_iter().map(|column| Box::new(column) as BoxedParam<'q>).collect();
            return Ok(vec![OutgoingStatement { statement, params, routing: ReplyRouting::Each(&question.slots) }]);
        }
        let each = question.rows.iter().zip(&question.slots).map(|(row, trays)| {
            let params = row.iter().map(|value| Box::new(value) as BoxedParam<'q>).collect();
            OutgoingStatement { statement: one.clone(), params, routing: ReplyRouting::All(trays) }
        });
        Ok(each.collect())
    }

    pub(super) fn submit(&self, steps: &[SqlStep<'_>]) -> oneshot::Receiver<Result<Vec<Vec<Row>>, StatementFailure>> {
        let (asker, answer) = oneshot::channel();
        let answers = vec![Vec::new(); steps.len()];
        let steps = steps.iter().map(OwnedStep::of).collect::<Vec<_>>().into_iter().peekable();
        self.lock().push(PendingRequest { steps, answers, reply: asker });
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
fn merge_statements(asked: &mut [PendingRequest]) -> Vec<MergedStatement> {
    let mut questions = Vec::new();
    while let Some((tray, OwnedStep { sql, params, batch_mode: company })) = next_step(asked) {
        let mut question = MergedStatement { sql, batch_mode: company, rows: vec![params], slots: vec![vec![tray]] };
        for (asker, other) in asked.iter_mut().enumerate().skip(tray.request + 1) {
            let step = other.merged_steps();
            if let Some(given) = other.steps.next_if(|given| question.can_merge(given)) {
                question.merge_row(ReplySlot { request: asker, step }, given.params);
            }
        }
        questions.push(question);
    }
    questions
}

/// Takes the next step of the first request that has any left.
fn next_step(asked: &mut [PendingRequest]) -> Option<(ReplySlot, OwnedStep)> {
    asked.iter_mut().enumerate().find_map(|(asker, asked)| {
        let tray = ReplySlot { request: asker, step: asked.merged_steps() };
        Some((tray, asked.steps.next()?))
    })
}

impl MergedStatement {
    fn can_merge(&self, given: &OwnedStep) -> bool {
        self.batch_mode != BatchMode::Never && self.batch_mode == given.batch_mode && self.sql == given.sql
    }

    fn merge_row(&mut self, tray: ReplySlot, params: Params) {
        if self.batch_mode == BatchMode::Identical
            && let Some(same) = self.rows.iter().position(|row| *row == params)
        {
            self.slots[same].push(tray);
            return;
        }
        self.rows.push(params);
        self.slots.push(vec![tray]);
    }
}

impl OutgoingStatement<'_> {
    async fn send(&self, client: &Client) -> Result<Vec<Row>, StatementFailure> {
        let params: Vec<&(dyn ToSql + Sync)> = self.params.iter().map(|param| &**param as _).collect();
        let rows = client.query(&self.statement, &params).await.map_err(statement_failure)?;
        rows.iter().map(row).collect::<Result<_, _>>().map_err(|_| MISMATCHED_ROWS)
    }

    fn deliver_rows(&self, rows: Vec<Row>, asked: &mut [PendingRequest]) -> Result<(), StatementFailure> {
        let mut give = |tray: ReplySlot, row: Row| asked[tray.request].answers[tray.step].push(row);
        for mut row in rows {
            match self.routing {
                ReplyRouting::All(trays) => trays.iter().for_each(|tray| give(*tray, row.clone())),
                ReplyRouting::Each(trays) => {
                    let trays = row_index(&mut row).and_then(|number| trays.get(number));
                    give(*trays.and_then(|trays| trays.first()).ok_or(MISMATCHED_ROWS)?, row);
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
