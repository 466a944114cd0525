//! Idle connections by server and client certificate: two companies never share one.

use super::connection::AuthorityConnection;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Host and port; SHA-256 of the client's certificate; `true` for addresses checked by the URL guard.
pub(super) type PoolKey = (String, [u8; 32], bool);

#[derive(Default)]
pub(super) struct ConnectionPool {
    idle_connections: Mutex<IdleConnections>,
}

#[derive(Default)]
struct IdleConnections {
    by_key: HashMap<PoolKey, Vec<IdleConnection>>,
    /// Number over all keys.
    count: usize,
    swept: Option<Instant>,
}

struct IdleConnection {
    connection: AuthorityConnection,
    since: Instant,
}

impl ConnectionPool {
    /// Removes the connection used last, which is the likeliest to be open still.
    pub(super) fn pop_idle(&self, key: &PoolKey) -> Option<AuthorityConnection> {
        let mut resting = self.lock();
        let idle = resting.by_key.get_mut(key)?;
        let before = idle.len();
        idle.retain(IdleConnection::is_usable);
        let taken = idle.pop();
        let (left, gone) = (idle.len(), before - idle.len());
        resting.count -= gone;
        if left == 0 {
            resting.by_key.remove(key);
        }
        taken.map(|idle| idle.connection)
    }

    pub(super) fn add_idle(&self, key: PoolKey, connection: AuthorityConnection) {
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
            idle.push(IdleConnection { connection, since: now });
            resting.count += 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, IdleConnections> {
        // the state is never left half changed, so a poisoned lock is usable
        self.idle_connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IdleConnections {
    /// Removes unusable connections, also of servers and certificates that are no longer called.
    fn sweep(&mut self, now: Instant) {
        self.by_key.retain(|_, idle| {
            idle.retain(IdleConnection::is_usable);
            !idle.is_empty()
        });
        self.count = self.by_key.values().map(Vec::len).sum();
        self.swept = Some(now);
    }
}

impl IdleConnection {
    fn is_usable(&self) -> bool {
        self.since.elapsed() < LONGEST_REST && !self.connection.sender.is_closed()
    }
}

const MOST_PER_KEY: usize = 16;
/// Most idle connections; each holds some 50 KB of TLS buffers.
const MOST_RESTING: usize = 1024;
/// Longest idle time, well below that of IIS (120 s): when the server closes first, a request sent at that moment is in
/// doubt.
const LONGEST_REST: Duration = Duration::from_secs(20);
const BETWEEN_SWEEPS: Duration = Duration::from_secs(5);
