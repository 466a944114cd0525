//! SQLite in memory without a thread: an operation has ended when its future is first polled, so that time can be
//! simulated around it.
//!
//! Only with the feature `simulated`, for `crates/explore`.
//! Must not know: the meaning of the operations.

use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::load::StoreLoad;
use crate::migrate::MigrateDatabase;
use crate::sqlite::{self, SqliteTx};
use crate::tx::{StoreOperation, poll_once};
use crate::vault::{MasterKey, Vault};
use crate::work_signal::WorkSignal;
use crate::{Database, Error, Store, StoreState};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A database shared by several simulated processes. Cheap to clone.
#[derive(Clone)]
pub struct MemoryDatabase {
    connection: Arc<Mutex<Connection>>,
    commits: Arc<AtomicU64>,
}

/// A point at which a simulated process may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitPoint {
    /// Before the operation.
    Before,
    /// After a read, with its output.
    AfterRead,
    /// After the commit of a write, before its caller has the output.
    AfterCommit,
}

/// Returns `false` when a process ends at a point; the operation then never returns.
pub type ProcessGate = Arc<dyn Fn(CommitPoint) -> bool + Send + Sync>;

/// The database client of a simulated process.
pub(crate) struct MemoryClient {
    database: MemoryDatabase,
    gate: ProcessGate,
}

impl MemoryDatabase {
    /// Creates an empty database with the newest schema.
    pub fn new() -> Result<MemoryDatabase, Error> {
        let mut connection = connect()?;
        connection.execute_batch("BEGIN IMMEDIATE").map_err(sqlite::error)?;
        let mut tx = SqliteTx::new(&mut connection);
        poll_once(MigrateDatabase.run(&mut tx)).unwrap_or_else(|| Err(sqlite::closed()))?;
        connection.execute_batch("COMMIT").map_err(sqlite::error)?;
        Ok(MemoryDatabase::of(connection))
    }

    /// Loads a database from an image.
    pub fn from_image(image: &[u8]) -> Result<MemoryDatabase, Error> {
        let mut connection = connect()?;
        connection.deserialize_read_exact("main", image, image.len(), false).map_err(sqlite::error)?;
        Ok(MemoryDatabase::of(connection))
    }

    fn of(connection: Connection) -> MemoryDatabase {
        MemoryDatabase { connection: Arc::new(Mutex::new(connection)), commits: Arc::default() }
    }

    /// Replaces the content with that of an image.
    pub fn restore(&self, image: &[u8]) -> Result<(), Error> {
        self.lock().deserialize_read_exact("main", image, image.len(), false).map_err(sqlite::error)
    }

    /// Copies the whole database.
    pub fn image(&self) -> Result<Vec<u8>, Error> {
        self.lock().serialize("main").map(|data| data.to_vec()).map_err(sqlite::error)
    }

    /// Number of commits so far.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// Returns the rows of a statement as texts, for checks and traces.
    pub fn rows(&self, sql: &str) -> Result<Vec<Vec<String>>, Error> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(sql).map_err(sqlite::error)?;
        let width = statement.column_count();
        let mut found = Vec::new();
        let mut rows = statement.query([]).map_err(sqlite::error)?;
        while let Some(row) = rows.next().map_err(sqlite::error)? {
            let texts = (0..width).map(|column| row.get_ref(column).map(text)).collect::<Result<_, _>>();
            found.push(texts.map_err(sqlite::error)?);
        }
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, operation: &DynOperation, begin: &str, end: &str) -> Result<AnyOutput, Error> {
        let mut connection = self.lock();
        let mut tx = SqliteTx::new(&mut connection);
        tx.control(begin)?;
        let output = poll_once(operation.run(&mut tx)).unwrap_or_else(|| Err(sqlite::closed()));
        tx.control(if output.is_ok() { end } else { "ROLLBACK" })?;
        output
    }
}

impl Store {
    /// Opens a store for one simulated process on a shared database.
    pub async fn simulated(
        database: &MemoryDatabase,
        master_key: MasterKey,
        gate: ProcessGate,
    ) -> Result<Store, Error> {
        let client = MemoryClient { database: database.clone(), gate };
        let (vault, deliveries, event_body) = (Vault::new(master_key), WorkSignal::default(), OnceLock::new());
        let (database, code_key) = (Database::Memory(client), OnceLock::new());
        let wake = Arc::default();
        let store = Store {
            shared: Arc::new(StoreState {
                database,
                vault,
                work_signal: wake,
                delivery_signal: deliveries,
                event_body,
                code_key,
                recent_addressees: crate::emissions::addressees::RecentAddressees::default(),
            }),
        };
        store.prove_master_key().await?;
        store.identify().await?;
        Ok(store)
    }
}

impl MemoryClient {
    pub(crate) async fn write(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        self.passes_gate(CommitPoint::Before).await;
        let output = self.database.run(&operation, "BEGIN IMMEDIATE", "COMMIT");
        self.database.commits.fetch_add(1, Ordering::Relaxed);
        self.passes_gate(CommitPoint::AfterCommit).await;
        output
    }

    pub(crate) async fn read(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        self.passes_gate(CommitPoint::Before).await;
        let output = self.database.run(&operation, "BEGIN", "ROLLBACK");
        self.passes_gate(CommitPoint::AfterRead).await;
        output
    }

    pub(crate) fn load(&self) -> StoreLoad {
        StoreLoad::default()
    }

    async fn passes_gate(&self, point: CommitPoint) {
        if !(self.gate)(point) {
            std::future::pending::<()>().await;
        }
    }
}

fn connect() -> Result<Connection, Error> {
    let connection = Connection::open_in_memory().map_err(sqlite::error)?;
    sqlite::prepare(&connection)?;
    Ok(connection)
}

fn text(column: ValueRef<'_>) -> String {
    match column {
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        ValueRef::Null | ValueRef::Real(_) => String::new(),
    }
}
