//! The interface between operations and databases: a transaction that runs SQL, and an operation that runs in one.
//!
//! Two implementations: `sqlite` (its futures are always ready) and `postgres`.

use crate::Error;
use crate::dialect::SqlDialect;
use crate::row::{Params, Row, Value};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// An open transaction.
pub(crate) trait Tx: Send {
    fn dialect(&self) -> SqlDialect;
    /// Returns the rows of a statement.
    fn query(&mut self, sql: &str, params: &[Value]) -> impl Future<Output = Result<Vec<Row>, Error>> + Send;
    /// Returns the number of rows that a statement changed.
    fn execute(&mut self, sql: &str, params: &[Value]) -> impl Future<Output = Result<u64, Error>> + Send;
    /// Runs several statements in this order and returns the rows of each; one round trip on PostgreSQL.
    fn query_all(&mut self, steps: &[SqlStep<'_>]) -> impl Future<Output = Result<Vec<Vec<Row>>, Error>> + Send;
    /// Runs one query for each set of parameters. Not for statements that change data.
    fn query_each(
        &mut self,
        sql: &str,
        params: Vec<Params>,
    ) -> impl Future<Output = Result<Vec<Vec<Row>>, Error>> + Send;
    /// Runs several statements without parameters (migrations).
    fn script(&mut self, sql: &str) -> impl Future<Output = Result<(), Error>> + Send;
}

/// A statement with its parameters.
pub(crate) struct SqlStep<'s> {
    pub(crate) sql: &'s str,
    pub(crate) params: Params,
    pub(crate) batch_mode: BatchMode,
}

impl<'s> SqlStep<'s> {
    /// A statement that is never batched.
    pub(crate) fn new(sql: &'s str, params: Params) -> SqlStep<'s> {
        SqlStep { sql, params, batch_mode: BatchMode::Never }
    }

    /// A statement that touches or reads only rows that no other operation's parameters name.
    pub(crate) fn per_row(sql: &'s str, params: Params) -> SqlStep<'s> {
        SqlStep { sql, params, batch_mode: BatchMode::PerRow }
    }

    /// A statement whose result is equal for all operations with the same parameters in one transaction.
    pub(crate) fn identical(sql: &'s str, params: Params) -> SqlStep<'s> {
        SqlStep { sql, params, batch_mode: BatchMode::Identical }
    }

    /// A statement that shares rows with other operations; `many` is the text that does its work for all of them.
    pub(crate) fn with_batch_sql(sql: &'s str, params: Params, many: &'static str) -> SqlStep<'s> {
        SqlStep { sql, params, batch_mode: BatchMode::BatchSql(many) }
    }

    /// A statement that the batch text of the shared one before it does too. Both are passed to one `query_all`.
    pub(crate) fn covered(sql: &'s str, params: Params) -> SqlStep<'s> {
        SqlStep { sql, params, batch_mode: BatchMode::Covered }
    }
}

/// Handling of a statement that several operations send in one transaction of PostgreSQL (`postgres::batch`).
/// SQLite, where a statement is a call and not a message, runs each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchMode {
    /// Each is run.
    Never,
    /// A single statement is run, rewritten over the rows of all parameters.
    PerRow,
    /// A single statement is run for each distinct set of parameters.
    Identical,
    /// This text is run over the rows of all parameters.
    BatchSql(&'static str),
    /// None is run: the batch text before it has done its work.
    Covered,
}

/// Runs one statement, batched with those of other operations where possible.
pub(crate) async fn query_step<T: Tx>(tx: &mut T, step: SqlStep<'_>) -> Result<Vec<Row>, Error> {
    Ok(tx.query_all(&[step]).await?.pop().unwrap_or_default())
}

/// Makes a step for each set of parameters.
pub(crate) fn steps_for_each(sql: &str, params: Vec<Params>) -> Vec<SqlStep<'_>> {
    params.into_iter().map(|params| SqlStep::new(sql, params)).collect()
}

/// The work of one transaction. It may run more than once (PostgreSQL: after a deadlock), so it takes `&self`.
pub(crate) trait StoreOperation: Send + Sync + 'static {
    /// Result for the caller after the commit.
    type Output: Send + 'static;
    /// Priority in the queue of waiting operations.
    const LANE: Lane = Lane::Ordinary;
    /// `true` if the commit waits for the disk. `false` is for steps that are worth nothing without a later durable
    /// one: the log is written in order, so the later commit makes them durable too, and if the machine stops before
    /// it, nothing has acted on them.
    const DURABLE: bool = true;
    /// `true` for a read of a few rows by their keys, where handing it to another thread or connection would cost more
    /// than the read.
    const IS_SMALL: bool = false;
    /// Its lock order among operations that share a transaction of PostgreSQL; `None` when it must have its own. An
    /// operation with an order writes rows of its own job; it changes shared rows only by single statements that are
    /// correct whatever runs between them, and takes shared locks in this order.
    fn lock_order(&self) -> Option<String> {
        None
    }
    /// Returns [`Self::LANE`].
    fn lane(&self) -> Lane {
        Self::LANE
    }
    /// Returns [`Self::DURABLE`].
    fn is_durable(&self) -> bool {
        Self::DURABLE
    }
    /// Returns [`Self::IS_SMALL`].
    fn is_small(&self) -> bool {
        Self::IS_SMALL
    }
    fn run<T: Tx>(&self, tx: &mut T) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// Priority of waiting operations: steps of begun work go before new work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Claims and the steps of claimed jobs.
    Urgent,
    /// All other operations, above all new jobs.
    Ordinary,
}

/// Returns the output of a future that is ready at its first poll; `None` otherwise.
pub(crate) fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
