//! Durable storage: SQLite (embedded) and PostgreSQL (several machines), SQL written once.
//!
//! Every method is one transaction.
//! Must not know: XML, authorities, HTTP. It makes no decisions.

pub mod accounts;
pub mod alert_records;
pub mod alerts;
pub mod audit;
pub mod authorities;
pub mod clock;
pub mod companies;
pub mod confirmations;
pub mod emissions;
pub mod events;
pub mod exports;
pub mod identities;
pub mod installation;
pub mod invitations;
pub mod jobs;
pub mod load;
pub mod logins;
pub mod lookups;
pub mod mail;
pub mod notes;
pub mod numbers;
pub mod os_errors;
pub mod quotas;
pub mod received;
pub mod roles;
pub mod second_factor;
pub mod session_list;
pub mod sessions;
pub mod users;
pub mod vault;
pub mod webhooks;

mod commit_window;
mod conditions;
mod dialect;
mod dyn_operation;
mod error;
mod location;
#[cfg(feature = "simulated")]
mod memory;
mod migrate;
mod permissao;
mod postgres;
mod probe;
mod row;
mod sqlite;
mod tx;
mod visibility;
mod words;
mod work_signal;

pub use error::Error;
pub use location::{InvalidLocation, Location};
#[cfg(feature = "simulated")]
pub use memory::{CommitPoint, MemoryDatabase, ProcessGate};
pub use visibility::{Visibility, may_see};

use dyn_operation::{DynOperation, IntoDynOperation, ResultFuture};
use postgres::Postgres;
use sqlite::Sqlite;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tx::StoreOperation;
use vault::Vault;
use work_signal::WorkSignal;

/// The store. Cheap to clone; all methods take `&self`.
#[derive(Clone)]
pub struct Store {
    shared: Arc<StoreState>,
}

struct StoreState {
    database: Database,
    vault: Vault,
    work_signal: Arc<WorkSignal>,
    /// Signals deliveries as `work_signal` signals jobs.
    delivery_signal: WorkSignal,
    event_body: OnceLock<webhooks::EventBody>,
    code_key: OnceLock<installation::CodeKey>,
    recent_addressees: emissions::addressees::RecentAddressees,
}

enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
    #[cfg(feature = "simulated")]
    Memory(memory::MemoryClient),
}

impl Store {
    /// Opens the database, migrates it and checks the master key.
    pub async fn open(location: &Location, master_key: vault::MasterKey) -> Result<Store, Error> {
        let wake = Arc::new(WorkSignal::default());
        let database = match location {
            Location::Sqlite(path) => Database::Sqlite(Sqlite::open(path).await?),
            Location::Postgres(url) => Database::Postgres(Postgres::open(url, Arc::clone(&wake)).await?),
        };
        let (vault, deliveries, event_body) = (Vault::new(master_key), WorkSignal::default(), OnceLock::new());
        let code_key = OnceLock::new();
        let store = Store {
            shared: Arc::new(StoreState {
                database,
                vault,
                work_signal: wake,
                delivery_signal: deliveries,
                event_body,
                code_key,
                recent_addressees: emissions::addressees::RecentAddressees::default(),
            }),
        };
        store.prove_master_key().await?;
        store.identify().await?;
        Ok(store)
    }

    /// A cheap round trip, for `/status`.
    pub async fn ping(&self) -> Result<(), Error> {
        self.read(PingDatabase).await
    }

    /// Returns `sqlite` or `postgres`.
    pub fn kind(&self) -> &'static str {
        match self.shared.database {
            Database::Sqlite(_) => "sqlite",
            Database::Postgres(_) => "postgres",
            #[cfg(feature = "simulated")]
            Database::Memory(_) => "sqlite",
        }
    }

    /// Waits until work may be ready (LISTEN/NOTIFY or an in-process signal) or the time has passed.
    pub async fn wait_for_work(&self, at_most: Duration) {
        self.shared.work_signal.wait(at_most).await;
    }

    /// Flushes and closes; later calls return `Unavailable`.
    pub async fn close(&self) {
        match &self.shared.database {
            Database::Sqlite(database) => database.close().await,
            Database::Postgres(database) => database.close(),
            #[cfg(feature = "simulated")]
            Database::Memory(_) => {}
        }
    }

    /// Runs a transaction that changes data; returns after its commit.
    async fn write<O: IntoDynOperation>(&self, operation: O) -> Result<O::Output, Error> {
        DynOperation::output::<O>(self.write_erased(operation.into_dyn()).await?)
    }

    /// Runs an operation that only reads. On PostgreSQL its statements share no snapshot.
    async fn read<O: IntoDynOperation>(&self, operation: O) -> Result<O::Output, Error> {
        DynOperation::output::<O>(self.read_erased(operation.into_dyn()).await?)
    }

    /// Not an `async fn`: the awaited code is compiled once, here, and not at every caller.
    fn write_erased(&self, operation: DynOperation) -> ResultFuture<'_, dyn_operation::AnyOutput> {
        match &self.shared.database {
            Database::Sqlite(database) => Box::pin(database.write(operation)),
            Database::Postgres(database) => Box::pin(database.write(operation)),
            #[cfg(feature = "simulated")]
            Database::Memory(database) => Box::pin(database.write(operation)),
        }
    }

    fn read_erased(&self, operation: DynOperation) -> ResultFuture<'_, dyn_operation::AnyOutput> {
        match &self.shared.database {
            Database::Sqlite(database) => Box::pin(database.read(operation)),
            Database::Postgres(database) => Box::pin(database.read(operation)),
            #[cfg(feature = "simulated")]
            Database::Memory(database) => Box::pin(database.read(operation)),
        }
    }

    /// Signals that new jobs were committed.
    fn announce_work(&self) {
        self.shared.work_signal.signal();
        if let Database::Postgres(database) = &self.shared.database {
            database.announce_work();
        }
    }
}

struct PingDatabase;

impl StoreOperation for PingDatabase {
    type Output = ();

    async fn run<T: tx::Tx>(&self, tx: &mut T) -> Result<(), Error> {
        // A table of ours, so that a database that lost its schema is not reported as up.
        tx.query("SELECT MAX(version) FROM migrations", &[]).await.map(drop)
    }
}

crate::dyn_operation::erasable!(PingDatabase);
