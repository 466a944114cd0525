//! The transaction interface of one operation in a batch.

use super::statements::StatementBatcher;
use crate::Error;
use crate::dialect::SqlDialect;
use crate::postgres::transaction::PostgresTx;
use crate::row::{Params, Row, Value};
use crate::tx::{BatchMode, SqlStep, Tx};
use deadpool_postgres::Client;
use std::future::Future;

/// Runs operations with a batcher or without one.
pub(crate) async fn run_batched<R>(
    batcher: Option<&StatementBatcher<'_>>,
    client: &Client,
    operations: impl Future<Output = R>,
) -> R {
    match batcher {
        Some(batcher) => batcher.serve(client, operations).await,
        None => operations.await,
    }
}

/// Transaction interface of one operation in a batch.
pub(crate) struct BatchedTx<'c> {
    /// For statements that are not batched.
    own_tx: PostgresTx<'c>,
    /// `None`: every statement is sent by itself.
    batcher: Option<&'c StatementBatcher<'c>>,
}

impl<'c> BatchedTx<'c> {
    pub(crate) fn new(client: &'c Client, batcher: Option<&'c StatementBatcher<'c>>) -> BatchedTx<'c> {
        BatchedTx { own_tx: PostgresTx::within(client), batcher }
    }

    /// The operation's own transaction, which records failures.
    pub(crate) fn own_tx(&self) -> &PostgresTx<'c> {
        &self.own_tx
    }
}

impl Tx for BatchedTx<'_> {
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Postgres
    }

    async fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Error> {
        self.own_tx.query(sql, params).await
    }

    async fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Error> {
        self.own_tx.execute(sql, params).await
    }

    async fn query_all(&mut self, steps: &[SqlStep<'_>]) -> Result<Vec<Vec<Row>>, Error> {
        let batcher = self.batcher.filter(|_| steps.iter().any(|step| step.batch_mode != BatchMode::Never));
        let Some(batcher) = batcher else { return self.own_tx.query_all(steps).await };
        match batcher.submit(steps).await {
            Ok(Ok(answers)) => Ok(answers),
            Ok(Err(failure)) => Err(self.own_tx.abort_by_peer(failure.retryable)),
            Err(_) => Err(self.own_tx.abort_by_peer(false)),
        }
    }

    async fn query_each(&mut self, sql: &str, params: Vec<Params>) -> Result<Vec<Vec<Row>>, Error> {
        self.own_tx.query_each(sql, params).await
    }

    async fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.own_tx.script(sql).await
    }
}
