//! Open connections: a bound for each address and one for all, and the choice of a connection to close when a new one
//! finds no room.
//!
//! Idle connections are closed first: the longest idle of the new connection's own address, or of the address with the
//! most; not a recent one of an address that has no more than the new connection's will have. When all others are
//! serving requests, the newest of the address with the most is closed; among addresses with equal counts, the oldest
//! recent one; when no address has more than the new connection's, the new one is refused. Trusted proxies stand for
//! many callers: they count in the bound of all and not by address.
//!
//! Must not know: HTTP.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use outbound::IpNetwork;
use tokio::sync::Notify;

use crate::edge;

/// Counts refused connections.
fn refused() -> metrics::Counter {
    metrics::counter!("carimbo_http_connections_refused_total")
}

/// Creates the counters at zero.
pub(crate) fn begin_counters() {
    refused().increment(0);
}

/// Bounds of the number of connections and of their idle time.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionBounds {
    /// Connections in all.
    pub(crate) in_all: usize,
    /// Connections of one address.
    pub(crate) of_one: usize,
    /// Networks whose addresses are not counted.
    pub(crate) trusted: Vec<IpNetwork>,
    /// Longest wait for the head of a request, and between two requests.
    pub(crate) idle: Duration,
    /// Longest time in which a peer reads none of the bytes written to it.
    pub(crate) write: Duration,
}

/// All open connections of a listener.
pub(super) struct Connections {
    bounds: ConnectionBounds,
    started: Instant,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    next: u64,
    all: HashMap<u64, Arc<ConnectionState>>,
    of: HashMap<IpAddr, usize>,
}

/// State of a connection.
pub(super) struct ConnectionState {
    /// Address by which it is counted; `None` for a trusted proxy.
    home: Option<IpAddr>,
    started: Instant,
    /// Requests in progress.
    busy: AtomicUsize,
    /// Milliseconds from the listener's start to its last byte or request.
    active: AtomicU64,
    /// Bytes written to the peer.
    written: AtomicU64,
    /// Requests begun.
    begun: AtomicU64,
    closing: Notify,
}

/// A place among the open connections. Freed on drop.
pub(super) struct ConnectionPermit {
    connections: Arc<Connections>,
    id: u64,
    connection: Arc<ConnectionState>,
}

impl Connections {
    pub(super) fn new(bounds: ConnectionBounds) -> Arc<Connections> {
        Arc::new(Connections { bounds, started: Instant::now(), open: Mutex::default() })
    }

    pub(super) fn bounds(&self) -> &ConnectionBounds {
        &self.bounds
    }

    /// A place for a new connection, if necessary by closing another; `None` when no other may be closed for it.
    pub(super) fn admit(self: &Arc<Connections>, peer: IpAddr) -> Option<ConnectionPermit> {
        let entry = self.find_place(peer);
        if entry.is_none() {
            refused().increment(1);
        }
        entry
    }

    fn find_place(self: &Arc<Connections>, peer: IpAddr) -> Option<ConnectionPermit> {
        let peer = peer.to_canonical();
        let trusted = self.bounds.trusted.iter().any(|network| network.contains(peer));
        let home = (!trusted).then(|| edge::subscriber_address(peer));
        let mut open = self.open();
        if open.count(home) >= self.bounds.of_one && !open.close_idle(|_, other| other.home == home) {
            return None;
        }
        let full = open.all.len() >= self.bounds.in_all;
        let room = !full
            || open.close_idle_for(home)
            || open.close_newest_of_largest(home)
            || open.close_oldest_of_equals(home);
        if !room {
            return None;
        }
        Some(self.register_connection(&mut open, home))
    }

    /// Closes the longest idle connection of the address with the most, to free a file descriptor. False when none is
    /// idle.
    pub(super) fn close_longest_idle(&self) -> bool {
        self.open().close_idle(|_, _| true)
    }

    fn register_connection(
        self: &Arc<Connections>,
        open: &mut OpenConnections,
        home: Option<IpAddr>,
    ) -> ConnectionPermit {
        let connection = ConnectionState::new(home, self.started);
        metrics::gauge!("carimbo_http_connections").increment(1.0);
        let id = open.next;
        open.next += 1;
        open.all.insert(id, Arc::clone(&connection));
        if let Some(home) = home {
            *open.of.entry(home).or_default() += 1;
        }
        ConnectionPermit { connections: Arc::clone(self), id, connection }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn count(&self, home: Option<IpAddr>) -> usize {
        home.and_then(|home| self.of.get(&home)).copied().unwrap_or_default()
    }

    /// Closes the longest idle connection of the address with the most.
    fn close_idle(&mut self, among: impl Fn(&OpenConnections, &ConnectionState) -> bool) -> bool {
        let idle = self.all.iter().filter(|(_, other)| other.busy.load(Ordering::Relaxed) == 0 && among(self, other));
        // of two idle since the same millisecond the older is closed
        let first = idle.max_by_key(|(id, other)| {
            (self.count(other.home), Reverse(other.active.load(Ordering::Relaxed)), Reverse(**id))
        });
        let id = first.map(|(id, _)| *id);
        id.is_some_and(|id| self.close(id))
    }

    /// Closes an idle connection for a new one. A recent connection without a request is spared, unless its address has
    /// more than the new connection's will have.
    fn close_idle_for(&mut self, newcomer: Option<IpAddr>) -> bool {
        let own = self.count(newcomer);
        self.close_idle(|open, other| open.count(other.home) > own + 1 || !other.is_recently_active())
    }

    /// Closes the oldest recent connection of an address that has as many as the new connection's will have.
    fn close_oldest_of_equals(&mut self, newcomer: Option<IpAddr>) -> bool {
        let own = self.count(newcomer);
        self.close_idle(|open, other| open.count(other.home) > own)
    }

    /// Closes the newest connection of the address with the most, when that has more than the new connection's will
    /// have.
    fn close_newest_of_largest(&mut self, newcomer: Option<IpAddr>) -> bool {
        let greediest = self.of.iter().max_by_key(|(_, count)| **count).map(|(home, count)| (*home, *count));
        let Some((home, _)) = greediest.filter(|(_, count)| *count > self.count(newcomer) + 1) else { return false };
        let newest = self.all.iter().filter(|(_, other)| other.home == Some(home)).map(|(id, _)| *id).max();
        newest.is_some_and(|id| self.close(id))
    }

    fn close(&mut self, id: u64) -> bool {
        let closed = self.remove(id);
        if let Some(connection) = &closed {
            connection.closing.notify_one();
        }
        closed.is_some()
    }

    fn remove(&mut self, id: u64) -> Option<Arc<ConnectionState>> {
        let connection = self.all.remove(&id)?;
        metrics::gauge!("carimbo_http_connections").decrement(1.0);
        if let Some(home) = connection.home
            && let Some(count) = self.of.get_mut(&home)
        {
            *count -= 1;
            if *count == 0 {
                self.of.remove(&home);
            }
        }
        Some(connection)
    }
}

impl ConnectionPermit {
    pub(super) fn connection(&self) -> Arc<ConnectionState> {
        Arc::clone(&self.connection)
    }

    /// Waits until the connection is closed for another one, or has been unproductive for too long.
    pub(super) async fn wait_until_evicted(&self) {
        tokio::select! {
            () = self.connection.closing.notified() => {}
            () = self.wait_until_unproductive() => {}
        }
    }

    /// Waits until a whole idle time passes without a request and with fewer than `LEAST_WRITTEN` bytes written.
    /// HTTP/1.1 has its own limit between two requests; a peer of HTTP/2 could keep its connection by answering pings,
    /// and hold answers by never opening its window.
    async fn wait_until_unproductive(&self) {
        let idle = self.connections.bounds.idle.max(self.connections.bounds.write);
        let connection = &self.connection;
        let seen = || (connection.begun.load(Ordering::Relaxed), connection.written.load(Ordering::Relaxed));
        loop {
            let (begun, written) = seen();
            tokio::time::sleep(idle).await;
            let (begun_since, written_since) = seen();
            let busy = connection.busy.load(Ordering::Relaxed) > 0 || begun_since > begun;
            if !busy && written_since - written < LEAST_WRITTEN {
                return;
            }
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        // may already have been closed for another connection
        self.connections.open().remove(self.id);
    }
}

impl ConnectionState {
    /// A new connection of a listener that started at `started`.
    pub(super) fn new(home: Option<IpAddr>, started: Instant) -> Arc<ConnectionState> {
        Arc::new(ConnectionState {
            home,
            started,
            busy: AtomicUsize::new(0),
            active: AtomicU64::new(millis(started)),
            written: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            closing: Notify::new(),
        })
    }

    /// Marks a request as in progress until the returned guard is dropped.
    pub(super) fn begin_request(self: &Arc<ConnectionState>) -> ActiveRequest {
        self.busy.fetch_add(1, Ordering::Relaxed);
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.touch();
        ActiveRequest(Arc::clone(self))
    }

    /// Counts bytes written to the peer.
    pub(super) fn wrote(&self, bytes: usize) {
        self.written.fetch_add(bytes as u64, Ordering::Relaxed);
        self.touch();
    }

    /// True when its last activity is so recent that its next request may be on the way.
    fn is_recently_active(&self) -> bool {
        millis(self.started).saturating_sub(self.active.load(Ordering::Relaxed)) < RECENT_MS
    }

    /// Records activity.
    pub(super) fn touch(&self) {
        self.active.store(millis(self.started), Ordering::Relaxed);
    }
}

/// A request in progress. Ends on drop.
pub(super) struct ActiveRequest(Arc<ConnectionState>);

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
        self.0.touch();
    }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds within which a request follows its connection, on a slow network too.
const RECENT_MS: u64 = 1_000;
/// Bytes below which a peer counts as not reading its answer in the idle time.
const LEAST_WRITTEN: u64 = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(of_one: usize, in_all: usize) -> Arc<Connections> {
        let (idle, write) = (Duration::from_secs(30), Duration::from_secs(30));
        Connections::new(ConnectionBounds { in_all, of_one, trusted: vec!["10.0.0.0/8".parse().unwrap()], idle, write })
    }

    fn from(last: u8) -> IpAddr {
        IpAddr::from([203, 0, 113, last])
    }

    fn is_open(connections: &Connections, entry: &ConnectionPermit) -> bool {
        connections.open().all.contains_key(&entry.id)
    }

    #[test]
    fn the_longest_silent_of_the_same_address_makes_room() {
        let connections = connections(2, 9);
        let (other, one, two) = (connections.admit(from(2)), connections.admit(from(1)), connections.admit(from(1)));
        let (other, one, two) = (other.unwrap(), one.unwrap(), two.unwrap());
        one.connection.active.store(u64::MAX, Ordering::Relaxed);
        let three = connections.admit(from(1)).unwrap();
        let open = [&other, &one, &two, &three].map(|entry| is_open(&connections, entry));
        assert_eq!(open, [true, true, false, true]);
        // the closed connection is not counted down twice when it ends
        drop(two);
        assert_eq!(connections.open().of[&from(1)], 2);
    }

    #[test]
    fn who_is_being_served_stays_and_the_newcomer_of_its_address_is_refused() {
        let connections = connections(2, 9);
        let entries = [connections.admit(from(1)).unwrap(), connections.admit(from(1)).unwrap()];
        let served = entries.each_ref().map(|entry| entry.connection.begin_request());
        assert!(connections.admit(from(1)).is_none());
        drop(served);
        assert!(connections.admit(from(1)).is_some());
    }

    #[test]
    fn when_all_are_served_the_newest_of_the_greediest_goes() {
        let connections = connections(9, 4);
        let greedy = [1, 1, 1].map(|last| connections.admit(from(last)).unwrap());
        let other = connections.admit(from(2)).unwrap();
        let served: Vec<ActiveRequest> =
            greedy.iter().chain([&other]).map(|entry| entry.connection.begin_request()).collect();
        assert!(connections.admit(from(1)).is_none());
        let third = connections.admit(from(3)).unwrap();
        let open = greedy.each_ref().map(|entry| is_open(&connections, entry));
        assert_eq!((open, is_open(&connections, &other)), ([true, true, false], true));
        drop((served, third));
    }

    #[test]
    fn who_has_just_come_is_not_turned_out_by_those_who_have_more() {
        let connections = connections(9, 3);
        let greedy = [1, 1].map(|last| connections.admit(from(last)).unwrap());
        let served: Vec<ActiveRequest> = greedy.iter().map(|entry| entry.connection.begin_request()).collect();
        let other = connections.admit(from(2)).unwrap();
        assert!(connections.admit(from(1)).is_none());
        assert!(is_open(&connections, &other));
        drop(served);
    }

    #[test]
    fn one_guest_is_not_turned_out_by_another_while_the_greedy_are_served() {
        let connections = connections(9, 4);
        let greedy = [1, 1, 1].map(|last| connections.admit(from(last)).unwrap());
        let served: Vec<ActiveRequest> = greedy.iter().map(|entry| entry.connection.begin_request()).collect();
        // its request is on the way, and no other connection is idle
        let guest = connections.admit(from(2)).unwrap();
        let another = connections.admit(from(3)).unwrap();
        let open = greedy.each_ref().map(|entry| is_open(&connections, entry));
        assert_eq!((is_open(&connections, &guest), open), (true, [true, true, false]));
        drop((served, another));
    }

    #[test]
    fn of_equals_who_came_first_makes_room() {
        let connections = connections(9, 2);
        let guests = [1, 2].map(|last| connections.admit(from(last)).unwrap());
        let third = connections.admit(from(3)).unwrap();
        let open = guests.each_ref().map(|entry| is_open(&connections, entry));
        assert_eq!((open, is_open(&connections, &third)), ([false, true], true));
    }

    #[test]
    fn a_trusted_proxy_is_many_callers_and_one_subscriber_of_ipv6_is_one() {
        let connections = connections(2, 6);
        let proxy: Vec<ConnectionPermit> =
            (0..4).map(|_| connections.admit(IpAddr::from([10, 0, 0, 1])).unwrap()).collect();
        let _served: Vec<ActiveRequest> = proxy.iter().map(|entry| entry.connection.begin_request()).collect();
        let v6 = |last: u16| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]);
        let (one, two) = (connections.admit(v6(1)).unwrap(), connections.admit(v6(2)).unwrap());
        let third = connections.admit(v6(3)).unwrap();
        assert!(!is_open(&connections, &one) && is_open(&connections, &two) && is_open(&connections, &third));
        assert_eq!(connections.open().all.len(), 6);
    }
}
