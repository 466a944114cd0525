//! Small reads on one shared connection. Reads that arrive while others are under way go in the next round trip, equal
//! ones as one statement (`statements`). A lone read goes at once.

use super::Borrowed;
use super::desk::{DeskTx, Texts, served};
use super::stop::Stop;
use crate::Error;
use crate::erased::{Erased, Output};
use deadpool_postgres::{Client, Pool};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Longest wait for an answer; a connection beyond it may be dead without notice.
const PATIENCE: Duration = Duration::from_secs(5);
/// Most reads in one round trip.
const MOST: usize = 64;

/// The shared connection and its queue.
pub(crate) struct SmallReads {
    desk: Arc<Reading>,
}

struct Reading {
    pool: Pool,
    texts: Texts,
    waiting: Stop<Reader>,
}

/// A read with its caller.
struct Reader {
    operation: Erased,
    caller: oneshot::Sender<Option<Result<Output, Error>>>,
}

impl SmallReads {
    /// `pool` has one connection.
    pub(crate) fn new(pool: Pool) -> SmallReads {
        SmallReads { desk: Arc::new(Reading { pool, texts: Texts::default(), waiting: Stop::default() }) }
    }

    /// Returns `None` when the connection failed or did not answer; the ordinary read then reports the cause.
    pub(crate) async fn read(&self, operation: Erased) -> Option<Result<Output, Error>> {
        let (caller, answer) = oneshot::channel();
        if self.desk.waiting.board(Reader { operation, caller }).drives {
            tokio::spawn(carry(Arc::clone(&self.desk)));
        }
        // Dropped without an answer: a read of the batch panicked.
        answer.await.ok().flatten()
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.desk.pool
    }

    #[cfg(test)]
    pub(crate) fn texts(&self) -> &Texts {
        &self.desk.texts
    }

    pub(crate) fn close(&self) {
        self.desk.pool.close();
    }
}

/// Runs batch after batch until the queue is empty.
async fn carry(reading: Arc<Reading>) {
    let mut driver = reading.waiting.driver();
    while let Some(readers) = driver.next(MOST) {
        let (operations, callers): (Vec<_>, Vec<_>) =
            readers.into_iter().map(|reader| (reader.operation, reader.caller)).unzip();
        let outputs = match reading.pool.get().await {
            Ok(client) => read_all(&reading.texts, client, &operations).await,
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
async fn read_all(texts: &Texts, client: Client, operations: &[Erased]) -> Vec<Option<Result<Output, Error>>> {
    let mut borrowed = Borrowed(Some(client));
    let Some(client) = borrowed.0.as_ref() else { return Vec::new() };
    let desk = texts.desk(operations.len());
    let desk = desk.as_ref();
    let read = |operation| async move {
        let mut tx = DeskTx::new(client, desk);
        let output = Erased::run(operation, &mut tx).await;
        let failed_with_others = tx.alone().was_dragged() || tx.alone().was_undone();
        (output.is_ok() || !failed_with_others).then_some(output)
    };
    let all = join_all(operations.iter().map(read));
    match tokio::time::timeout(PATIENCE, served(desk, client, all)).await {
        Ok(outputs) => {
            borrowed.give_back();
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
    use crate::tx::{Operation, Tx};

    /// Identifies the connection that reads.
    struct Connection;

    impl Operation for Connection {
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
