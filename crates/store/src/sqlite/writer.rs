//! The single writer: takes all waiting operations, runs them in one transaction, commits once, then answers.

use super::closed;
use super::queue::{Task, WriterQueue};
use super::transaction::{self, SqliteTx};
use crate::Error;
use crate::commit_window::CommitWindow;
use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::load::WriterLoad;
use crate::tx::Lane;
use rusqlite::Connection;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::Semaphore;

/// Most waiting operations of the ordinary lane; further callers wait outside, in order.
const ORDINARY_WAITING: usize = 512;

/// The writer thread and its queue.
pub(crate) struct SqliteWriter {
    queue: Arc<WriterQueue>,
    done: Arc<CommitTotals>,
    places: Arc<Semaphore>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl SqliteWriter {
    pub(crate) fn start(connection: Connection) -> Result<SqliteWriter, Error> {
        let queue = Arc::new(WriterQueue::default());
        let work = Arc::clone(&queue);
        let done = Arc::<CommitTotals>::default();
        let counted = Arc::clone(&done);
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                let _end = CloseAtEnd(&work);
                let mut disk = DurableConnection { connection, waits: true, failed: 0 };
                let mut gathering = CommitWindow::default();
                while let Some(batch) = work.next_batch(&gathering) {
                    let operations = batch.len();
                    counted.add(operations);
                    disk.commit(batch);
                    gathering = CommitWindow::after_batch(operations);
                }
            })
            .map_err(|cause| Error::Unavailable(format!("não foi possível iniciar a escrita: {cause}")))?;
        Ok(SqliteWriter {
            queue,
            done,
            places: Arc::new(Semaphore::new(ORDINARY_WAITING)),
            thread: Mutex::new(Some(thread)),
        })
    }

    pub(crate) async fn write(&self, operation: DynOperation) -> Result<AnyOutput, Error> {
        let lane = operation.lane();
        let place = match lane {
            Lane::Urgent => None,
            Lane::Ordinary => Some(Arc::clone(&self.places).acquire_owned().await.map_err(|_| closed())?),
        };
        let (task, answer) = Task::new(operation, place);
        self.queue.push(lane, task).map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }

    /// Length of the queue, and totals since the start.
    pub(crate) fn load(&self) -> WriterLoad {
        let CommitTotals { commits, operations } = &*self.done;
        let (commits, operations) = (commits.load(Ordering::Relaxed), operations.load(Ordering::Relaxed));
        WriterLoad { queued: self.queue.len() as u64, commits, operations }
    }

    pub(crate) async fn close(&self) {
        self.queue.close();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // The thread ends after the last batch; its panic, if any, was already answered as "closed".
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }
}

impl Drop for SqliteWriter {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// Commits and their operations.
#[derive(Default)]
struct CommitTotals {
    commits: AtomicU64,
    operations: AtomicU64,
}

impl CommitTotals {
    fn add(&self, operations: usize) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.operations.fetch_add(operations as u64, Ordering::Relaxed);
    }
}

/// Closes the queue if the thread ends for any reason, so that callers do not wait for it.
struct CloseAtEnd<'q>(&'q WriterQueue);

impl Drop for CloseAtEnd<'_> {
    fn drop(&mut self) {
        self.0.close();
        // A dropped task answers its caller that the store is closed.
        while self.0.next_batch(&CommitWindow::default()).is_some() {}
    }
}

/// The connection and its commit mode: waiting for the disk or not.
struct DurableConnection {
    connection: Connection,
    waits: bool,
    /// Consecutive failed commits.
    failed: u64,
}

impl DurableConnection {
    /// Sets whether commits wait for the disk. Without waiting the frames are in the log all the same, and reach the
    /// disk with the next commit that waits.
    fn set_durable(&mut self, waits: bool) -> Result<(), Error> {
        if self.waits != waits {
            // Never through the statement cache: SQLite applies this pragma when it is compiled, not when it is run.
            let mode = if waits { "PRAGMA synchronous=FULL" } else { "PRAGMA synchronous=NORMAL" };
            self.connection.execute_batch(mode).map_err(transaction::error)?;
            self.waits = waits;
        }
        Ok(())
    }

    /// Commits the whole batch in one transaction; callers are answered after it is written.
    fn commit(&mut self, mut batch: Vec<Task>) {
        let lost = self.write_all(&mut batch).err().map(|cause| cause.to_string());
        if let Some(cause) = &lost {
            self.log_failure(cause, batch.len());
            if !self.connection.is_autocommit()
                && let Err(cause) = self.connection.execute_batch("ROLLBACK")
            {
                tracing::error!(%cause, "the rollback failed too");
            }
        }
        if lost.is_none() && self.failed > 0 {
            tracing::info!(failed = self.failed, "commits work again");
            self.failed = 0;
        }
        for task in batch {
            task.answer(lost.as_deref());
        }
    }

    /// Logs the first of consecutive failures in full; the others are only returned to their callers.
    fn log_failure(&mut self, cause: &str, operations: usize) {
        if self.failed == 0 {
            tracing::error!(error.cause = cause, operations, "the commit failed: nothing of it was stored");
        }
        self.failed = self.failed.saturating_add(1);
    }

    /// Runs all in one transaction. Nearly always all succeed: only after a failure is the batch run again, each in its
    /// own savepoint, since a savepoint keeps a copy of every page that changes in it.
    fn write_all(&mut self, batch: &mut [Task]) -> Result<(), Error> {
        self.set_durable(batch.iter().any(|task| task.is_durable()))?;
        let mut tx = SqliteTx::new(&mut self.connection);
        tx.control("BEGIN IMMEDIATE")?;
        for task in &mut *batch {
            let done = task.run(&mut tx);
            ensure_transaction(&tx)?;
            if !done {
                tx.control("ROLLBACK")?;
                return write_each(&mut tx, batch);
            }
        }
        tx.control("COMMIT")
    }
}

/// Runs the batch in one transaction in which a failed operation undoes only its own work.
fn write_each(tx: &mut SqliteTx<'_>, batch: &mut [Task]) -> Result<(), Error> {
    tx.control("BEGIN IMMEDIATE")?;
    for task in batch {
        tx.control("SAVEPOINT operation")?;
        let done = task.run(tx);
        ensure_transaction(tx)?;
        if !done {
            tx.control("ROLLBACK TO operation")?;
        }
        tx.control("RELEASE operation")?;
    }
    tx.control("COMMIT")
}

fn ensure_transaction(tx: &SqliteTx<'_>) -> Result<(), Error> {
    if tx.is_lost() {
        return Err(Error::Unavailable("o SQLite desfez a transação (disco cheio ou com erro)".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::params;
    use crate::tx::{StoreOperation, Tx};
    use tokio::sync::oneshot::Receiver;

    /// Inserts a row; with a `parent` that does not exist the commit itself fails.
    struct Insert {
        id: i64,
        parent: Option<i64>,
    }

    impl StoreOperation for Insert {
        type Output = i64;

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
            tx.execute("INSERT INTO t (id, parent) VALUES ($1, $2)", &params![self.id, self.parent]).await?;
            Ok(self.id)
        }
    }

    fn waiting(id: i64, parent: Option<i64>) -> (Task, Receiver<Result<AnyOutput, Error>>) {
        Task::new(DynOperation::new(Insert { id, parent }), None)
    }

    /// Returns the answer to an insertion.
    fn told(answer: &mut Receiver<Result<AnyOutput, Error>>) -> Result<i64, Error> {
        answer.try_recv().unwrap().and_then(DynOperation::output::<Insert>)
    }

    async fn inserted(writer: &SqliteWriter, id: i64) -> Result<i64, Error> {
        writer.write(DynOperation::new(Insert { id, parent: None })).await.and_then(DynOperation::output::<Insert>)
    }

    fn ids(disk: &DurableConnection) -> Vec<i64> {
        let mut statement = disk.connection.prepare("SELECT id FROM t ORDER BY id").unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    fn disk() -> DurableConnection {
        let connection = Connection::open_in_memory().unwrap();
        let table =
            "CREATE TABLE t (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t DEFERRABLE INITIALLY DEFERRED)";
        connection.execute_batch(&format!("PRAGMA foreign_keys=ON; {table}")).unwrap();
        DurableConnection { connection, waits: false, failed: 0 }
    }

    #[test]
    fn an_operation_that_fails_takes_back_its_own_work_only() {
        let mut disk = disk();
        let (tasks, answers): (Vec<_>, Vec<_>) =
            [waiting(1, None), waiting(1, None), waiting(2, None)].into_iter().unzip();
        disk.commit(tasks);
        let answers: Vec<_> = answers.into_iter().map(|mut answer| told(&mut answer)).collect();
        assert!(matches!(answers[..], [Ok(1), Err(Error::Conflict(_)), Ok(2)]));
        assert_eq!(ids(&disk), [1, 2]);
    }

    /// Adds ten to each row.
    struct Renumber;

    impl StoreOperation for Renumber {
        type Output = ();

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
            tx.execute("UPDATE t SET id = id + 10 WHERE id < 10 AND $1 = 1", &params![1_i64]).await.map(drop)
        }
    }

    #[test]
    fn a_statement_that_fails_half_way_leaves_nothing_of_itself() {
        let mut disk = disk();
        // Row 1 can move, row 2 cannot: 12 is there.
        disk.commit([1, 2, 12].map(|id| waiting(id, None).0).into());
        let (renumber, mut renumbered) = Task::new(DynOperation::new(Renumber), None);
        let (three, mut third) = waiting(3, None);
        disk.commit(vec![renumber, three]);
        let renumbered = renumbered.try_recv().unwrap().and_then(DynOperation::output::<Renumber>);
        assert!(matches!((renumbered, told(&mut third)), (Err(Error::Conflict(_)), Ok(3))));
        assert_eq!(ids(&disk), [1, 2, 3, 12]);
    }

    #[test]
    fn a_commit_that_fails_is_told_to_everyone_in_it_and_the_next_one_works() {
        let mut disk = disk();
        let (tasks, answers): (Vec<_>, Vec<_>) = [waiting(1, None), waiting(2, Some(99))].into_iter().unzip();
        disk.commit(tasks);
        for mut answer in answers {
            assert!(matches!(told(&mut answer), Err(Error::Unavailable(_))));
        }
        assert!(ids(&disk).is_empty());
        let (task, mut answer) = waiting(3, None);
        disk.commit(vec![task]);
        assert!(matches!(told(&mut answer), Ok(3)));
        assert_eq!(ids(&disk), [3]);
    }

    #[test]
    fn a_full_disk_is_told_to_everyone_and_nothing_is_lost_when_there_is_room_again() {
        let mut disk = disk();
        let pages = |disk: &DurableConnection, most: i64| {
            disk.connection.query_row(&format!("PRAGMA max_page_count={most}"), [], |row| row.get::<_, i64>(0)).unwrap()
        };
        let (task, mut kept) = waiting(1, None);
        disk.commit(vec![task]);
        assert!(matches!(told(&mut kept), Ok(1)));
        // SQLite does not shrink below its present size: not one page more from here on.
        let full = pages(&disk, 1);
        let refused = (2..5_000).find_map(|id| {
            let (task, mut answer) = waiting(id, None);
            disk.commit(vec![task]);
            told(&mut answer).err().map(|error| (id, error.to_string()))
        });
        let (id, why) = refused.expect("a full disk refuses");
        assert!(why.contains("disco cheio"), "{why}");
        let before = ids(&disk);
        assert_eq!(before, (1..id).collect::<Vec<_>>());
        pages(&disk, full + 100);
        let (task, mut answer) = waiting(id, None);
        disk.commit(vec![task]);
        assert!(matches!(told(&mut answer), Ok(stored) if stored == id));
        assert_eq!(ids(&disk).len(), before.len() + 1);
    }

    struct Bug;

    impl StoreOperation for Bug {
        type Output = ();

        async fn run<T: Tx>(&self, _: &mut T) -> Result<(), Error> {
            panic!("a bug in an operation")
        }
    }

    #[tokio::test]
    async fn a_bug_in_an_operation_is_that_operations_alone() {
        let writer = SqliteWriter::start(disk().connection).unwrap();
        let insert = |id| inserted(&writer, id);
        let (bug, one, two) = tokio::join!(writer.write(DynOperation::new(Bug)), insert(1), insert(2));
        assert!(matches!(bug, Err(Error::Unavailable(_))));
        assert!(matches!((one, two, insert(3).await), (Ok(1), Ok(2), Ok(3))));
    }

    #[tokio::test]
    async fn what_waits_when_the_writer_closes_is_still_done() {
        let writer = SqliteWriter::start(disk().connection).unwrap();
        let insert = |id| inserted(&writer, id);
        let (one, two, ()) = tokio::join!(insert(1), insert(2), writer.close());
        assert!(matches!((one, two), (Ok(1), Ok(2))));
        assert!(matches!(insert(3).await, Err(Error::Unavailable(_))));
    }

    #[test]
    fn waiting_for_the_disk_is_switched_in_both_directions() {
        let path = std::env::temp_dir().join(format!("carimbo-writer-{}.db", uuid::Uuid::now_v7()));
        let mut disk = DurableConnection { connection: Connection::open(&path).unwrap(), waits: false, failed: 0 };
        for waits in [true, false, true, true, false, true] {
            disk.set_durable(waits).unwrap();
            let mode: i64 = disk.connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).unwrap();
            assert_eq!(mode, if waits { 2 } else { 1 });
        }
        drop(disk);
        std::fs::remove_file(path).unwrap();
    }
}
