//! Operations waiting for the writer: two lanes, a bound on the lower one, batches for one commit.

use super::transaction::SqliteTx;
use crate::Error;
use crate::commit_window::CommitWindow;
use crate::dyn_operation::{AnyOutput, DynOperation};
use crate::tx::{Lane, poll_once};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// Most operations in one commit; more would make the first of them wait long.
const BATCH: usize = 128;
/// Slots for the ordinary lane in every batch, so that it is slowed and never stopped.
const ORDINARY_SHARE: usize = 16;

/// An operation with its caller.
pub(crate) struct Task {
    operation: DynOperation,
    output: Option<Result<AnyOutput, Error>>,
    caller: oneshot::Sender<Result<AnyOutput, Error>>,
    /// Permit held until the answer; it bounds the lane.
    permit: Option<OwnedSemaphorePermit>,
}

impl Task {
    /// Makes a task and the receiver of its answer.
    pub(crate) fn new(
        operation: DynOperation,
        place: Option<OwnedSemaphorePermit>,
    ) -> (Task, oneshot::Receiver<Result<AnyOutput, Error>>) {
        let (caller, answer) = oneshot::channel();
        (Task { operation, output: None, caller, permit: place }, answer)
    }

    /// `true` if its commit must wait for the disk.
    pub(crate) fn is_durable(&self) -> bool {
        self.operation.is_durable()
    }

    /// Runs it; `false` when it failed and must leave no trace.
    pub(crate) fn run(&mut self, tx: &mut SqliteTx<'_>) -> bool {
        // A panic in one operation must not end the writer: its work is rolled back like that of any failed operation.
        let run = AssertUnwindSafe(|| poll_once(self.operation.run(tx)));
        self.output = catch_unwind(run).unwrap_or_default();
        matches!(self.output, Some(Ok(_)))
    }

    /// Answers the caller with the output, or with the cause of a failed commit.
    pub(crate) fn answer(self, lost: Option<&str>) {
        let answer = match (lost, self.output) {
            (None, Some(output)) => output,
            (Some(cause), _) => Err(Error::Unavailable(cause.to_owned())),
            (None, None) => Err(Error::Unavailable("erro interno do armazenamento".to_owned())),
        };
        drop(self.permit);
        // A caller that was dropped needs no answer; the commit stands.
        let _ = self.caller.send(answer);
    }
}

#[derive(Default)]
struct Lanes {
    urgent: VecDeque<Task>,
    ordinary: VecDeque<Task>,
    /// Number of tasks that the writer waits for; it is not woken for fewer.
    wanted: usize,
    closed: bool,
}

impl Lanes {
    fn len(&self) -> usize {
        self.urgent.len() + self.ordinary.len()
    }
}

/// The two lanes.
#[derive(Default)]
pub(crate) struct WriterQueue {
    lanes: Mutex<Lanes>,
    arrived: Condvar,
}

impl WriterQueue {
    /// Adds a task; returns it when the queue is closed.
    pub(crate) fn push(&self, lane: Lane, task: Task) -> Result<(), Task> {
        let mut lanes = self.lock();
        if lanes.closed {
            return Err(task);
        }
        match lane {
            Lane::Urgent => lanes.urgent.push_back(task),
            Lane::Ordinary => lanes.ordinary.push_back(task),
        }
        let are_enough = lanes.len() >= lanes.wanted;
        drop(lanes);
        if are_enough {
            self.arrived.notify_one();
        }
        Ok(())
    }

    /// Waits for tasks and takes a batch, urgent ones first; `None` when closed and empty.
    pub(crate) fn next_batch(&self, gathering: &CommitWindow) -> Option<Vec<Task>> {
        let mut lanes = self.lock();
        while lanes.len() == 0 {
            if lanes.closed {
                return None;
            }
            lanes = self.arrived.wait(lanes).unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(wait) = gathering.remaining_wait(lanes.len()) {
            lanes.wanted = gathering.expected();
            let alone = |lanes: &mut Lanes| lanes.len() < gathering.expected() && !lanes.closed;
            let waited = self.arrived.wait_timeout_while(lanes, wait, alone);
            lanes = waited.unwrap_or_else(PoisonError::into_inner).0;
            lanes.wanted = 0;
        }
        let urgent = lanes.urgent.len().min(BATCH - ORDINARY_SHARE.min(lanes.ordinary.len()));
        let ordinary = lanes.ordinary.len().min(BATCH - urgent);
        let mut batch: Vec<_> = lanes.urgent.drain(..urgent).collect();
        batch.extend(lanes.ordinary.drain(..ordinary));
        Some(batch)
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Accepts no more tasks; waiting ones are still run.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tx::{StoreOperation, Tx};

    /// An empty operation; its durability identifies it in a batch.
    struct Nothing {
        is_durable: bool,
    }

    impl StoreOperation for Nothing {
        type Output = ();

        fn is_durable(&self) -> bool {
            self.is_durable
        }

        async fn run<T: Tx>(&self, _: &mut T) -> Result<(), Error> {
            Ok(())
        }
    }

    fn task(lane: Lane) -> Task {
        Task::new(DynOperation::new(Nothing { is_durable: lane == Lane::Urgent }), None).0
    }

    /// Returns the numbers of urgent and ordinary tasks in the next batch; urgent ones must come first.
    fn batch_of(urgent: usize, ordinary: usize) -> (usize, usize) {
        let queue = WriterQueue::default();
        for _ in 0..ordinary {
            assert!(queue.push(Lane::Ordinary, task(Lane::Ordinary)).is_ok());
        }
        for _ in 0..urgent {
            assert!(queue.push(Lane::Urgent, task(Lane::Urgent)).is_ok());
        }
        let batch = queue.next_batch(&CommitWindow::default()).unwrap();
        let first = batch.iter().take_while(|task| task.is_durable()).count();
        assert_eq!(first, batch.iter().filter(|task| task.is_durable()).count(), "an urgent one waits behind others");
        (first, batch.len() - first)
    }

    #[test]
    fn finishing_goes_before_beginning_and_neither_stops() {
        assert_eq!(batch_of(3, 0), (3, 0));
        assert_eq!(batch_of(10, 1000), (10, BATCH - 10));
        assert_eq!(batch_of(1000, 1000), (BATCH - ORDINARY_SHARE, ORDINARY_SHARE));
        assert_eq!(batch_of(1000, 2), (BATCH - 2, 2));
    }

    #[test]
    fn a_batch_waits_for_company_that_comes_and_not_for_long_for_one_that_does_not() {
        let queue = std::sync::Arc::new(WriterQueue::default());
        let push = |queue: &WriterQueue| assert!(queue.push(Lane::Ordinary, task(Lane::Ordinary)).is_ok());
        push(&queue);
        assert_eq!(queue.next_batch(&CommitWindow::after_batch(3)).unwrap().len(), 1, "nobody else comes");
        push(&queue);
        let late = std::sync::Arc::clone(&queue);
        let coming = std::thread::spawn(move || (0..2).for_each(|_| push(&late)));
        let mut came = 0;
        while came < 3 {
            came += queue.next_batch(&CommitWindow::after_batch(3)).unwrap().len();
        }
        coming.join().unwrap();
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn a_closed_queue_gives_what_it_has_and_takes_no_more() {
        let queue = WriterQueue::default();
        assert!(queue.push(Lane::Ordinary, task(Lane::Ordinary)).is_ok());
        queue.close();
        assert!(queue.push(Lane::Urgent, task(Lane::Urgent)).is_err());
        assert_eq!(queue.next_batch(&CommitWindow::default()).unwrap().len(), 1);
        assert!(queue.next_batch(&CommitWindow::default()).is_none());
    }
}
