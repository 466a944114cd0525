//! Budgets of work in flight in this process: memory of request bodies, in all and per caller, and requests per caller.
//!
//! A body is counted as it arrives, together with the memory that parsing it takes; its share is released when the
//! request is answered, however it ends. Must not know: HTTP, routes.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

/// Owner of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BodyOwner {
    /// A tenant, by any credential.
    Tenant(Uuid),
    /// An unauthenticated caller, by address.
    Address(IpAddr),
}

/// The bound that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BudgetExceeded {
    /// The owner's bound.
    Owner,
    /// The bound of all owners together.
    All,
}

/// Held amounts by owner, with a bound per owner and a bound of all.
pub(crate) struct InFlightBudget<K> {
    of_one: usize,
    of_all: usize,
    held: Mutex<HeldAmounts<K>>,
}

struct HeldAmounts<K> {
    all: usize,
    of: HashMap<K, usize>,
}

/// The amount that a request holds. Released on drop.
pub(crate) struct BudgetShare<K: Eq + Hash + Copy> {
    tally: Arc<InFlightBudget<K>>,
    owner: K,
    amount: usize,
}

impl<K: Eq + Hash + Copy> InFlightBudget<K> {
    /// An empty budget.
    pub(crate) fn new(of_one: usize, of_all: usize) -> Arc<InFlightBudget<K>> {
        Arc::new(InFlightBudget { of_one, of_all, held: Mutex::new(HeldAmounts { all: 0, of: HashMap::new() }) })
    }

    /// A share of zero, which may grow.
    pub(crate) fn share(self: &Arc<InFlightBudget<K>>, owner: K) -> BudgetShare<K> {
        BudgetShare { tally: Arc::clone(self), owner, amount: 0 }
    }
}

impl<K: Eq + Hash + Copy> BudgetShare<K> {
    /// Adds `by` to the share, or changes nothing when a bound is reached.
    pub(crate) fn grow(&mut self, by: usize) -> Result<(), BudgetExceeded> {
        let mut held = self.tally.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = held.of.get(&self.owner).copied().unwrap_or_default();
        if mine.saturating_add(by) > self.tally.of_one {
            return Err(BudgetExceeded::Owner);
        }
        if held.all.saturating_add(by) > self.tally.of_all {
            return Err(BudgetExceeded::All);
        }
        held.all += by;
        held.of.insert(self.owner, mine + by);
        self.amount += by;
        Ok(())
    }
}

impl<K: Eq + Hash + Copy> Drop for BudgetShare<K> {
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

/// Resources held until a request is answered. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct RequestHolds(Arc<Mutex<HeldByRequest>>);

#[derive(Default)]
struct HeldByRequest {
    body: Option<BudgetShare<BodyOwner>>,
    others: Vec<Box<dyn Send>>,
}

impl RequestHolds {
    /// Holds a value until the request is answered.
    pub(crate) fn hold(&self, what: impl Send + 'static) {
        self.held().others.push(Box::new(what));
    }

    /// Holds the memory share of the body until the request is answered or the body is released.
    pub(crate) fn hold_body(&self, share: BudgetShare<BodyOwner>) {
        self.held().body = Some(share);
    }

    /// Releases the memory share of the body: the order is registered and the request only waits.
    pub(crate) fn release_body(&self) {
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
        let tally = InFlightBudget::new(10, 25);
        let of = |owner, amount| {
            let mut share = tally.share(owner);
            share.grow(amount).map(|()| share)
        };
        let mut first = of(1, 6).unwrap();
        assert_eq!(first.grow(5), Err(BudgetExceeded::Owner));
        assert_eq!(first.grow(4), Ok(()));
        assert_eq!(of(1, 1).err(), Some(BudgetExceeded::Owner));
        let others = [of(2, 10).unwrap(), of(3, 5).unwrap()];
        assert_eq!(of(4, 1).err(), Some(BudgetExceeded::All));
        drop(first);
        assert!(of(1, 10).is_ok());
        drop(others);
        let (until_answered, tally_of_bodies) = (RequestHolds::default(), InFlightBudget::new(10, 25));
        let mut body = tally_of_bodies.share(BodyOwner::Tenant(Uuid::nil()));
        body.grow(7).unwrap();
        until_answered.hold_body(body);
        assert_eq!(tally_of_bodies.held.lock().unwrap().all, 7);
        until_answered.release_body();
        assert_eq!(tally_of_bodies.held.lock().unwrap().all, 0);
        let held = tally.held.lock().unwrap();
        assert!(held.all == 0 && held.of.is_empty());
    }
}
