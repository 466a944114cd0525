//! A second transaction that holds rows until it is released, so that rare interleavings occur for certain.

use crate::world::World;
use store::Location;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

/// An open transaction on PostgreSQL.
pub(crate) struct Hand {
    holds: Client,
    watches: Client,
}

impl Hand {
    /// Begins a transaction with these statements.
    pub(crate) async fn of(world: &World, sql: &str) -> Hand {
        let hand = Hand { holds: connected(world).await, watches: connected(world).await };
        hand.holds.batch_execute(&format!("BEGIN; {sql}")).await.unwrap();
        hand
    }

    /// Waits until so many backends wait for locks, or until the task has ended without waiting.
    pub(crate) async fn until_waiting<T>(&self, others: i64, one: &JoinHandle<T>) {
        let sql = "SELECT COUNT(DISTINCT l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
                   WHERE NOT l.granted AND a.datname = current_database()";
        let looking = async {
            while !one.is_finished() && self.watches.query_one(sql, &[]).await.unwrap().get::<_, i64>(0) < others {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(60), looking).await.expect("nobody waits");
    }

    /// Commits.
    pub(crate) async fn lets_go(self) {
        self.holds.batch_execute("COMMIT").await.unwrap();
    }

    /// Rolls back.
    pub(crate) async fn takes_back(self) {
        self.holds.batch_execute("ROLLBACK").await.unwrap();
    }
}

async fn connected(world: &World) -> Client {
    let Location::Postgres(url) = world.place.location() else { panic!("SQLite has one writer: nothing meets") };
    let (client, driver) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(driver);
    client
}
