//! Connections at rest, by server and client certificate: two companies never share one.

use super::connection::Connection;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Host and port; SHA-256 of the client's certificate; whether the address was judged before it was connected to.
pub(super) type Key = (String, [u8; 32], bool);

#[derive(Default)]
pub(super) struct Pool {
    resting: Mutex<Resting>,
}

#[derive(Default)]
struct Resting {
    by_key: HashMap<Key, Vec<Idle>>,
    /// Over all keys.
    count: usize,
    swept: Option<Instant>,
}

struct Idle {
    connection: Connection,
    since: Instant,
}

impl Pool {
    /// The connection last used, as it is the likeliest to be open still.
    pub(super) fn take(&self, key: &Key) -> Option<Connection> {
        let mut resting = self.lock();
        let idle = resting.by_key.get_mut(key)?;
        let before = idle.len();
        idle.retain(Idle::is_usable);
        let taken = idle.pop();
        let (left, gone) = (idle.len(), before - idle.len());
        resting.count -= gone;
        if left == 0 {
            resting.by_key.remove(key);
        }
        taken.map(|idle| idle.connection)
    }

    pub(super) fn give_back(&self, key: Key, connection: Connection) {
        let mut resting = self.lock();
        let now = Instant::now();
        if resting.swept.is_none_or(|swept| now - swept > BETWEEN_SWEEPS) {
            resting.sweep(now);
        }
        if resting.count >= MOST_RESTING {
            return;
        }
        let idle = resting.by_key.entry(key).or_default();
        if idle.len() < MOST_PER_KEY {
            idle.push(Idle { connection, since: now });
            resting.count += 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Resting> {
        // what is behind the lock is whole whenever it can be left: nothing between two changes panics
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resting {
    /// Servers and certificates that are not called any more would otherwise stay for ever.
    fn sweep(&mut self, now: Instant) {
        self.by_key.retain(|_, idle| {
            idle.retain(Idle::is_usable);
            !idle.is_empty()
        });
        self.count = self.by_key.values().map(Vec::len).sum();
        self.swept = Some(now);
    }
}

impl Idle {
    fn is_usable(&self) -> bool {
        self.since.elapsed() < LONGEST_REST && !self.connection.sender.is_closed()
    }
}

const MOST_PER_KEY: usize = 16;
/// A connection holds some 50 KB of TLS buffers.
const MOST_RESTING: usize = 1024;
/// Well below the idle time of IIS (120 s): the server should not be the one to close, as a request that meets its
/// closing is in doubt.
const LONGEST_REST: Duration = Duration::from_secs(20);
const BETWEEN_SWEEPS: Duration = Duration::from_secs(5);
