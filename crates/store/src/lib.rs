//! Keeps everything that must survive: SQLite (embedded) and PostgreSQL (many machines), SQL written once.
//!
//! Every method is one transaction. Must not know: XML, authorities, HTTP; it decides nothing.

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
pub mod os;
pub mod quotas;
pub mod received;
pub mod sessions;
pub mod users;
pub mod vault;
pub mod webhooks;

mod conditions;
mod dialect;
mod erased;
mod gathering;
mod location;
#[cfg(feature = "simulated")]
mod memory;
mod migrate;
mod postgres;
mod probe;
mod row;
mod sight;
mod sqlite;
mod tx;
mod wake;

pub use location::{InvalidLocation, Location};
#[cfg(feature = "simulated")]
pub use memory::{CommitPoint, MemoryDatabase, ProcessGate};
pub use sight::{Sight, shows};

use erased::{Erasable, Erased, Soon};
use postgres::Postgres;
use sqlite::Sqlite;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tx::Operation;
use vault::Vault;
use wake::Wake;

/// The store. Cheap to clone; all methods take `&self`.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    database: Database,
    vault: Vault,
    wake: Arc<Wake>,
    /// Signals deliveries as `wake` signals jobs.
    deliveries: Wake,
    event_body: OnceLock<webhooks::EventBody>,
    code_key: OnceLock<installation::CodeKey>,
}

enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
    #[cfg(feature = "simulated")]
    Memory(memory::MemoryClient),
}

/// What a caller can act on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such row, or another tenant's.
    #[error("não encontrado")]
    NotFound,
    /// A uniqueness rule or a guard (exists already, state moved on) refused it.
    #[error("conflito: {0}")]
    Conflict(&'static str),
    /// The claim is not ours any more: another process has the work, or it has ended.
    #[error("arrendamento perdido")]
    LeaseLost,
    /// Another document of the series has the number that was asked for.
    #[error("o número {numero} já foi utilizado nesta série")]
    NumberTaken {
        /// It.
        numero: u64,
    },
    /// A series has no number left.
    #[error("a série esgotou seus números")]
    SeriesExhausted,
    /// A copy of the database was put back, and the authority was not asked yet which numbers of the series it has.
    #[error("a série aguarda a autoridade dizer até onde foi usada")]
    SeriesUncleared,
    /// A company that issues in production is changed by a credential of production only.
    #[error("a empresa está em produção")]
    ProductionOnly,
    /// What is stored contradicts itself: a mistake of ours, or the work of another hand. The same happens at every
    /// try.
    #[error("dados inconsistentes: {0}")]
    Corrupt(&'static str),
    /// A quota is used up; nothing was registered.
    #[error("cota excedida")]
    QuotaExceeded(quotas::Exceeded),
    /// A service has the database open; nothing was done.
    #[error("um serviço está no ar com este banco")]
    InUse,
    /// The account has as many of them as it may; nothing was registered.
    #[error("a conta já tem o máximo, {most}")]
    AccountFull {
        /// The bound.
        most: u32,
    },
    /// A document has as many events of this kind as it may; nothing was registered.
    #[error("a nota já tem o máximo de eventos deste tipo")]
    EventsExhausted,
    /// Another job does the same kind of thing to the document now; nothing was registered.
    #[error("o job {job} já está fazendo isto com a nota")]
    UnderWay {
        /// It.
        job: uuid::Uuid,
        /// Its document type.
        tipo: fiscal::tipo::Tipo,
    },
    /// The reference is that of a job which does something else; nothing was registered.
    #[error("a referência é do job {job}, de outra operação")]
    ReferenceTaken {
        /// It.
        job: uuid::Uuid,
        /// Its document type.
        tipo: fiscal::tipo::Tipo,
        /// What it does.
        operacao: jobs::Operacao,
    },
    /// A number of a range to be voided is not free; nothing was registered.
    #[error("o número {numero} não está livre")]
    NumberHeld {
        /// The lowest of them.
        numero: u64,
        /// What it is.
        state: numbers::NumberState,
    },
    /// The database cannot be reached or failed; try later.
    #[error("banco de dados indisponível: {0}")]
    Unavailable(String),
    /// A stored secret cannot be opened with this master key.
    #[error("segredo ilegível: a chave mestra é outra?")]
    Sealed,
}

impl Store {
    /// Opens, migrates, and is ready.
    pub async fn open(location: &Location, master_key: vault::MasterKey) -> Result<Store, Error> {
        let wake = Arc::new(Wake::default());
        let database = match location {
            Location::Sqlite(path) => Database::Sqlite(Sqlite::open(path).await?),
            Location::Postgres(url) => Database::Postgres(Postgres::open(url, Arc::clone(&wake)).await?),
        };
        let (vault, deliveries, event_body) = (Vault::new(master_key), Wake::default(), OnceLock::new());
        let code_key = OnceLock::new();
        let store = Store { shared: Arc::new(Shared { database, vault, wake, deliveries, event_body, code_key }) };
        store.prove_master_key().await?;
        store.identify().await?;
        Ok(store)
    }

    /// One cheap round trip, for `/status`.
    pub async fn ping(&self) -> Result<(), Error> {
        self.read(Ping).await
    }

    /// `sqlite` or `postgres`.
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
        self.shared.wake.wait(at_most).await;
    }

    /// Flushes and closes; later calls answer `Unavailable`.
    pub async fn close(&self) {
        match &self.shared.database {
            Database::Sqlite(database) => database.close().await,
            Database::Postgres(database) => database.close(),
            #[cfg(feature = "simulated")]
            Database::Memory(_) => {}
        }
    }

    /// One transaction that changes something; returns after its commit.
    async fn write<O: Erasable>(&self, operation: O) -> Result<O::Output, Error> {
        Erased::output::<O>(self.write_erased(operation.erased()).await?)
    }

    /// An operation of one statement that only reads.
    async fn read<O: Erasable>(&self, operation: O) -> Result<O::Output, Error> {
        Erased::output::<O>(self.read_erased(operation.erased()).await?)
    }

    /// No `async fn`: what it waits for is compiled here, once, and not wherever somebody waits for it.
    fn write_erased(&self, operation: Erased) -> Soon<'_, erased::Output> {
        match &self.shared.database {
            Database::Sqlite(database) => Box::pin(database.write(operation)),
            Database::Postgres(database) => Box::pin(database.write(operation)),
            #[cfg(feature = "simulated")]
            Database::Memory(database) => Box::pin(database.write(operation)),
        }
    }

    fn read_erased(&self, operation: Erased) -> Soon<'_, erased::Output> {
        match &self.shared.database {
            Database::Sqlite(database) => Box::pin(database.read(operation)),
            Database::Postgres(database) => Box::pin(database.read(operation)),
            #[cfg(feature = "simulated")]
            Database::Memory(database) => Box::pin(database.read(operation)),
        }
    }

    /// Jobs were committed that somebody may take.
    fn announce_work(&self) {
        self.shared.wake.signal();
        if let Database::Postgres(database) = &self.shared.database {
            database.announce_work();
        }
    }
}

struct Ping;

impl Operation for Ping {
    type Output = ();

    async fn run<T: tx::Tx>(&self, tx: &mut T) -> Result<(), Error> {
        // a table of ours, so that a database that lost its schema is not "up"
        tx.query("SELECT MAX(version) FROM migrations", &[]).await.map(drop)
    }
}

crate::erased::erasable!(Ping);
