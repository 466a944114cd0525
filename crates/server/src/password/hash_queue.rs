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
pub(crate) struct HashQueue {
    inner: Arc<HashQueueState>,
}

struct HashQueueState {
    /// Concurrent attempts of each lane.
    turns: [Arc<Semaphore>; 2],
    queue: Mutex<QueuedAttempts>,
}

/// Attempts waiting or in progress. Addresses are counted as by `edge::subscriber_address`.
#[derive(Default)]
struct QueuedAttempts {
    /// Addresses with attempts waiting or in progress.
    homes: HashMap<IpAddr, AddressQueue>,
    /// Attempts of each lane.
    taken: [usize; 2],
    /// Addresses with a recent login.
    known: HashMap<IpAddr, Instant>,
}

struct AddressQueue {
    /// A single permit: an address stands once in the queue of its lane.
    turn: Arc<Semaphore>,
    places: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AttemptLane {
    Strangers,
    Known,
}

/// The bound that leaves no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HashQueueFull {
    /// Too many attempts of this address.
    Address,
    /// Too many attempts in the lane, or too long a wait.
    All,
}

/// A place in the queue. Freed on drop.
pub(crate) struct HashPermit {
    passwords: HashQueue,
    home: IpAddr,
    lane: AttemptLane,
    turn: Arc<Semaphore>,
}

impl HashQueue {
    /// As many concurrent attempts as there are cores, at most eight; half of them for unknown addresses.
    pub(crate) fn new() -> HashQueue {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let half = || Arc::new(Semaphore::new((cores.min(8) / 2).max(1)));
        HashQueue { inner: Arc::new(HashQueueState { turns: [half(), half()], queue: Mutex::default() }) }
    }

    /// Reserves a place for an attempt of an address.
    pub(crate) fn admit_attempt(&self, home: IpAddr) -> Result<HashPermit, HashQueueFull> {
        let known = self.queue().known.get(&home).is_some_and(|since| since.elapsed() < KNOWN_FOR);
        self.reserve_in_lane(home, if known { AttemptLane::Known } else { AttemptLane::Strangers })
    }

    /// Reserves a place for an attempt of an open session.
    pub(crate) fn reserve_in_session(&self, home: IpAddr) -> Result<HashPermit, HashQueueFull> {
        self.reserve_in_lane(home, AttemptLane::Known)
    }

    fn reserve_in_lane(&self, home: IpAddr, lane: AttemptLane) -> Result<HashPermit, HashQueueFull> {
        let mut queue = self.queue();
        if queue.homes.get(&home).is_some_and(|there| there.places >= MAX_PER_ADDRESS) {
            return Err(HashQueueFull::Address);
        }
        if queue.taken[lane as usize] >= MAX_PER_LANE {
            return Err(HashQueueFull::All);
        }
        queue.taken[lane as usize] += 1;
        let there =
            queue.homes.entry(home).or_insert_with(|| AddressQueue { turn: Arc::new(Semaphore::new(1)), places: 0 });
        there.places += 1;
        let turn = Arc::clone(&there.turn);
        Ok(HashPermit { passwords: self.clone(), home, lane, turn })
    }

    /// Records a login of an address.
    fn record_login(&self, home: IpAddr) {
        let mut queue = self.queue();
        if queue.known.len() >= MOST_KNOWN && !queue.known.contains_key(&home) {
            queue.known.retain(|_, since| since.elapsed() < KNOWN_FOR);
            if queue.known.len() >= MOST_KNOWN {
                queue.known.clear();
            }
        }
        queue.known.insert(home, Instant::now());
    }

    fn queue(&self) -> MutexGuard<'_, QueuedAttempts> {
        self.inner.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HashPermit {
    /// True when a password matches the stored hash. Without a hash the result is false after an equal time.
    pub(crate) async fn verify(
        &self,
        senha: Zeroizing<String>,
        stored: Option<String>,
    ) -> anyhow::Result<Result<bool, HashQueueFull>> {
        let right = self.run(move || super::verify(&senha, stored.as_deref())).await?;
        if right == Ok(true) {
            self.passwords.record_login(self.home);
        }
        Ok(right)
    }

    /// Hashes a password into the PHC string for the store.
    pub(crate) async fn hash(&self, senha: Zeroizing<String>) -> anyhow::Result<Result<String, HashQueueFull>> {
        self.run(move || super::hash(&senha)).await?.map_or_else(|crowded| Ok(Err(crowded)), |hash| hash.map(Ok))
    }

    async fn run<T: Send + 'static>(
        &self,
        look: impl FnOnce() -> T + Send + 'static,
    ) -> anyhow::Result<Result<T, HashQueueFull>> {
        let Ok(turns) = tokio::time::timeout(MAX_QUEUE_WAIT, self.acquire_both_permits()).await else {
            return Ok(Err(HashQueueFull::All));
        };
        let turns = turns?;
        let looked = tokio::task::spawn_blocking(move || {
            // the permits last as long as the work, even when its caller is gone
            let _turns = turns;
            look()
        });
        Ok(Ok(looked.await?))
    }

    /// Acquires the address's own permit, then that of the lane: tokio's semaphores are fair, so addresses alternate.
    async fn acquire_both_permits(&self) -> anyhow::Result<[OwnedSemaphorePermit; 2]> {
        let mine = Arc::clone(&self.turn).acquire_owned().await?;
        let all = Arc::clone(&self.passwords.inner.turns[self.lane as usize]).acquire_owned().await?;
        Ok([mine, all])
    }
}

impl Drop for HashPermit {
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
const MAX_PER_ADDRESS: usize = 8;
/// Attempts of a lane; at forty a second and core the last of them waits about a second.
const MAX_PER_LANE: usize = 64;
/// Longest wait of an attempt.
const MAX_QUEUE_WAIT: Duration = Duration::from_secs(10);
/// Time for which an address stays known after a login.
const KNOWN_FOR: Duration = Duration::from_hours(30 * 24);
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
        let passwords = HashQueue::new();
        let of_one: Vec<HashPermit> =
            (0..MAX_PER_ADDRESS).map(|_| passwords.admit_attempt(address(1)).unwrap()).collect();
        assert_eq!(passwords.admit_attempt(address(1)).err(), Some(HashQueueFull::Address));
        let others: Vec<HashPermit> = (MAX_PER_ADDRESS..MAX_PER_LANE)
            .map(|number| passwords.admit_attempt(address(u8::try_from(number).unwrap())).unwrap())
            .collect();
        assert_eq!(passwords.admit_attempt(address(200)).err(), Some(HashQueueFull::All));
        // open sessions and addresses with a recent login keep their lane
        passwords.reserve_in_session(address(200)).unwrap();
        passwords.record_login(address(201));
        passwords.admit_attempt(address(201)).unwrap();
        drop((of_one, others));
        assert!(passwords.queue().homes.is_empty() && passwords.queue().taken == [0, 0]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_address_that_asks_much_holds_up_nobody_else() {
        let passwords = HashQueue::new();
        let (held, free) = std::sync::mpsc::channel::<()>();
        let first = passwords.admit_attempt(address(1)).unwrap();
        let first = tokio::spawn(async move { first.run(move || free.recv()).await });
        while passwords.inner.turns[0].available_permits() == HashQueue::new().inner.turns[0].available_permits() {
            tokio::task::yield_now().await;
        }
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut all = Vec::new();
        for (number, home) in [1, 1, 1, 2].into_iter().enumerate() {
            let place = passwords.admit_attempt(address(home)).unwrap();
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
        let passwords = HashQueue::new();
        for number in 0..u32::try_from(MOST_KNOWN + 10).unwrap() {
            passwords.record_login(IpAddr::from(number.to_be_bytes()));
        }
        assert!(passwords.queue().known.len() <= MOST_KNOWN);
    }
}
