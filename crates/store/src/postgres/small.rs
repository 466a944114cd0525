//! One connection for all that read a few rows by their keys: what many ask at the same moment is sent and answered together.

use super::transaction::PostgresTx;
use crate::Error;
use crate::erased::{Erased, Output};
use deadpool_postgres::{Client, Pool};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A connection that answers so late may be dead without knowing it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connection, once somebody has asked for it.
pub(crate) struct SmallReads {
    pool: Pool,
    current: Mutex<Option<Arc<Client>>>,
}

impl SmallReads {
    pub(crate) fn new(pool: Pool) -> SmallReads {
        SmallReads { pool, current: Mutex::new(None) }
    }

    /// None when the connection failed, or did not answer: who asks goes the ordinary way, and is told there what is wrong.
    pub(crate) async fn read(&self, operation: &Erased) -> Option<Result<Output, Error>> {
        let client = self.client().await?;
        let mut tx = PostgresTx::reading(&client);
        let output = tokio::time::timeout(PATIENCE, operation.run(&mut tx)).await;
        match output {
            Ok(output) if output.is_ok() || !tx.was_undone() => Some(output),
            _ => {
                self.forget();
                None
            }
        }
    }

    async fn client(&self) -> Option<Arc<Client>> {
        let current = self.current().clone();
        if let Some(client) = current.filter(|client| !client.is_closed()) {
            return Some(client);
        }
        let client = Arc::new(self.pool.get().await.ok()?);
        *self.current() = Some(Arc::clone(&client));
        Some(client)
    }

    /// The next one gets another connection.
    pub(crate) fn forget(&self) {
        *self.current() = None;
    }

    fn current(&self) -> MutexGuard<'_, Option<Arc<Client>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::tests::{on_a_new_database, read};
    use crate::row::first;
    use crate::tx::{Operation, Tx};

    /// Which connection reads.
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
            let (one, other) = (one.unwrap(), other.unwrap());
            let third = read(&database, Connection).await.unwrap();
            assert!(third == one || third == other, "{third} is neither {one} nor {other}");
            let (client, driver) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(driver);
            for pid in [one, other] {
                client.batch_execute(&format!("SELECT pg_terminate_backend({pid})")).await.unwrap();
            }
            let after = read(&database, Connection).await.unwrap();
            assert!(after != one && after != other);
            database.close();
            assert!(matches!(read(&database, Connection).await, Err(Error::Unavailable(_))));
        })
        .await;
    }
}
