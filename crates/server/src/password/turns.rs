//! The queue of password hashing, fair between addresses.
//!
//! Hashing a password takes 19 MiB and a core for tens of milliseconds, and any unauthenticated request can cause it.
//! An address therefore has one attempt in progress and a few waiting; addresses alternate; open sessions, and
//! addresses with a recent login, have a lane of their own that unknown addresses cannot fill.
//!
//! Must not know: counts of failed logins (`api::auth::password_attempts`).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zeroize::Zeroizing;

/// Hashes and verifies passwords. Clones share the bounds.
#[derive(Clone)]
pub(crate) struct Passwords {
    inner: Arc<Inner>,
}

struct Inner {
    /// Concurrent attempts of each lane.
    turns: [Arc<Semaphore>; 2],
    queue: Mutex<Queue>,
}

/// Attempts waiting or in progress. Addresses are counted as by `edge::subscriber_address`.
#[derive(Default)]
struct Queue {
    /// Addresses with attempts waiting or in progress.
    homes: HashMap<IpAddr, Home>,
    /// Attempts of each lane.
    taken: [usize; 2],
    /// Addresses with a recent login.
    known: HashMap<IpAddr, Instant>,
}

struct Home {
    /// A single permit: an address stands once in the queue of its lane.
    turn: Arc<Semaphore>,
    places: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    Strangers,
    Known,
}

/// The bound that leaves no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crowded {
    /// Too many attempts of this address.
    Address,
    /// Too many attempts in the lane, or too long a wait.
    All,
}

/// A place in the queue. Freed on drop.
pub(crate) struct Ticket {
    passwords: Passwords,
    home: IpAddr,
    lane: Lane,
    turn: Arc<Semaphore>,
}

impl Passwords {
    /// As many concurrent attempts as there are cores, at most eight; half of them for unknown addresses.
    pub(crate) fn new() -> Passwords {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let half = || Arc::new(Semaphore::new((cores.min(8) / 2).max(1)));
        Passwords { inner: Arc::new(Inner { turns: [half(), half()], queue: Mutex::default() }) }
    }

    /// Reserves a place for an attempt of an address.
    pub(crate) fn place(&self, home: IpAddr) -> Result<Ticket, Crowded> {
        let known = self.queue().known.get(&home).is_some_and(|since| since.elapsed() < REMEMBERED);
        self.take(home, if known { Lane::Known } else { Lane::Strangers })
    }

    /// Reserves a place for an attempt of an open session.
    pub(crate) fn place_in_session(&self, home: IpAddr) -> Result<Ticket, Crowded> {
        self.take(home, Lane::Known)
    }

    fn take(&self, home: IpAddr, lane: Lane) -> Result<Ticket, Crowded> {
        let mut queue = self.queue();
        if queue.homes.get(&home).is_some_and(|there| there.places >= OF_ONE_ADDRESS) {
            return Err(Crowded::Address);
        }
        if queue.taken[lane as usize] >= OF_ALL {
            return Err(Crowded::All);
        }
        queue.taken[lane as usize] += 1;
        let there = queue.homes.entry(home).or_insert_with(|| Home { turn: Arc::new(Semaphore::new(1)), places: 0 });
        there.places += 1;
        let turn = Arc::clone(&there.turn);
        Ok(Ticket { passwords: self.clone(), home, lane, turn })
    }

    /// Records a login of an address.
    fn remember(&self, home: IpAddr) {
        let mut queue = self.queue();
        if queue.known.len() >= MOST_KNOWN && !queue.known.contains_key(&home) {
            queue.known.retain(|_, since| since.elapsed() < REMEMBERED);
            if queue.known.len() >= MOST_KNOWN {
                queue.known.clear();
            }
        }
        queue.known.insert(home, Instant::now());
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.inner.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// True when a password matches the stored hash. Without a hash the result is false after an equal time.
    pub(crate) async fn verify(
        &self,
        senha: Zeroizing<String>,
        stored: Option<String>,
    ) -> anyhow::Result<Result<bool, Crowded>> {
        let right = self.run(move || super::verify(&senha, stored.as_deref())).await?;
        if right == Ok(true) {
            self.passwords.remember(self.home);
        }
        Ok(right)
    }

    /// Hashes a password into the PHC string for the store.
    pub(crate) async fn hash(&self, senha: Zeroizing<String>) -> anyhow::Result<Result<String, Crowded>> {
        self.run(move || super::hash(&senha)).await?.map_or_else(|crowded| Ok(Err(crowded)), |hash| hash.map(Ok))
    }

    async fn run<T: Send + 'static>(
        &self,
        look: impl FnOnce() -> T + Send + 'static,
    ) -> anyhow::Result<Result<T, Crowded>> {
        let Ok(turns) = tokio::time::timeout(PATIENCE, self.turn()).await else { return Ok(Err(Crowded::All)) };
        let turns = turns?;
        let looked = tokio::task::spawn_blocking(move || {
            // the permits last as long as the work, even when its caller is gone
            let _turns = turns;
            look()
        });
        Ok(Ok(looked.await?))
    }

    /// Acquires the address's own permit, then that of the lane: tokio's semaphores are fair, so addresses alternate.
    async fn turn(&self) -> anyhow::Result<[OwnedSemaphorePermit; 2]> {
        let mine = Arc::clone(&self.turn).acquire_owned().await?;
        let all = Arc::clone(&self.passwords.inner.turns[self.lane as usize]).acquire_owned().await?;
        Ok([mine, all])
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut queue = self.passwords.queue();
        queue.taken[self.lane as usize] -= 1;
        let emptied = queue.homes.get_mut(&self.home).is_some_and(|there| {
            there.places -= 1;
            there.places == 0
        });
        if emptied {
            queue.homes.remove(&self.home);
        }
    }
}

/// Attempts of an address, waiting or in progress.
const OF_ONE_ADDRESS: usize = 8;
/// Attempts of a lane; at forty a second and core the last of them waits about a second.
const OF_ALL: usize = 64;
/// Longest wait of an attempt.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time for which an address stays known after a login.
const REMEMBERED: Duration = Duration::from_hours(30 * 24);
/// Addresses remembered; one costs 40 bytes.
const MOST_KNOWN: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([203, 0, 113, last])
    }

    #[tokio::test]
    async fn an_address_has_a_few_places_and_all_have_a_bound() {
        let passwords = Passwords::new();
        let of_one: Vec<Ticket> = (0..OF_ONE_ADDRESS).map(|_| passwords.place(address(1)).unwrap()).collect();
        assert_eq!(passwords.place(address(1)).err(), Some(Crowded::Address));
        let others: Vec<Ticket> = (OF_ONE_ADDRESS..OF_ALL)
            .map(|number| passwords.place(address(u8::try_from(number).unwrap())).unwrap())
            .collect();
        assert_eq!(passwords.place(address(200)).err(), Some(Crowded::All));
        // open sessions and addresses with a recent login keep their lane
        passwords.place_in_session(address(200)).unwrap();
        passwords.remember(address(201));
        passwords.place(address(201)).unwrap();
        drop((of_one, others));
        assert!(passwords.queue().homes.is_empty() && passwords.queue().taken == [0, 0]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_address_that_asks_much_holds_up_nobody_else() {
        let passwords = Passwords::new();
        let (held, free) = std::sync::mpsc::channel::<()>();
        let first = passwords.place(address(1)).unwrap();
        let first = tokio::spawn(async move { first.run(move || free.recv()).await });
        while passwords.inner.turns[0].available_permits() == Passwords::new().inner.turns[0].available_permits() {
            tokio::task::yield_now().await;
        }
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut all = Vec::new();
        for (number, home) in [1, 1, 1, 2].into_iter().enumerate() {
            let place = passwords.place(address(home)).unwrap();
            let order = Arc::clone(&order);
            all.push(tokio::spawn(async move { place.run(move || order.lock().unwrap().push(home)).await }));
            while passwords.queue().taken[0] < number + 2 {
                tokio::task::yield_now().await;
            }
        }
        // the second address does not wait for all attempts of the first
        held.send(()).unwrap();
        first.await.unwrap().unwrap().unwrap().unwrap();
        for task in all {
            task.await.unwrap().unwrap().unwrap();
        }
        let order = order.lock().unwrap();
        assert!(order.iter().position(|home| *home == 2).unwrap() <= 1, "{order:?}");
    }

    #[test]
    fn memory_is_bounded() {
        let passwords = Passwords::new();
        for number in 0..u32::try_from(MOST_KNOWN + 10).unwrap() {
            passwords.remember(IpAddr::from(number.to_be_bytes()));
        }
        assert!(passwords.queue().known.len() <= MOST_KNOWN);
    }
}
