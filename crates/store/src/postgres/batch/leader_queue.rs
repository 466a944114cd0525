//! A queue with a leader: a caller that finds no leader becomes it and processes batches; other callers are members of
//! the next batch.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Queue of members with at most one leader.
pub(super) struct LeaderQueue<T>(Mutex<LeaderQueueState<T>>);

struct LeaderQueueState<T> {
    members: Vec<T>,
    has_leader: bool,
}

/// State of the queue after an entry.
pub(super) struct QueueEntry {
    /// Length of the queue, including the new member.
    pub(super) length: usize,
    /// `true` if the caller must become the leader.
    pub(super) leads: bool,
}

impl<T> LeaderQueue<T> {
    /// Adds a member.
    pub(super) fn enqueue(&self, member: T) -> QueueEntry {
        let mut state = self.lock();
        state.members.push(member);
        let leads = !std::mem::replace(&mut state.has_leader, true);
        QueueEntry { length: state.members.len(), leads }
    }

    /// Length of the queue.
    pub(super) fn len(&self) -> usize {
        self.lock().members.len()
    }

    /// Handle of the leader.
    pub(super) fn leader(&self) -> Leader<'_, T> {
        Leader { queue: self, is_finished: false }
    }

    fn lock(&self) -> MutexGuard<'_, LeaderQueueState<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for LeaderQueue<T> {
    fn default() -> Self {
        LeaderQueue(Mutex::new(LeaderQueueState { members: Vec::new(), has_leader: false }))
    }
}

/// The leader. If it ends early, with its runtime or by a panic, the waiting members are dropped unanswered, and the
/// next caller becomes the leader.
pub(super) struct Leader<'s, T> {
    queue: &'s LeaderQueue<T>,
    is_finished: bool,
}

impl<T> Leader<'_, T> {
    /// Takes at most `most` members; without members returns `None` and ends the leadership.
    pub(super) fn next_batch(&mut self, most: usize) -> Option<Vec<T>> {
        let mut state = self.queue.lock();
        if state.members.is_empty() {
            state.has_leader = false;
            self.is_finished = true;
            return None;
        }
        let taken = state.members.len().min(most);
        let rest = state.members.split_off(taken);
        Some(std::mem::replace(&mut state.members, rest))
    }
}

impl<T> Drop for Leader<'_, T> {
    fn drop(&mut self) {
        if !self.is_finished {
            let mut state = self.queue.lock();
            state.members.clear();
            state.has_leader = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_leads_until_the_queue_is_empty_and_the_next_one_leads_again() {
        let queue = LeaderQueue::default();
        let entry = |member| {
            let QueueEntry { length, leads } = queue.enqueue(member);
            (length, leads)
        };
        assert_eq!((entry('a'), entry('b'), entry('c')), ((1, true), (2, false), (3, false)));
        let mut leader = queue.leader();
        assert_eq!(leader.next_batch(2), Some(vec!['a', 'b']));
        assert_eq!(queue.len(), 1);
        assert_eq!((leader.next_batch(2), leader.next_batch(2)), (Some(vec!['c']), None));
        assert_eq!(entry('d'), (1, true), "another leads");
        drop(leader);
        assert_eq!(queue.len(), 1, "a finished leader drops no member");
    }

    #[test]
    fn members_of_a_leader_that_ended_early_are_dropped() {
        let queue = LeaderQueue::default();
        let (caller, answer) = std::sync::mpsc::channel::<()>();
        assert!(queue.enqueue(caller).leads);
        drop(queue.leader());
        assert!(answer.recv().is_err(), "dropped unanswered");
        assert!(queue.enqueue(std::sync::mpsc::channel().0).leads);
    }
}
