//! Reads beside the writer: a few read-only connections, each operation on one snapshot. Small operations are read on
//! the calling thread, others on blocking threads.

use super::transaction::{self, SqliteTx};
use super::{BUSY, closed};
use crate::Error;
use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::load::StoreLoad;
use crate::tx::poll_once;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Concurrent reading connections.
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

    pub(crate) async fn read(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        if operation.is_small()
            && let Some(output) = self.read_inline(&operation)
        {
            return output;
        }
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| closed())?;
        let (path, idle) = (Arc::clone(&self.path), Arc::clone(&self.idle));
        let reading = tokio::task::spawn_blocking(move || {
            let kept = lock(&idle).pop();
            let mut connection = kept.map_or_else(|| connect(&path), Ok)?;
            let output = snapshot(&mut connection, &operation);
            if connection.is_autocommit() {
                lock(&idle).push(connection);
            }
            drop(place);
            output
        });
        reading.await.map_err(|_| closed())?
    }

    /// Reads on this thread. `None` when it would have to wait for a connection or another process, which a thread that
    /// answers requests must not do.
    fn read_inline(&self, operation: &DynOperation) -> Option<Result<AnyOutput, Error>> {
        let _place = self.places.try_acquire().ok()?;
        let mut connection = lock(&self.idle).pop()?;
        connection.busy_timeout(Duration::ZERO).ok()?;
        let output = snapshot(&mut connection, operation);
        connection.busy_timeout(BUSY).ok()?;
        if connection.is_autocommit() {
            lock(&self.idle).push(connection);
        }
        Some(output).filter(|output| !matches!(output, Err(Error::Unavailable(_))))
    }

    /// Waiting callers are not counted: the semaphore does not report them.
    pub(crate) fn load(&self) -> StoreLoad {
        let idle = lock(&self.idle).len() as u64;
        let in_use = READERS.saturating_sub(self.places.available_permits()) as u64;
        StoreLoad { in_use, idle, ..StoreLoad::default() }
    }

    pub(crate) fn close(&self) {
        self.places.close();
        lock(&self.idle).clear();
    }
}

fn lock(idle: &Mutex<Vec<Connection>>) -> MutexGuard<'_, Vec<Connection>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(transaction::error)?;
    super::prepare(&connection)?;
    Ok(connection)
}

fn snapshot(connection: &mut Connection, operation: &DynOperation) -> Result<AnyOutput, Error> {
    let mut tx = SqliteTx::new(connection);
    tx.control("BEGIN")?;
    let output = poll_once(operation.run(&mut tx)).unwrap_or_else(|| Err(closed()));
    tx.control("ROLLBACK")?;
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tx::{StoreOperation, Tx};
    use std::thread::ThreadId;

    /// Returns the thread it was read on.
    struct Where<const SMALL: bool>;

    impl<const SMALL: bool> StoreOperation for Where<SMALL> {
        type Output = ThreadId;
        const IS_SMALL: bool = SMALL;

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<ThreadId, Error> {
            tx.query("SELECT COUNT(*) FROM t", &[]).await?;
            Ok(std::thread::current().id())
        }
    }

    /// Finds the database locked by another process on one thread.
    struct LockedOn(ThreadId);

    impl StoreOperation for LockedOn {
        type Output = ThreadId;
        const IS_SMALL: bool = true;

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<ThreadId, Error> {
            let here = Where::<true>.run(tx).await?;
            if here == self.0 { Err(Error::Unavailable("locked".to_owned())) } else { Ok(here) }
        }
    }

    /// Returns the thread on which an operation was read.
    async fn thread_of<O: StoreOperation<Output = ThreadId>>(readers: &Readers, operation: O) -> ThreadId {
        readers.read(DynOperation::new(operation)).await.and_then(DynOperation::output::<O>).unwrap()
    }

    #[tokio::test]
    async fn what_is_small_is_read_here_unless_it_would_have_to_wait() {
        let path = std::env::temp_dir().join(format!("carimbo-readers-{}.db", uuid::Uuid::now_v7()));
        let other = Connection::open(&path).unwrap();
        other.execute_batch("PRAGMA journal_mode=WAL; CREATE TABLE t (id INTEGER PRIMARY KEY)").unwrap();
        let (readers, here) = (Readers::new(path.clone()), std::thread::current().id());
        assert_ne!(thread_of(&readers, Where::<true>).await, here, "opening a file is no small thing");
        assert_eq!(thread_of(&readers, Where::<true>).await, here);
        assert_ne!(thread_of(&readers, Where::<false>).await, here);
        assert_ne!(thread_of(&readers, LockedOn(here)).await, here);
        let all = Arc::clone(&readers.places).acquire_many_owned(READERS as u32).await.unwrap();
        let (read, ()) = tokio::join!(thread_of(&readers, Where::<true>), async { drop(all) });
        assert_ne!(read, here, "every connection was in use");
        assert_eq!(thread_of(&readers, Where::<true>).await, here);
        drop(other);
        std::fs::remove_file(path).unwrap();
    }
}
