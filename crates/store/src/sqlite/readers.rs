//! Reading beside the writer: a few read-only connections on blocking threads, each operation on one snapshot.

use super::closed;
use super::transaction::{self, SqliteTx};
use crate::Error;
use crate::load::Load;
use crate::tx::{Operation, at_once};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// Connections reading at once.
const READERS: usize = 4;

/// The pool.
pub(crate) struct Readers {
    path: Arc<Path>,
    idle: Arc<Mutex<Vec<Connection>>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub(crate) fn new(path: PathBuf) -> Readers {
        Readers { path: path.into(), idle: Arc::default(), places: Arc::new(Semaphore::new(READERS)) }
    }

    pub(crate) async fn read<O: Operation>(&self, operation: O) -> Result<O::Output, Error> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| closed())?;
        let (path, idle) = (Arc::clone(&self.path), Arc::clone(&self.idle));
        let reading = tokio::task::spawn_blocking(move || {
            let kept = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut connection = kept.map_or_else(|| connect(&path), Ok)?;
            let output = snapshot(&mut connection, &operation);
            if connection.is_autocommit() {
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            }
            drop(place);
            output
        });
        reading.await.map_err(|_| closed())?
    }

    /// Who waits for a place is not counted: the semaphore does not tell.
    pub(crate) fn load(&self) -> Load {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
        let in_use = READERS.saturating_sub(self.places.available_permits()) as u64;
        Load { in_use, idle, ..Load::default() }
    }

    pub(crate) fn close(&self) {
        self.places.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn connect(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(transaction::error)?;
    super::prepare(&connection)?;
    Ok(connection)
}

fn snapshot<O: Operation>(connection: &mut Connection, operation: &O) -> Result<O::Output, Error> {
    let mut tx = SqliteTx::new(connection);
    tx.control("BEGIN")?;
    let output = at_once(operation.run(&mut tx)).unwrap_or_else(|| Err(closed()));
    tx.control("ROLLBACK")?;
    output
}
