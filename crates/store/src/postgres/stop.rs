//! A queue with a leader: a caller that finds no leader becomes it and processes batches; other callers are members of
//! the next batch.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Queue of members with at most one leader.
pub(super) struct Stop<P>(Mutex<Waiting<P>>);

struct Waiting<P> {
    passengers: Vec<P>,
    driven: bool,
}

/// State of the queue after an entry.
pub(super) struct Boarded {
    /// Length of the queue, including the new member.
    pub(super) there: usize,
    /// `true` if the caller must become the leader.
    pub(super) drives: bool,
}

impl<P> Stop<P> {
    /// Adds a member.
    pub(super) fn board(&self, passenger: P) -> Boarded {
        let mut waiting = self.lock();
        waiting.passengers.push(passenger);
        let drives = !std::mem::replace(&mut waiting.driven, true);
        Boarded { there: waiting.passengers.len(), drives }
    }

    /// Length of the queue.
    pub(super) fn len(&self) -> usize {
        self.lock().passengers.len()
    }

    /// Handle of the leader.
    pub(super) fn driver(&self) -> Driver<'_, P> {
        Driver { stop: self, has_left: false }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<P>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P> Default for Stop<P> {
    fn default() -> Self {
        Stop(Mutex::new(Waiting { passengers: Vec::new(), driven: false }))
    }
}

/// The leader. If it ends early, with its runtime or by a panic, the waiting members are dropped unanswered, and the
/// next caller becomes the leader.
pub(super) struct Driver<'s, P> {
    stop: &'s Stop<P>,
    has_left: bool,
}

impl<P> Driver<'_, P> {
    /// Takes at most `most` members; without members returns `None` and ends the leadership.
    pub(super) fn next(&mut self, most: usize) -> Option<Vec<P>> {
        let mut waiting = self.stop.lock();
        if waiting.passengers.is_empty() {
            waiting.driven = false;
            self.has_left = true;
            return None;
        }
        let taken = waiting.passengers.len().min(most);
        let behind = waiting.passengers.split_off(taken);
        Some(std::mem::replace(&mut waiting.passengers, behind))
    }
}

impl<P> Drop for Driver<'_, P> {
    fn drop(&mut self) {
        if !self.has_left {
            let mut waiting = self.stop.lock();
            waiting.passengers.clear();
            waiting.driven = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_drives_until_nobody_waits_and_the_next_one_drives_again() {
        let stop = Stop::default();
        let boarded = |passenger| {
            let Boarded { there, drives } = stop.board(passenger);
            (there, drives)
        };
        assert_eq!((boarded('a'), boarded('b'), boarded('c')), ((1, true), (2, false), (3, false)));
        let mut driver = stop.driver();
        assert_eq!(driver.next(2), Some(vec!['a', 'b']));
        assert_eq!(stop.len(), 1);
        assert_eq!((driver.next(2), driver.next(2)), (Some(vec!['c']), None));
        assert_eq!(boarded('d'), (1, true), "another drives");
        drop(driver);
        assert_eq!(stop.len(), 1, "whoever has left takes nobody along");
    }

    #[test]
    fn whoever_waits_for_a_driver_that_fell_out_is_sent_away() {
        let stop = Stop::default();
        let (told, asked) = std::sync::mpsc::channel::<()>();
        assert!(stop.board(told).drives);
        drop(stop.driver());
        assert!(asked.recv().is_err(), "dropped unanswered");
        assert!(stop.board(std::sync::mpsc::channel().0).drives);
    }
}
