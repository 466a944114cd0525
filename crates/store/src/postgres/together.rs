//! Operations that travel in one transaction: what arrives while one is on its way goes with the next. Whoever is alone
//! leaves at once.
//!
//! They cost little more round trips than one, and one commit; and what several of them write or ask alike goes as one
//! statement (`desk`). When anything fails the transaction comes to nothing. A statement of several tells nobody whose
//! fault it was, so each is then sent for itself; whoever failed is run in a transaction of his own, where what it says
//! is what its caller hears, and the others together once more.

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

/// On the connection of the way whose commits do not wait for the disk.
const CARRIED: &str = "SET synchronous_commit = off";

/// Most operations in one transaction; more would make the first of them wait long.
const MOST: usize = 64;

/// No transaction of ours takes so long while the server answers.
const LONGEST: Duration = Duration::from_secs(30);

/// How often those are tried again together of whom some failed: what fails behind another is seen only without him.
const AGAIN: usize = 3;

/// What became of an operation that travelled.
pub(crate) enum Ride {
    /// It was run and, unless it says an error, committed.
    Arrived(Result<Output, Error>),
    /// Nothing of it was done, through no fault that is known to be its own: it goes alone.
    SetDown,
}

/// The ways that operations take, one for each kind of commit. Each has a connection of its own.
pub(crate) struct Together {
    finishing: Arc<Way>,
    carried: Arc<Way>,
    beginning: Arc<Way>,
}

impl Together {
    /// `pool` gives one of connections that begin with these settings, and those of whatever goes along keys.
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

    /// Runs an operation in the next transaction of its way; returns after the commit. `order` is its place among those
    /// beside it.
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
        // dropped without an answer: the transaction ended in a panic
        arrival.await.unwrap_or(Ride::SetDown)
    }
}

/// Operations that wait for the next transaction, and for each other.
struct Way {
    pool: Pool,
    texts: Texts,
    waiting: Stop<Passenger>,
    gathering: Mutex<Gathering>,
    /// As many came as are waited for.
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

    /// Whether somebody has to drive now.
    fn board(&self, passenger: Passenger) -> bool {
        let Boarded { there, drives } = self.waiting.board(passenger);
        if there > 1 && there == self.gathering().expected() {
            self.complete.notify_one();
        }
        drives
    }

    /// Until as many are there as may come, or a moment has passed.
    async fn gather(&self) {
        let there = self.waiting.len();
        let awaited = self.gathering().is_awaited(there).filter(|_| there > 0);
        if let Some(wait) = awaited {
            // whether they came or not: they leave
            let _ = tokio::time::timeout(wait, self.complete.notified()).await;
        }
    }

    fn gathering(&self) -> MutexGuard<'_, Gathering> {
        self.gathering.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One transaction after the other, until nobody waits.
async fn drive(way: Arc<Way>) {
    let mut driver = way.waiting.driver();
    loop {
        way.gather().await;
        let Some(mut passengers) = driver.next(MOST) else { return };
        let operations = passengers.len();
        // of the same locks, whoever comes first is first everywhere: two transactions that need several do not wait
        // for each other in a ring
        passengers.sort_by(|one, other| one.order.cmp(&other.order));
        // a task of its own: a bug in one operation must not leave the way without a driver
        let carried = tokio::spawn(carry(Arc::clone(&way), passengers));
        if let Err(cause) = carried.await {
            tracing::error!(%cause, "a transaction of several operations ended in a panic");
        }
        *way.gathering() = Gathering::after(operations);
    }
}

/// One transaction for all of them; nobody is answered before it is committed. Who fails goes alone, and the others
/// once more without him: one account above its quota must not cost the others what they share.
async fn carry(way: Arc<Way>, mut passengers: Vec<Passenger>) {
    let mut end = attempt(&way, &mut passengers, true).await;
    for _ in 0..AGAIN {
        if !matches!(end, End::Failed) || passengers.len() < 2 {
            break;
        }
        let failed: Vec<Passenger> = passengers.extract_if(.., |passenger| passenger.has_failed()).collect();
        // if nobody has, a statement of several did
        let alike = !failed.is_empty();
        failed.into_iter().for_each(Passenger::set_down);
        end = attempt(&way, &mut passengers, alike).await;
    }
    let alone = passengers.len() == 1;
    for passenger in passengers {
        match &end {
            End::Committed => passenger.arrived(),
            End::Unknown(why) => passenger.lost(why.clone()),
            // its error can only be its own
            End::Failed if alone => passenger.failed(),
            End::Failed | End::Nothing => passenger.set_down(),
        }
    }
}

/// `alike`: what they ask alike is asked once.
async fn attempt(way: &Way, passengers: &mut [Passenger], alike: bool) -> End {
    if passengers.is_empty() {
        return End::Nothing;
    }
    let Ok(client) = way.pool.get().await else { return End::Nothing };
    let desk = if alike { way.texts.desk(passengers.len()) } else { None };
    // its connection ends with it: one that is dead without knowing it must not hold up everybody behind
    let committed = tokio::time::timeout(LONGEST, commit_all(client, passengers, desk.as_ref())).await;
    committed.unwrap_or_else(|_| End::Unknown("PostgreSQL: o servidor não responde".to_owned()))
}

/// How a transaction ended.
enum End {
    Committed,
    /// An operation failed, and all was taken back.
    Failed,
    /// Nothing was done.
    Nothing,
    /// It, or its commit, was not answered.
    Unknown(String),
}

async fn commit_all(client: Client, passengers: &mut [Passenger], desk: Option<&Desk<'_>>) -> End {
    let mut borrowed = Borrowed(Some(client));
    let Some(client) = borrowed.0.as_ref() else { return End::Nothing };
    let rides = join_all(passengers.iter_mut().map(|passenger| passenger.run(client, desk)));
    // polled in this order, so sent in this order; if the first is refused, so is the second
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
    /// Does it; `false` when the transaction must come to nothing.
    async fn run(&mut self, client: &Client, desk: Option<&Desk<'_>>) -> bool {
        let mut tx = DeskTx::new(client, desk);
        let output = self.operation.run(&mut tx).await;
        let tx = tx.alone();
        (self.was_undone, self.was_dragged) = (tx.was_undone(), tx.was_dragged());
        let went_well = output.is_ok() && !tx.has_failed();
        self.output = Some(output);
        went_well
    }

    /// Whether it failed by itself, not because another had.
    fn has_failed(&self) -> bool {
        !self.was_dragged && !matches!(self.output, Some(Ok(_)))
    }

    /// Tells the caller what came out.
    fn arrived(mut self) {
        let ride = self.output.take().map_or(Ride::SetDown, Ride::Arrived);
        self.tell(ride);
    }

    /// Tells the caller its error, unless another try may go well.
    fn failed(mut self) {
        let ride = match self.output.take() {
            Some(Err(error)) if !self.was_undone => Ride::Arrived(Err(error)),
            _ => Ride::SetDown,
        };
        self.tell(ride);
    }

    /// Tells the caller that nothing was done.
    fn set_down(self) {
        self.tell(Ride::SetDown);
    }

    /// Tells the caller that nobody knows.
    fn lost(self, why: String) {
        self.tell(Ride::Arrived(Err(Error::Unavailable(why))));
    }

    fn tell(self, ride: Ride) {
        // a caller that went away asked for nothing more; the commit stands
        let _ = self.caller.send(ride);
    }
}

#[cfg(test)]
mod tests;
