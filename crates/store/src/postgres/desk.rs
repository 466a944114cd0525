//! Batching of the statements of concurrent operations on one connection: once every operation waits for an answer,
//! equal statements of several of them are sent as one.

use super::over;
use super::transaction::{PostgresTx, is_undone, row};
use crate::Error;
use crate::dialect::Dialect;
use crate::row::{Params, Row, Value};
use crate::tx::{Company, Step, Tx};
use deadpool_postgres::Client;
use futures_util::future::join_all;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::iter::Peekable;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::vec::IntoIter;
use tokio::sync::oneshot;
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

/// Cache of batch texts.
#[derive(Default)]
pub(crate) struct Texts {
    /// By the statement's own text; `None` when each is sent.
    known: Mutex<HashMap<String, Option<Arc<str>>>>,
    /// PostgreSQL rejected a batch text, which is a bug: from then on every statement is sent by itself.
    misspelled: AtomicBool,
}

impl Texts {
    /// Returns a batcher for more than one operation.
    pub(crate) fn desk(&self, operations: usize) -> Option<Desk<'_>> {
        (operations > 1 && !self.misspelled.load(Ordering::Relaxed)).then(|| Desk::new(self))
    }

    /// Returns the text that does the work of this statement for many rows of parameters.
    fn of(&self, question: &Question, one: &Statement) -> Option<Arc<str>> {
        let text = || match question.company {
            Company::Own => over::rows(&question.sql, one.params()),
            Company::Shared(many) => Some(over::written(many, one.params())),
            Company::None | Company::Common | Company::Done => None,
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&question.sql) {
            return known.clone();
        }
        known.entry(question.sql.clone()).or_insert(text().map(Arc::from)).clone()
    }

    fn refused(&self, question: &Question, cause: &tokio_postgres::Error) {
        // Class 42: syntax errors, and names or types that do not exist.
        if cause.code().is_some_and(|code| code.code().starts_with("42")) {
            tracing::error!(sql = question.sql, %cause, "what this statement is for many cannot be prepared");
            self.misspelled.store(true, Ordering::Relaxed);
        }
    }
}

/// Statements of one connection that are not answered yet.
pub(crate) struct Desk<'t> {
    texts: &'t Texts,
    asked: Mutex<Vec<Petition>>,
}

/// The statements that one operation waits for.
struct Petition {
    steps: Peekable<IntoIter<Given>>,
    /// Results of each step; empty until received.
    answers: Vec<Vec<Row>>,
    asker: oneshot::Sender<Result<Vec<Vec<Row>>, Refused>>,
}

/// A statement failed, and with it the transaction.
#[derive(Clone, Copy)]
struct Refused {
    /// `true` if nothing was left behind and a retry may succeed.
    undone: bool,
}

/// Failure for rows that do not fit the statement.
const BROKEN: Refused = Refused { undone: false };

/// A step that borrows nothing from its operation.
struct Given {
    sql: String,
    params: Params,
    company: Company,
}

/// A statement of one operation, or merged from several: with equal parameters, or with a row of parameters for each.
struct Question {
    sql: String,
    company: Company,
    rows: Vec<Params>,
    /// Reply slots of each row.
    trays: Vec<Vec<Tray>>,
}

/// Place of a reply: the request and its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tray {
    asker: usize,
    step: usize,
}

/// A statement to send, and the routing of its rows.
struct Message<'q> {
    statement: Statement,
    params: Vec<Param<'q>>,
    to: To<'q>,
}

type Param<'q> = Box<dyn ToSql + Sync + Send + 'q>;

enum To<'q> {
    /// All rows to each slot.
    All(&'q [Tray]),
    /// Each row to the slots of the row number in its first column.
    Each(&'q [Vec<Tray>]),
}

impl<'t> Desk<'t> {
    fn new(texts: &'t Texts) -> Desk<'t> {
        Desk { texts, asked: Mutex::default() }
    }

    /// Runs the operations and answers their statements until all have ended.
    async fn serve<R>(&self, client: &Client, rides: impl Future<Output = R>) -> R {
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
            for Petition { answers, asker, .. } in asked {
                // A dropped receiver means that the operation has ended, and the transaction with it.
                let _ = asker.send(answered.map(|()| answers));
            }
        }
    }

    async fn answer(&self, client: &Client, asked: &mut [Petition]) -> Result<(), Refused> {
        let questions = questions(asked);
        let mut messages = Vec::with_capacity(questions.len());
        for question in &questions {
            messages.extend(self.messages(client, question).await?);
        }
        // Polled together, so sent together: a single round trip for all. All are awaited: the first error is the cause
        // of the others.
        let sent = join_all(messages.iter().map(|message| message.send(client))).await;
        for (message, rows) in messages.iter().zip(sent) {
            message.hand_out(rows?, asked)?;
        }
        Ok(())
    }

    /// Makes a single message for all rows where there is a batch text, or else one per row.
    async fn messages<'q>(&self, client: &Client, question: &'q Question) -> Result<Vec<Message<'q>>, Refused> {
        let several = question.rows.len() > 1;
        if several && question.company == Company::Done {
            return Ok(Vec::new());
        }
        let one = prepared(client, &question.sql).await.map_err(refused)?;
        if several && let Some(many) = self.texts.of(question, &one) {
            let statement = prepared(client, &many).await;
            let statement = statement.inspect_err(|cause| self.texts.refused(question, cause)).map_err(refused)?;
            let columns = over::columns(&question.rows, one.params().len());
            let params = columns.into_iter().map(|column| Box::new(column) as Param<'q>).collect();
            return Ok(vec![Message { statement, params, to: To::Each(&question.trays) }]);
        }
        let each = question.rows.iter().zip(&question.trays).map(|(row, trays)| {
            let params = row.iter().map(|value| Box::new(value) as Param<'q>).collect();
            Message { statement: one.clone(), params, to: To::All(trays) }
        });
        Ok(each.collect())
    }

    fn hand_in(&self, steps: &[Step<'_>]) -> oneshot::Receiver<Result<Vec<Vec<Row>>, Refused>> {
        let (asker, answer) = oneshot::channel();
        let answers = vec![Vec::new(); steps.len()];
        let steps = steps.iter().map(Given::of).collect::<Vec<_>>().into_iter().peekable();
        self.lock().push(Petition { steps, answers, asker });
        answer
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Petition>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Given {
    fn of(step: &Step<'_>) -> Given {
        Given { sql: step.sql.to_owned(), params: step.params.clone(), company: step.company }
    }
}

impl Petition {
    /// Number of its steps that are merged already.
    fn begun(&self) -> usize {
        self.answers.len() - self.steps.len()
    }
}

/// Merges the requests' steps into statements, keeping the order of each request.
fn questions(asked: &mut [Petition]) -> Vec<Question> {
    let mut questions = Vec::new();
    while let Some((tray, Given { sql, params, company })) = next(asked) {
        let mut question = Question { sql, company, rows: vec![params], trays: vec![vec![tray]] };
        for (asker, other) in asked.iter_mut().enumerate().skip(tray.asker + 1) {
            let step = other.begun();
            if let Some(given) = other.steps.next_if(|given| question.is_also(given)) {
                question.join(Tray { asker, step }, given.params);
            }
        }
        questions.push(question);
    }
    questions
}

/// Takes the next step of the first request that has any left.
fn next(asked: &mut [Petition]) -> Option<(Tray, Given)> {
    asked.iter_mut().enumerate().find_map(|(asker, asked)| {
        let tray = Tray { asker, step: asked.begun() };
        Some((tray, asked.steps.next()?))
    })
}

impl Question {
    fn is_also(&self, given: &Given) -> bool {
        self.company != Company::None && self.company == given.company && self.sql == given.sql
    }

    fn join(&mut self, tray: Tray, params: Params) {
        if self.company == Company::Common
            && let Some(same) = self.rows.iter().position(|row| *row == params)
        {
            self.trays[same].push(tray);
            return;
        }
        self.rows.push(params);
        self.trays.push(vec![tray]);
    }
}

impl Message<'_> {
    async fn send(&self, client: &Client) -> Result<Vec<Row>, Refused> {
        let params: Vec<&(dyn ToSql + Sync)> = self.params.iter().map(|param| &**param as _).collect();
        let rows = client.query(&self.statement, &params).await.map_err(refused)?;
        rows.iter().map(row).collect::<Result<_, _>>().map_err(|_| BROKEN)
    }

    fn hand_out(&self, rows: Vec<Row>, asked: &mut [Petition]) -> Result<(), Refused> {
        let mut give = |tray: Tray, row: Row| asked[tray.asker].answers[tray.step].push(row);
        for mut row in rows {
            match self.to {
                To::All(trays) => trays.iter().for_each(|tray| give(*tray, row.clone())),
                To::Each(trays) => {
                    let trays = over::number(&mut row).and_then(|number| trays.get(number));
                    give(*trays.and_then(|trays| trays.first()).ok_or(BROKEN)?, row);
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

fn refused(cause: tokio_postgres::Error) -> Refused {
    tracing::debug!(%cause, "a statement of several operations failed; each is run for itself");
    Refused { undone: is_undone(&cause) }
}

/// Runs operations with a batcher or without one.
pub(crate) async fn served<R>(desk: Option<&Desk<'_>>, client: &Client, rides: impl Future<Output = R>) -> R {
    match desk {
        Some(desk) => desk.serve(client, rides).await,
        None => rides.await,
    }
}

/// Transaction interface of one operation in a batch.
pub(crate) struct DeskTx<'c> {
    /// For statements that are not batched.
    alone: PostgresTx<'c>,
    /// `None`: every statement is sent by itself.
    desk: Option<&'c Desk<'c>>,
}

impl<'c> DeskTx<'c> {
    pub(crate) fn new(client: &'c Client, desk: Option<&'c Desk<'c>>) -> DeskTx<'c> {
        DeskTx { alone: PostgresTx::within(client), desk }
    }

    /// The operation's own transaction, which records failures.
    pub(crate) fn alone(&self) -> &PostgresTx<'c> {
        &self.alone
    }
}

impl Tx for DeskTx<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    async fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Error> {
        self.alone.query(sql, params).await
    }

    async fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Error> {
        self.alone.execute(sql, params).await
    }

    async fn query_all(&mut self, steps: &[Step<'_>]) -> Result<Vec<Vec<Row>>, Error> {
        let desk = self.desk.filter(|_| steps.iter().any(|step| step.company != Company::None));
        let Some(desk) = desk else { return self.alone.query_all(steps).await };
        match desk.hand_in(steps).await {
            Ok(Ok(answers)) => Ok(answers),
            Ok(Err(refused)) => Err(self.alone.dragged(refused.undone)),
            Err(_) => Err(self.alone.dragged(false)),
        }
    }

    async fn query_each(&mut self, sql: &str, params: Vec<Params>) -> Result<Vec<Vec<Row>>, Error> {
        self.alone.query_each(sql, params).await
    }

    async fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.alone.script(sql).await
    }
}

#[cfg(test)]
mod tests;
