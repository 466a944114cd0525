//! PostgreSQL: any number of processes on one database, one transaction per operation, from a pool.
//!
//! Law: postgresql.org on READ COMMITTED, SKIP LOCKED, advisory locks, NOTIFY.
//! Must not know: the meaning of the operations.

mod address;
mod batch;
mod notify;
#[cfg(test)]
pub(crate) mod tests;
mod transaction;

use crate::Error;
use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::load::StoreLoad;
use crate::migrate::MigrateDatabase;
use crate::tx::Lane;
use crate::work_signal::WorkSignal;
use address::DatabaseAddress;
use batch::group_commit::{BatchOutcome, GroupCommit};
use batch::small_reads::SmallReads;
use deadpool_postgres::{
    Client, ClientWrapper, Hook, HookError, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime, Status,
};
use notify::WorkNotifier;
use std::sync::Arc;
use std::time::Duration;
use transaction::{PostgresTx, error, is_undone};

/// Connections of a process for reads and for new work. The server's `max_connections` bounds the number of processes
/// times the sum of all connections of a process.
const CONNECTIONS: usize = 8;
/// Connections for claims and for steps of claimed jobs, which must not wait for new work. There are also one per
/// commit lane and one for small reads.
const URGENT_CONNECTIONS: usize = 4;
const CONNECT: Duration = Duration::from_secs(10);
/// Settings for connections on which all access is by key. Without statistics of a new database PostgreSQL's planner
/// would scan tables that it takes for small, even after they have grown; and a new plan for each statement costs more
/// than it could save.
pub(crate) const BY_KEY: &str =
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off;
    SET plan_cache_mode = force_generic_plan; SET jit = off";
/// Most attempts of an operation that PostgreSQL rolled back on account of others (deadlock, serialization, lost
/// connection).
const MAX_ATTEMPTS: u32 = 6;

/// A PostgreSQL database, shared by several machines.
pub(crate) struct Postgres {
    pool: Pool,
    finishing: Pool,
    group_commit: GroupCommit,
    small_reads: SmallReads,
    notifier: WorkNotifier,
}

/// Failure of one attempt; `undone` if it certainly left nothing behind.
struct FailedAttempt {
    error: Error,
    undone: bool,
}

impl Postgres {
    /// Connects, migrates and starts to listen.
    pub(crate) async fn open(url: &str, wake: Arc<WorkSignal>) -> Result<Postgres, Error> {
        let address = address::parse(url)?;
        let pool = pool(&address, CONNECTIONS, &[])?;
        let finishing = self::pool(&address, URGENT_CONNECTIONS, &[BY_KEY])?;
        let together = GroupCommit::new(|settings| self::pool(&address, 1, &[&[BY_KEY], settings].concat()))?;
        let small = SmallReads::new(self::pool(&address, 1, &[BY_KEY])?);
        let bell = WorkNotifier::start(address, pool.clone(), wake);
        let database = Postgres { pool, finishing, group_commit: together, small_reads: small, notifier: bell };
        DynOperation::output::<MigrateDatabase>(database.write(DynOperation::new(MigrateDatabase)).await?)?.log_steps();
        Ok(database)
    }

    /// Runs an operation in a group commit if it may share a transaction, or else in one of its own.
    pub(crate) async fn write(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        let Some(order) = operation.lock_order() else { return self.run_alone(&operation).await };
        match self.group_commit.commit_in_batch(operation.clone(), order).await {
            BatchOutcome::Completed(output) => output,
            BatchOutcome::RunAlone => self.run_alone(&operation).await,
        }
    }

    /// Runs an operation in its own transaction; retries when PostgreSQL rolled it back.
    async fn run_alone(&self, operation: &DynOperation) -> Result<AnyOutput, Error> {
        let mut tries = 1;
        loop {
            match self.attempt(operation).await {
                Ok(output) => return Ok(output),
                Err(failed) if failed.undone && tries < MAX_ATTEMPTS => {
                    tracing::debug!(tries, cause = %failed.error, "the transaction was undone; trying again");
                    tokio::time::sleep(pause(tries)).await;
                    tries += 1;
                }
                Err(failed) => return Err(failed.error),
            }
        }
    }

    async fn attempt(&self, operation: &DynOperation) -> Result<AnyOutput, FailedAttempt> {
        let pool = if operation.lane() == Lane::Urgent { &self.finishing } else { &self.pool };
        let client = self.client(pool).await.map_err(|error| FailedAttempt { error, undone: false })?;
        let mut borrowed = TransactionConnection(Some(client));
        let client = borrowed.0.as_ref().ok_or_else(|| FailedAttempt { error: closed(), undone: false })?;
        let mut tx = PostgresTx::writing(client, begin(operation.is_durable()));
        let output = operation.run(&mut tx).await;
        let (failed, undone) = (tx.has_failed(), tx.was_undone());
        match output {
            Ok(output) if !failed => {
                commit(client).await?;
                borrowed.return_to_pool();
                Ok(output)
            }
            output => {
                if client.batch_execute("ROLLBACK").await.is_ok() {
                    borrowed.return_to_pool();
                }
                Err(FailedAttempt { error: output.err().unwrap_or_else(closed), undone })
            }
        }
    }

    /// Runs an operation whose statements need no common snapshot.
    pub(crate) async fn read(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        if operation.is_small()
            && let Some(output) = self.small_reads.read(operation.clone()).await
        {
            return output;
        }
        let mut tries = 1;
        loop {
            let client = self.client(&self.pool).await?;
            let mut tx = PostgresTx::reading(&client);
            match operation.run(&mut tx).await {
                Err(_) if tx.was_undone() && tries < MAX_ATTEMPTS => {
                    // The pool may contain more dead connections than there are attempts; their ends are noticed during
                    // the pause.
                    tokio::time::sleep(pause(tries)).await;
                    tries += 1;
                }
                output => return output,
            }
        }
    }

    /// The batch texts in use.
    #[cfg(test)]
    fn batch_sql_caches(&self) -> impl Iterator<Item = &batch::sql_cache::BatchSqlCache> {
        self.group_commit.batch_sql_caches().into_iter().chain([self.small_reads.batch_sql_cache()])
    }

    /// Notifies every process that there may be work.
    pub(crate) fn announce_work(&self) {
        self.notifier.notify();
    }

    pub(crate) fn close(&self) {
        self.notifier.stop();
        self.pool.close();
        self.finishing.close();
        self.group_commit.close();
        self.small_reads.close();
    }

    /// Present state of the pools.
    pub(crate) fn load(&self) -> StoreLoad {
        let status: Vec<Status> = self
            .group_commit
            .pools()
            .chain([&self.pool, &self.finishing, self.small_reads.pool()])
            .map(Pool::status)
            .collect();
        let sum = |of: fn(&Status) -> usize| status.iter().map(|it| of(it) as u64).sum();
        let idle = sum(|it| it.available);
        StoreLoad {
            in_use: u64::saturating_sub(sum(|it| it.size), idle),
            idle,
            waiting: sum(|it| it.waiting),
            writer: None,
        }
    }

    async fn client(&self, pool: &Pool) -> Result<Client, Error> {
        pool.get().await.map_err(|cause| match cause {
            PoolError::Backend(cause) => error(cause),
            cause => Error::Unavailable(format!("PostgreSQL: {cause}")),
        })
    }
}

/// Makes a pool whose connections begin with these settings.
fn pool(address: &DatabaseAddress, size: usize, settings: &[&str]) -> Result<Pool, Error> {
    let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(address.config.clone(), address.tls.clone(), manager_config);
    let settings = settings.join("; ");
    let set = Hook::async_fn(move |client: &mut ClientWrapper, _| {
        let settings = settings.clone();
        Box::pin(async move { client.batch_execute(&settings).await.map_err(HookError::Backend) })
    });
    Pool::builder(manager)
        .max_size(size)
        .runtime(Runtime::Tokio1)
        .create_timeout(Some(CONNECT))
        .wait_timeout(Some(CONNECT * 3))
        .post_create(set)
        .pre_recycle(Hook::async_fn(|client, metrics| Box::pin(discard_plans(client, metrics.recycle_count))))
        .build()
        .map_err(|cause| Error::Unavailable(cause.to_string()))
}

/// Discards the plans of a connection whenever its recycle count is a power of two: while two indexes are empty the
/// planner cannot see which is shorter.
async fn discard_plans(client: &ClientWrapper, taken_again: usize) -> Result<(), HookError> {
    if !taken_again.is_power_of_two() {
        return Ok(());
    }
    client.batch_execute("DISCARD PLANS").await.map_err(HookError::Backend)
}

/// Statement that begins a transaction. The commit of a non-durable one reaches the disk with the next durable one.
fn begin(is_durable: bool) -> &'static str {
    if is_durable { "BEGIN" } else { "BEGIN; SET LOCAL synchronous_commit TO OFF" }
}

/// Commits. A commit without an answer has an unknown result; only PostgreSQL's own error proves a rollback.
async fn commit(client: &Client) -> Result<(), FailedAttempt> {
    let committed = client.batch_execute("COMMIT").await;
    committed.map_err(|cause| FailedAttempt { undone: is_undone(&cause) && !cause.is_closed(), error: error(cause) })
}

/// A connection with an open transaction. If the caller is dropped meanwhile it is closed and does not return to the
/// pool.
struct TransactionConnection(Option<Client>);

impl TransactionConnection {
    fn return_to_pool(&mut self) {
        drop(self.0.take());
    }
}

impl Drop for TransactionConnection {
    fn drop(&mut self) {
        if let Some(client) = self.0.take() {
            drop(Client::take(client));
        }
    }
}

fn closed() -> Error {
    Error::Unavailable("PostgreSQL: a conexão foi encerrada".to_owned())
}

/// Pause before a retry. Grows with every attempt and is random, so that two colliding operations do not collide again.
fn pause(tries: u32) -> Duration {
    let chance = crate::vault::random::<1>().map_or(128, |[byte]| u64::from(byte));
    Duration::from_micros(u64::from(tries) * (1_000 + chance * 20))
}
