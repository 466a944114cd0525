//! Group commit: several operations in one transaction. Operations that arrive while one is under way go in the next. A
//! lone operation goes at once.
//!
//! A batch costs few more round trips than a single operation, and one commit; equal statements of several operations
//! are sent as one (`statements`). When anything fails the transaction is rolled back. A failed batch statement does
//! not show which operation failed, so each statement is then sent by itself; failed operations are run alone, where
//! the error is their own, and the others together again.

use super::desk::{Desk, DeskTx, Texts, served};
use super::stop::{Boarded, Stop};
use super::{Borrowed, Failed, commit};
use crate::Error;
use crate::erased::{Erased, Output};
use crate::gathering::Gathering;
use crate::tx::Lane;
use deadpool_postgres::{Client, Pool};
use futures_util::future::{join, join_all};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// Setting of the lane whose commits do not wait for the disk.
const CARRIED: &str = "SET synchronous_commit = off";

/// Most operations in one transaction; more would make the first of them wait long.
const MOST: usize = 64;

/// Longest transaction of ours while the server answers.
const LONGEST: Duration = Duration::from_secs(30);

/// Most repetitions of a batch with failures: a failure behind another is seen only without the first.
const AGAIN: usize = 3;

/// Outcome of an operation in a batch.
pub(crate) enum Ride {
    /// Run and, unless the result is an error, committed.
    Arrived(Result<Output, Error>),
    /// Rolled back, not provably by its own fault: to be run alone.
    SetDown,
}

/// The commit lanes, one for each kind of commit. Each has its own connection.
pub(crate) struct Together {
    finishing: Arc<Way>,
    carried: Arc<Way>,
    beginning: Arc<Way>,
}

impl Together {
    /// `pool` makes a pool of one connection, with the settings given and those for access by key.
    pub(crate) fn new(pool: impl Fn(&[&'static str]) -> Result<Pool, Error>) -> Result<Together, Error> {
        let way = |settings: &[_]| pool(settings).map(Way::new);
        Ok(Together { finishing: way(&[])?, carried: way(&[CARRIED])?, beginning: way(&[])? })
    }

    pub(crate) fn pools(&self) -> impl Iterator<Item = &Pool> {
        [&self.finishing, &self.carried, &self.beginning].into_iter().map(|way| &way.pool)
    }

    #[cfg(test)]
    pub(crate) fn texts(&self) -> [&Texts; 3] {
        [&self.finishing, &self.carried, &self.beginning].map(|way| &way.texts)
    }

    pub(crate) fn close(&self) {
        self.pools().for_each(Pool::close);
    }

    /// Runs an operation in the next transaction of its lane; returns after the commit. `order` is its lock order in
    /// the batch.
    pub(crate) async fn ride(&self, operation: Erased, order: String) -> Ride {
        let way = match (operation.lane(), operation.is_durable()) {
            (Lane::Urgent, true) => &self.finishing,
            (Lane::Urgent, false) => &self.carried,
            (Lane::Ordinary, _) => &self.beginning,
        };
        let (caller, arrival) = oneshot::channel();
        let passenger = Passenger { operation, order, output: None, was_undone: false, was_dragged: false, caller };
        if way.board(passenger) {
            tokio::spawn(drive(Arc::clone(way)));
        }
        // Dropped without an answer: the transaction panicked.
        arrival.await.unwrap_or(Ride::SetDown)
    }
}

/// A queue of operations for the next transaction of one lane.
struct Way {
    pool: Pool,
    texts: Texts,
    waiting: Stop<Passenger>,
    gathering: Mutex<Gathering>,
    /// Notified when the expected number of operations has arrived.
    complete: Notify,
}

impl Way {
    fn new(pool: Pool) -> Arc<Way> {
        Arc::new(Way {
            pool,
            texts: Texts::default(),
            waiting: Stop::default(),
            gathering: Mutex::default(),
            complete: Notify::new(),
        })
    }

    /// Adds an operation; `true` if the caller must start the leader.
    fn board(&self, passenger: Passenger) -> bool {
        let Boarded { there, drives } = self.waiting.board(passenger);
        if there > 1 && there == self.gathering().expected() {
            self.complete.notify_one();
        }
        drives
    }

    /// Waits until the expected operations have arrived or the commit window ends.
    async fn gather(&self) {
        let there = self.waiting.len();
        let awaited = self.gathering().is_awaited(there).filter(|_| there > 0);
        if let Some(wait) = awaited {
            // Arrived or not: the batch goes.
            let _ = tokio::time::timeout(wait, self.complete.notified()).await;
        }
    }

    fn gathering(&self) -> MutexGuard<'_, Gathering> {
        self.gathering.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs transaction after transaction until the queue is empty.
async fn drive(way: Arc<Way>) {
    let mut driver = way.waiting.driver();
    loop {
        way.gather().await;
        let Some(mut passengers) = driver.next(MOST) else { return };
        let operations = passengers.len();
        // All batches take locks in this order, so that two transactions never wait for each other in a cycle.
        passengers.sort_by(|one, other| one.order.cmp(&other.order));
        // A task of its own: a panic in one operation must not leave the lane without a leader.
        let carried = tokio::spawn(carry(Arc::clone(&way), passengers));
        if let Err(cause) = carried.await {
            tracing::error!(%cause, "a transaction of several operations ended in a panic");
        }
        *way.gathering() = Gathering::after(operations);
    }
}

/// Commits a batch in one transaction; callers are answered after the commit. Failed operations are returned to be run
/// alone, and the others are run together again: an account above its quota must not cost the others their batch.
async fn carry(way: Arc<Way>, mut passengers: Vec<Passenger>) {
    let mut end = attempt(&way, &mut passengers, true).await;
    for _ in 0..AGAIN {
        if !matches!(end, End::Failed) || passengers.len() < 2 {
            break;
        }
        let failed: Vec<Passenger> = passengers.extract_if(.., |passenger| passenger.has_failed()).collect();
        // If no operation failed by itself, a batch statement did.
        let alike = !failed.is_empty();
        failed.into_iter().for_each(Passenger::set_down);
        end = attempt(&way, &mut passengers, alike).await;
    }
    let alone = passengers.len() == 1;
    for passenger in passengers {
        match &end {
            End::Committed => passenger.arrived(),
            End::Unknown(why) => passenger.lost(why.clone()),
            // The error of a lone operation can only be its own.
            End::Failed if alone => passenger.failed(),
            End::Failed | End::Nothing => passenger.set_down(),
        }
    }
}

/// `alike`: equal statements are batched.
async fn attempt(way: &Way, passengers: &mut [Passenger], alike: bool) -> End {
    if passengers.is_empty() {
        return End::Nothing;
    }
    let Ok(client) = way.pool.get().await else { return End::Nothing };
    let desk = if alike { way.texts.desk(passengers.len()) } else { None };
    // A timeout closes the connection: one that is dead without notice must not hold up the lane.
    let committed = tokio::time::timeout(LONGEST, commit_all(client, passengers, desk.as_ref())).await;
    committed.unwrap_or_else(|_| End::Unknown("PostgreSQL: o servidor não responde".to_owned()))
}

/// Result of a transaction.
enum End {
    Committed,
    /// An operation failed, and everything was rolled back.
    Failed,
    /// Nothing was done.
    Nothing,
    /// The transaction or its commit was not answered.
    Unknown(String),
}

async fn commit_all(client: Client, passengers: &mut [Passenger], desk: Option<&Desk<'_>>) -> End {
    let mut borrowed = Borrowed(Some(client));
    let Some(client) = borrowed.0.as_ref() else { return End::Nothing };
    let rides = join_all(passengers.iter_mut().map(|passenger| passenger.run(client, desk)));
    // Polled in this order, so sent in this order; if the first is refused, so is the second.
    let (begun, went_well) = join(client.batch_execute("BEGIN"), served(desk, client, rides)).await;
    if begun.is_err() || went_well.contains(&false) {
        if client.batch_execute("ROLLBACK").await.is_ok() {
            borrowed.give_back();
        }
        return if begun.is_err() { End::Nothing } else { End::Failed };
    }
    match commit(client).await {
        Ok(()) => {
            borrowed.give_back();
            End::Committed
        }
        Err(failed) if failed.undone => End::Nothing,
        Err(Failed { error: Error::Unavailable(why), .. }) => End::Unknown(why),
        Err(failed) => End::Unknown(failed.error.to_string()),
    }
}

/// An operation with its caller.
struct Passenger {
    operation: Erased,
    order: String,
    output: Option<Result<Output, Error>>,
    was_undone: bool,
    was_dragged: bool,
    caller: oneshot::Sender<Ride>,
}

impl Passenger {
    /// Runs it; `false` when the transaction must be rolled back.
    async fn run(&mut self, client: &Client, desk: Option<&Desk<'_>>) -> bool {
        let mut tx = DeskTx::new(client, desk);
        let output = self.operation.run(&mut tx).await;
        let tx = tx.alone();
        (self.was_undone, self.was_dragged) = (tx.was_undone(), tx.was_dragged());
        let went_well = output.is_ok() && !tx.has_failed();
        self.output = Some(output);
        went_well
    }

    /// `true` if it failed by itself, not through another operation.
    fn has_failed(&self) -> bool {
        !self.was_dragged && !matches!(self.output, Some(Ok(_)))
    }

    /// Answers with the output.
    fn arrived(mut self) {
        let ride = self.output.take().map_or(Ride::SetDown, Ride::Arrived);
        self.tell(ride);
    }

    /// Answers with the error, unless a retry may succeed.
    fn failed(mut self) {
        let ride = match self.output.take() {
            Some(Err(error)) if !self.was_undone => Ride::Arrived(Err(error)),
            _ => Ride::SetDown,
        };
        self.tell(ride);
    }

    /// Answers that the operation is to be run alone.
    fn set_down(self) {
        self.tell(Ride::SetDown);
    }

    /// Answers that the result is unknown.
    fn lost(self, why: String) {
        self.tell(Ride::Arrived(Err(Error::Unavailable(why))));
    }

    fn tell(self, ride: Ride) {
        // A caller that was dropped needs no answer; the commit stands.
        let _ = self.caller.send(ride);
    }
}

#[cfg(test)]
mod tests;
