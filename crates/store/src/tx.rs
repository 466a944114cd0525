//! The one small interface between what we store and where: a transaction that runs SQL, and an operation that runs in
//! one.
//!
//! Two real implementations: `sqlite` (answers at once, so its futures are always ready) and `postgres`.

use crate::Error;
use crate::dialect::Dialect;
use crate::row::{Params, Row, Value};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// An open transaction.
pub(crate) trait Tx: Send {
    /// Whose SQL this is.
    fn dialect(&self) -> Dialect;
    /// Rows of a statement.
    fn query(&mut self, sql: &str, params: &[Value]) -> impl Future<Output = Result<Vec<Row>, Error>> + Send;
    /// Number of rows a statement changed.
    fn execute(&mut self, sql: &str, params: &[Value]) -> impl Future<Output = Result<u64, Error>> + Send;
    /// Rows of several statements, run in this order, in one round trip where there are round trips.
    fn query_all(&mut self, steps: &[Step<'_>]) -> impl Future<Output = Result<Vec<Vec<Row>>, Error>> + Send;
    /// Rows of one question for each of many sets of parameters; not one that changes anything.
    fn query_each(
        &mut self,
        sql: &str,
        params: Vec<Params>,
    ) -> impl Future<Output = Result<Vec<Vec<Row>>, Error>> + Send;
    /// Several statements without parameters (migrations).
    fn script(&mut self, sql: &str) -> impl Future<Output = Result<(), Error>> + Send;
}

/// A statement with its parameters.
pub(crate) struct Step<'s> {
    pub(crate) sql: &'s str,
    pub(crate) params: Params,
    pub(crate) company: Company,
}

impl<'s> Step<'s> {
    /// One that is sent for itself.
    pub(crate) fn new(sql: &'s str, params: Params) -> Step<'s> {
        Step { sql, params, company: Company::None }
    }

    /// One that touches or reads only rows that no other's does with other parameters.
    pub(crate) fn of_own(sql: &'s str, params: Params) -> Step<'s> {
        Step { sql, params, company: Company::Own }
    }

    /// One whose answer is the same for all that ask it with the same parameters in one transaction.
    pub(crate) fn common(sql: &'s str, params: Params) -> Step<'s> {
        Step { sql, params, company: Company::Common }
    }

    /// One that shares rows with others, with what does it for many at once.
    pub(crate) fn shared(sql: &'s str, params: Params, many: &'static str) -> Step<'s> {
        Step { sql, params, company: Company::Shared(many) }
    }

    /// One that what is shared before it does along with its own, where it is done for many. Both are given to the same
    /// `query_all`.
    pub(crate) fn done_before(sql: &'s str, params: Params) -> Step<'s> {
        Step { sql, params, company: Company::Done }
    }
}

/// What becomes of a statement that several operations in one transaction of PostgreSQL send (`postgres::desk`).
/// SQLite, for which a statement is a call and no message, runs each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Company {
    /// Each is run.
    None,
    /// One does the work of all: it is the same statement, over the rows of their parameters.
    Own,
    /// One is run for those with the same parameters.
    Common,
    /// This one is run, over the rows of their parameters.
    Shared(&'static str),
    /// None is run: the shared one before it has done its part for all.
    Done,
}

/// Rows of one statement, which goes with those of others where it can.
pub(crate) async fn ask<T: Tx>(tx: &mut T, step: Step<'_>) -> Result<Vec<Row>, Error> {
    Ok(tx.query_all(&[step]).await?.pop().unwrap_or_default())
}

/// One statement for many sets of parameters.
pub(crate) fn each(sql: &str, params: Vec<Params>) -> Vec<Step<'_>> {
    params.into_iter().map(|params| Step::new(sql, params)).collect()
}

/// What is done in one transaction. It may run more than once (PostgreSQL: after a deadlock), so it takes `&self`.
pub(crate) trait Operation: Send + Sync + 'static {
    /// What the caller gets after the commit.
    type Output: Send + 'static;
    /// Which work goes first when much waits.
    const LANE: Lane = Lane::Ordinary;
    /// Whether the commit waits for the disk. `false` is for steps that are worth nothing without a later one that
    /// waits: the log is written in order, so that one carries them; and if the machine stops before, nobody has acted
    /// on them.
    const DURABLE: bool = true;
    /// Reads a few rows by their keys: so little that handing it to another thread, or to a connection of its own,
    /// would cost more than the reading.
    const IS_SMALL: bool = false;
    /// Its place among operations that run beside it in one transaction of PostgreSQL, their statements among each
    /// other; `None` when it must be alone in its own. Whoever gives one writes rows of its own job, and what it shares
    /// with others only by single statements that hold whatever runs between them; it takes locks that others take too
    /// in the order of this name.
    fn beside(&self) -> Option<String> {
        None
    }
    /// [`Self::LANE`].
    fn lane(&self) -> Lane {
        Self::LANE
    }
    /// [`Self::DURABLE`].
    fn is_durable(&self) -> bool {
        Self::DURABLE
    }
    /// [`Self::IS_SMALL`].
    fn is_small(&self) -> bool {
        Self::IS_SMALL
    }
    /// Does it.
    fn run<T: Tx>(&self, tx: &mut T) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// Order of waiting work: finishing what was begun goes before beginning more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Claims and the steps of claimed jobs.
    Urgent,
    /// Everything else, above all new jobs.
    Ordinary,
}

/// The output of a future that never waits; `None` when it would.
pub(crate) fn at_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
