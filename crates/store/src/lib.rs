//! Durable storage: SQLite (embedded) and PostgreSQL (several machines), SQL written once.
//!
//! Every method is one transaction.
//! Must not know: XML, authorities, HTTP. It makes no decisions.

pub mod accounts;
pub mod audit;
pub mod authorities;
pub mod clock;
pub mod companies;
pub mod confirmations;
pub mod events;
pub mod installation;
pub mod jobs;
pub mod load;
pub mod logins;
pub mod lookups;
pub mod notes;
pub mod numbers;
pub mod os_errors;
pub mod quotas;
pub mod received;
pub mod sessions;
pub mod users;
pub mod vault;
pub mod webhooks;

mod commit_window;
mod conditions;
mod dialect;
mod dyn_operation;
mod location;
#[cfg(feature = "simulated")]
mod memory;
mod migrate;
mod postgres;
mod probe;
mod row;
mod sqlite;
mod tx;
mod visibility;
mod work_signal;

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
}

enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
    #[cfg(feature = "simulated")]
    Memory(memory::MemoryClient),
}

/// Errors that a caller can act on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such row, or a row of another tenant.
    #[error("não encontrado")]
    NotFound,
    /// Refused by a uniqueness rule or a guard: the row exists already or its state has changed.
    #[error("conflito: {0}")]
    Conflict(&'static str),
    /// The lease is lost: another process has the work, or it has ended.
    #[error("arrendamento perdido")]
    LeaseLost,
    /// Another document of the series has the requested number.
    #[error("o número {numero} já foi utilizado nesta série")]
    NumberTaken {
        /// The requested number.
        numero: u64,
    },
    /// The series has no number left.
    #[error("a série esgotou seus números")]
    SeriesExhausted,
    /// A copy of the database was restored, and the authority has not yet been asked which numbers of the series it
    /// has.
    #[error("a série aguarda a autoridade dizer até onde foi usada")]
    SeriesUncleared,
    /// A company that issues in production is changed only by a production credential.
    #[error("a empresa está em produção")]
    ProductionOnly,
    /// The stored data contradict each other: a bug, or a change from outside the service. A retry fails likewise.
    #[error("dados inconsistentes: {0}")]
    Corrupt(&'static str),
    /// A quota is used up; nothing was registered.
    #[error("cota excedida")]
    QuotaExceeded(quotas::QuotaUsedUp),
    /// A service has the database open; nothing was done.
    #[error("um serviço está no ar com este banco")]
    InUse,
    /// The account has reached a bound; nothing was registered.
    #[error("a conta já tem o máximo, {most}")]
    AccountFull {
        /// The bound.
        most: u32,
    },
    /// The document has the most events of this kind that it may have; nothing was registered.
    #[error("a nota já tem o máximo de eventos deste tipo")]
    EventsExhausted,
    /// Another unfinished job performs this kind of act on the document; nothing was registered.
    #[error("o job {job} já está fazendo isto com a nota")]
    UnderWay {
        /// The other job.
        job: uuid::Uuid,
        /// Its document type.
        tipo: fiscal::tipo::Tipo,
    },
    /// The reference belongs to a job of another operation; nothing was registered.
    #[error("a referência é do job {job}, de outra operação")]
    ReferenceTaken {
        /// The job of the reference.
        job: uuid::Uuid,
        /// Its document type.
        tipo: fiscal::tipo::Tipo,
        /// Its operation.
        operacao: jobs::Operacao,
    },
    /// A number of a range to be voided is not free; nothing was registered.
    #[error("o número {numero} não está livre")]
    NumberHeld {
        /// The lowest such number.
        numero: u64,
        /// Its state.
        state: numbers::NumberState,
    },
    /// The database cannot be reached or failed; a later call may succeed.
    #[error("banco de dados indisponível: {0}")]
    Unavailable(String),
    /// A stored secret cannot be opened with this master key.
    #[error("segredo ilegível: a chave mestra é outra?")]
    Sealed,
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
