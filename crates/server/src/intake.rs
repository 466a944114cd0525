//! What is under way in this process, and its bounds: the memory of request bodies, in all and per caller, and the
//! requests of one caller at a time.
//!
//! A body is counted as it arrives, and with what reading it will take; its share is given back when the request is
//! answered, however it ends. Must not know: HTTP, routes.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

/// Whose body it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// A tenant, by whichever credential.
    Tenant(Uuid),
    /// Nobody we know, by address.
    Address(IpAddr),
}

/// Whose bound is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// The caller's own.
    Owner,
    /// That of all together.
    All,
}

/// Amounts that are held, by owner, below a bound for one and one for all.
pub(crate) struct Tally<K> {
    of_one: usize,
    of_all: usize,
    held: Mutex<Held<K>>,
}

struct Held<K> {
    all: usize,
    of: HashMap<K, usize>,
}

/// What one request holds. Dropped, it is free again.
pub(crate) struct Share<K: Eq + Hash + Copy> {
    tally: Arc<Tally<K>>,
    owner: K,
    amount: usize,
}

impl<K: Eq + Hash + Copy> Tally<K> {
    /// Nothing is held yet.
    pub(crate) fn new(of_one: usize, of_all: usize) -> Arc<Tally<K>> {
        Arc::new(Tally { of_one, of_all, held: Mutex::new(Held { all: 0, of: HashMap::new() }) })
    }

    /// A share of nothing, that may grow.
    pub(crate) fn share(self: &Arc<Tally<K>>, owner: K) -> Share<K> {
        Share { tally: Arc::clone(self), owner, amount: 0 }
    }
}

impl<K: Eq + Hash + Copy> Share<K> {
    /// Takes as much more, or nothing.
    pub(crate) fn grow(&mut self, by: usize) -> Result<(), Full> {
        let mut held = self.tally.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = held.of.get(&self.owner).copied().unwrap_or_default();
        if mine.saturating_add(by) > self.tally.of_one {
            return Err(Full::Owner);
        }
        if held.all.saturating_add(by) > self.tally.of_all {
            return Err(Full::All);
        }
        held.all += by;
        held.of.insert(self.owner, mine + by);
        self.amount += by;
        Ok(())
    }
}

impl<K: Eq + Hash + Copy> Drop for Share<K> {
    fn drop(&mut self) {
        let mut held = self.tally.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.all = held.all.saturating_sub(self.amount);
        let left = held.of.get(&self.owner).copied().unwrap_or_default().saturating_sub(self.amount);
        if left == 0 {
            held.of.remove(&self.owner);
        } else {
            held.of.insert(self.owner, left);
        }
    }
}

/// What a request holds until it is answered; its clones are one.
#[derive(Clone, Default)]
pub(crate) struct UntilAnswered(Arc<Mutex<HeldByRequest>>);

#[derive(Default)]
struct HeldByRequest {
    body: Option<Share<Owner>>,
    others: Vec<Box<dyn Send>>,
}

impl UntilAnswered {
    /// Keeps this until then.
    pub(crate) fn hold(&self, what: impl Send + 'static) {
        self.held().others.push(Box::new(what));
    }

    /// Keeps the room of the body until then, or until nobody needs it.
    pub(crate) fn hold_body(&self, share: Share<Owner>) {
        self.held().body = Some(share);
    }

    /// What came is registered, and the request only waits: its body is nobody's any more.
    pub(crate) fn let_body_go(&self) {
        let body = self.held().body.take();
        drop(body);
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HeldByRequest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_a_bound_all_have_a_bound_and_what_ends_is_free_again() {
        let tally = Tally::new(10, 25);
        let of = |owner, amount| {
            let mut share = tally.share(owner);
            share.grow(amount).map(|()| share)
        };
        let mut first = of(1, 6).unwrap();
        assert_eq!(first.grow(5), Err(Full::Owner));
        assert_eq!(first.grow(4), Ok(()));
        assert_eq!(of(1, 1).err(), Some(Full::Owner));
        let others = [of(2, 10).unwrap(), of(3, 5).unwrap()];
        assert_eq!(of(4, 1).err(), Some(Full::All));
        drop(first);
        assert!(of(1, 10).is_ok());
        drop(others);
        let (until_answered, tally_of_bodies) = (UntilAnswered::default(), Tally::new(10, 25));
        let mut body = tally_of_bodies.share(Owner::Tenant(Uuid::nil()));
        body.grow(7).unwrap();
        until_answered.hold_body(body);
        assert_eq!(tally_of_bodies.held.lock().unwrap().all, 7);
        until_answered.let_body_go();
        assert_eq!(tally_of_bodies.held.lock().unwrap().all, 0);
        let held = tally.held.lock().unwrap();
        assert!(held.all == 0 && held.of.is_empty());
    }
}
