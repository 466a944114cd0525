//! A queue with a leader: a caller that finds no leader becomes it and processes batches; other callers are members of
//! the next batch.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Queue of members with at most one leader.
pub(super) struct LeaderQueue<P>(Mutex<LeaderQueueState<P>>);

struct LeaderQueueState<P> {
    members: Vec<P>,
    has_leader: bool,
}

/// State of the queue after an entry.
pub(super) struct QueueEntry {
    /// Length of the queue, including the new member.
    pub(super) length: usize,
    /// `true` if the caller must become the leader.
    pub(super) leads: bool,
}

impl<P> LeaderQueue<P> {
    /// Adds a member.
    pub(super) fn enqueue(&self, passenger: P) -> QueueEntry {
        let mut waiting = self.lock();
        waiting.members.push(passenger);
        let drives = !std::mem::replace(&mut waiting.has_leader, true);
        QueueEntry { length: waiting.members.len(), leads: drives }
    }

    /// Length of the queue.
    pub(super) fn len(&self) -> usize {
        self.lock().members.len()
    }

    /// Handle of the leader.
    pub(super) fn leader(&self) -> Leader<'_, P> {
        Leader { queue: self, is_finished: false }
    }

    fn lock(&self) -> MutexGuard<'_, LeaderQueueState<P>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P> Default for LeaderQueue<P> {
    fn default() -> Self {
        LeaderQueue(Mutex::new(LeaderQueueState { members: Vec::new(), has_leader: false }))
    }
}

/// The leader. If it ends early, with its runtime or by a panic, the waiting members are dropped unanswered, and the
/// next caller becomes the leader.
pub(super) struct Leader<'s, P> {
    queue: &'s LeaderQueue<P>,
    is_finished: bool,
}

impl<P> Leader<'_, P> {
    /// Takes at most `most` members; without members returns `None` and ends the leadership.
    pub(super) fn next_batch(&mut self, most: usize) -> Option<Vec<P>> {
        let mut waiting = self.queue.lock();
        if waiting.members.is_empty() {
            waiting.has_leader = false;
            self.is_finished = true;
            return None;
        }
        let taken = waiting.members.len().min(most);
        let behind = waiting.members.split_off(taken);
        Some(std::mem::replace(&mut waiting.members, behind))
    }
}

impl<P> Drop for Leader<'_, P> {
    fn drop(&mut self) {
        if !self.is_finished {
            let mut waiting = self.queue.lock();
            waiting.members.clear();
            waiting.has_leader = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_drives_until_nobody_waits_and_the_next_one_drives_again() {
        let stop = LeaderQueue::default();
        let boarded = |passenger| {
            let QueueEntry { length: there, leads: drives } = stop.enqueue(passenger);
            (there, drives)
        };
        assert_eq!((boarded('a'), boarded('b'), boarded('c')), ((1, true), (2, false), (3, false)));
        let mut driver = stop.leader();
        assert_eq!(driver.next_batch(2), Some(vec!['a', 'b']));
        assert_eq!(stop.len(), 1);
        assert_eq!((driver.next_batch(2), driver.next_batch(2)), (Some(vec!['c']), None));
        assert_eq!(boarded('d'), (1, true), "another drives");
        drop(driver);
        assert_eq!(stop.len(), 1, "whoever has left takes nobody along");
    }

    #[test]
    fn whoever_waits_for_a_driver_that_fell_out_is_sent_away() {
        let stop = LeaderQueue::default();
        let (told, asked) = std::sync::mpsc::channel::<()>();
        assert!(stop.enqueue(told).leads);
        drop(stop.leader());
        assert!(asked.recv().is_err(), "dropped unanswered");
        assert!(stop.enqueue(std::sync::mpsc::channel().0).leads);
    }
}
