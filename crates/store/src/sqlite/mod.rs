//! SQLite: one file, one writer thread that groups waiting operations into one durable commit, a few readers beside it.
//!
//! Law: sqlite.org on WAL, `synchronous=FULL`, SAVEPOINT.
//! Must not know: the meaning of the operations.

#[cfg(test)]
pub(crate) mod plans;
mod queue;
mod readers;
mod transaction;
mod writer;

use crate::Error;
use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::load::StoreLoad;
use crate::migrate::{MigrateDatabase, MigratedVersions};
use crate::os_errors;
use crate::tx::{StoreOperation, poll_once};
use readers::Readers;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub(crate) use transaction::SqliteTx;
#[cfg(feature = "simulated")]
pub(crate) use transaction::error;
use writer::SqliteWriter;

/// Longest wait of a statement for another process (an operator's command beside the service).
const BUSY: Duration = Duration::from_secs(15);
const STATEMENTS: usize = 256;

/// The embedded database.
pub(crate) struct Sqlite {
    writer: SqliteWriter,
    readers: Readers,
}

impl Sqlite {
    /// Opens or creates the file and migrates it.
    pub(crate) async fn open(path: &Path) -> Result<Sqlite, Error> {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || Sqlite::open_now(path)).await.map_err(|_| closed())?
    }

    fn open_now(path: PathBuf) -> Result<Sqlite, Error> {
        make_private(&path)?;
        let mut connection = connect(&path)?;
        migrate(&mut connection)?.log_steps();
        Ok(Sqlite { writer: SqliteWriter::start(connection)?, readers: Readers::new(path) })
    }

    /// Runs an operation in the next commit; returns after it.
    pub(crate) async fn write(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        self.writer.write(operation).await
    }

    /// Runs an operation on a snapshot.
    pub(crate) async fn read(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        self.readers.read(operation).await
    }

    /// Present state of readers and writer.
    pub(crate) fn load(&self) -> StoreLoad {
        StoreLoad { writer: Some(self.writer.load()), ..self.readers.load() }
    }

    /// Completes the waiting operations, then ends the thread, then closes the file.
    pub(crate) async fn close(&self) {
        self.readers.close();
        self.writer.close().await;
    }
}

fn connect(path: &Path) -> Result<Connection, Error> {
    let connection = Connection::open(path).map_err(transaction::error)?;
    prepare(&connection)?;
    enter_wal(&connection)?;
    connection
        .execute_batch(
            "PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=4000; PRAGMA journal_size_limit=67108864;",
        )
        .map_err(transaction::error)?;
    Ok(connection)
}

/// Settings common to the writer's and the readers' connections.
pub(crate) fn prepare(connection: &Connection) -> Result<(), Error> {
    connection.busy_timeout(BUSY).map_err(transaction::error)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A plan must not depend on the values bound to it: otherwise SQLite compiles cached statements again and again.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop).map_err(transaction::error)
}

/// Two processes that open a new file together both need the exclusive lock once; SQLite may then answer "busy" without
/// waiting, so this is retried.
fn enter_wal(connection: &Connection) -> Result<(), Error> {
    let mut tries = 0;
    loop {
        match connection.query_row("PRAGMA journal_mode=WAL", [], |row| row.get::<_, String>(0)) {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => {
                return Err(Error::Unavailable("o sistema de arquivos não permite o modo WAL do SQLite".to_owned()));
            }
            Err(failure) if tries == 100 => return Err(transaction::error(failure)),
            Err(_) => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

fn migrate(connection: &mut Connection) -> Result<MigratedVersions, Error> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(transaction::error)?;
    let mut tx = SqliteTx::new(connection);
    let migrated = poll_once(MigrateDatabase.run(&mut tx)).unwrap_or_else(|| Err(closed()));
    let end = if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" };
    connection.execute_batch(end).map_err(transaction::error)?;
    migrated
}

/// Restricts the file to its owner: fiscal data is private. SQLite gives its side files the same permissions. A
/// restored copy with wider permissions is restricted too.
fn make_private(path: &Path) -> Result<(), Error> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path);
    let file =
        file.map_err(|cause| Error::Unavailable(format!("{}: {}", path.display(), os_errors::io_error_text(&cause))))?;
    #[cfg(unix)]
    restrict_permissions(path, &file);
    Ok(())
}

/// Removes the permissions of group and others. The file of another owner keeps them, and a warning is logged.
#[cfg(unix)]
fn restrict_permissions(path: &Path, file: &std::fs::File) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(mode) = file.metadata().map(|metadata| metadata.permissions().mode()) else { return };
    if mode & 0o077 == 0 {
        return;
    }
    match file.set_permissions(std::fs::Permissions::from_mode(mode & 0o700)) {
        Ok(()) => tracing::warn!(file = %path.display(), "the database was open to others and is closed to them now"),
        Err(cause) => tracing::warn!(file = %path.display(), error.cause = %cause, "the database is open to others"),
    }
}

/// Error for calls after `close`, or after the writer ended.
pub(crate) fn closed() -> Error {
    Error::Unavailable("o armazenamento foi encerrado".to_owned())
}
