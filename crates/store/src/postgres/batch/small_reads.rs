//! Small reads on one shared connection. Reads that arrive while others are under way go in the next round trip, equal
//! ones as one statement (`statements`). A lone read goes at once.

use super::leader_queue::LeaderQueue;
use super::sql_cache::BatchSqlCache;
use super::statements::StatementBatcher;
use super::transaction::{BatchedTx, run_batched};
use crate::Error;
use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::postgres::TransactionConnection;
use deadpool_postgres::{Client, Pool};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Longest wait for an answer; a connection beyond it may be dead without notice.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// Most reads in one round trip.
const MAX_READS: usize = 64;

/// The shared connection and its queue.
pub(crate) struct SmallReads {
    lane: Arc<SmallReadLane>,
}

struct SmallReadLane {
    pool: Pool,
    batch_sql: BatchSqlCache,
    waiting: LeaderQueue<PendingRead>,
}

/// A read with its caller.
struct PendingRead {
    operation: DynOperation,
    caller: oneshot::Sender<Option<Result<AnyOutput, Error>>>,
}

impl SmallReads {
    /// `pool` has one connection.
    pub(crate) fn new(pool: Pool) -> SmallReads {
        SmallReads {
            lane: Arc::new(SmallReadLane {
                pool,
                batch_sql: BatchSqlCache::default(),
                waiting: LeaderQueue::default(),
            }),
        }
    }

    /// Returns `None` when the connection failed or did not answer; the ordinary read then reports the cause.
    pub(crate) async fn read(&self, operation: DynOperation) -> Option<Result<AnyOutput, Error>> {
        let (caller, answer) = oneshot::channel();
        if self.lane.waiting.enqueue(PendingRead { operation, caller }).leads {
            tokio::spawn(lead_reads(Arc::clone(&self.lane)));
        }
        // Dropped without an answer: a read of the batch panicked.
        answer.await.ok().flatten()
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.lane.pool
    }

    #[cfg(test)]
    pub(crate) fn batch_sql_cache(&self) -> &BatchSqlCache {
        &self.lane.batch_sql
    }

    pub(crate) fn close(&self) {
        self.lane.pool.close();
    }
}

/// Runs batch after batch until the queue is empty.
async fn lead_reads(lane: Arc<SmallReadLane>) {
    let mut leader = lane.waiting.leader();
    while let Some(batch) = leader.next_batch(MAX_READS) {
        let (operations, callers): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|member| (member.operation, member.caller)).unzip();
        let outputs = match lane.pool.get().await {
            Ok(client) => read_all(&lane.batch_sql, client, &operations).await,
            Err(_) => Vec::new(),
        };
        let outputs = outputs.into_iter().chain(std::iter::repeat_with(|| None));
        for (caller, output) in callers.into_iter().zip(outputs) {
            // A caller that was dropped needs no answer.
            let _ = caller.send(output);
        }
    }
}

/// Reads all operations; nothing when the connection does not answer, and it is then closed.
async fn read_all(
    batch_sql: &BatchSqlCache,
    client: Client,
    operations: &[DynOperation],
) -> Vec<Option<Result<AnyOutput, Error>>> {
    let mut connection = TransactionConnection(Some(client));
    let Some(client) = connection.0.as_ref() else { return Vec::new() };
    let batcher = StatementBatcher::for_operations(batch_sql, operations.len());
    let batcher = batcher.as_ref();
    let read = |operation| async move {
        let mut tx = BatchedTx::new(client, batcher);
        let output = DynOperation::run(operation, &mut tx).await;
        let failed_with_others = tx.own_tx().is_aborted_by_peer() || tx.own_tx().was_undone();
        (output.is_ok() || !failed_with_others).then_some(output)
    };
    let all = join_all(operations.iter().map(read));
    match tokio::time::timeout(ANSWER_TIMEOUT, run_batched(batcher, client, all)).await {
        Ok(outputs) => {
            connection.return_to_pool();
            outputs
        }
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::tests::{on_a_new_database, read};
    use crate::row::first;
    use crate::tx::{StoreOperation, Tx};

    /// Identifies the connection that reads.
    struct Connection;

    impl StoreOperation for Connection {
        type Output = i64;
        const IS_SMALL: bool = true;

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
            first(tx.query("SELECT CAST(pg_backend_pid() AS BIGINT)", &[]).await?)?.ok_or(Error::NotFound)
        }
    }

    #[tokio::test]
    async fn small_reads_share_a_connection_and_get_another_when_it_ends() {
        on_a_new_database(|database, url| async move {
            let (one, other) = tokio::join!(read(&database, Connection), read(&database, Connection));
            let one = one.unwrap();
            assert_eq!(other.unwrap(), one);
            assert_eq!(read(&database, Connection).await.unwrap(), one);
            let (client, driver) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(driver);
            client.batch_execute(&format!("SELECT pg_terminate_backend({one})")).await.unwrap();
            assert_ne!(read(&database, Connection).await.unwrap(), one);
            database.close();
            assert!(matches!(read(&database, Connection).await, Err(Error::Unavailable(_))));
        })
        .await;
    }
}
