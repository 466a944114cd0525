//! Whose password is looked at next, when many ask.
//!
//! One look takes 19 MiB and a core for tens of milliseconds, and anybody may ask for one. So an address has one look
//! at a time and a few in waiting; those take turns with the other addresses'; and the addresses from which somebody
//! logged in lately, and open sessions, have turns of their own that strangers cannot use up.
//!
//! Must not know: who failed how often (`api::auth::slow`).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zeroize::Zeroizing;

/// Hashes and verifies; clones share the bounds.
#[derive(Clone)]
pub(crate) struct Passwords {
    inner: Arc<Inner>,
}

struct Inner {
    /// Looks at a time of each lane.
    turns: [Arc<Semaphore>; 2],
    queue: Mutex<Queue>,
}

/// Who is there. An address is the one of a household (`edge::household`).
#[derive(Default)]
struct Queue {
    /// Addresses that have somebody waiting or looked at.
    homes: HashMap<IpAddr, Home>,
    /// Places taken in each lane.
    taken: [usize; 2],
    /// Addresses from which somebody logged in lately.
    known: HashMap<IpAddr, Instant>,
}

struct Home {
    /// One at a time: who waits here stands once in the line of all addresses.
    turn: Arc<Semaphore>,
    places: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    Strangers,
    Known,
}

/// Why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crowded {
    /// Too many of this address wait.
    Address,
    /// Too many wait, or it took too long.
    All,
}

/// A place in the queue. Dropped, it is free again.
pub(crate) struct Ticket {
    passwords: Passwords,
    home: IpAddr,
    lane: Lane,
    turn: Arc<Semaphore>,
}

impl Passwords {
    /// As many looks at a time as there are cores, at most eight; half of them for strangers.
    pub(crate) fn new() -> Passwords {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let half = || Arc::new(Semaphore::new((cores.min(8) / 2).max(1)));
        Passwords { inner: Arc::new(Inner { turns: [half(), half()], queue: Mutex::default() }) }
    }

    /// A place for an attempt from an address.
    pub(crate) fn place(&self, home: IpAddr) -> Result<Ticket, Crowded> {
        let known = self.queue().known.get(&home).is_some_and(|since| since.elapsed() < REMEMBERED);
        self.take(home, if known { Lane::Known } else { Lane::Strangers })
    }

    /// A place for whoever has an open session.
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

    /// Somebody logged in from there.
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
    /// Whether a password is the one of a stored hash. Without a hash the answer is no, after the same time.
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

    /// The PHC string to store.
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
            // the turn lasts as long as the work, also when nobody waits for it any more
            let _turns = turns;
            look()
        });
        Ok(Ok(looked.await?))
    }

    /// First the address's own turn, then that of all: tokio's semaphores are fair, so addresses alternate.
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

/// Attempts of one address that wait or are looked at.
const OF_ONE_ADDRESS: usize = 8;
/// Attempts of one lane; at forty looks a second and core the last of them waits about a second.
const OF_ALL: usize = 64;
/// Longest an attempt waits.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long an address is known.
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
        // who has a session, and who logged in from where it is, are not kept out by strangers
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
        // the other address does not stand behind all that the first one asked for
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
