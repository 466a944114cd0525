//! Limits of concurrent deliveries: in all, per tenant, per host.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use uuid::Uuid;

/// The limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeliveryLimits {
    pub(super) in_all: usize,
    pub(super) per_tenant: usize,
    pub(super) per_host: usize,
}

/// Slots, with the tenant and host of each running delivery.
pub(super) struct DeliverySlots<Id> {
    bounds: DeliveryLimits,
    taken: HashMap<Id, (Uuid, String)>,
}

impl<Id: Eq + Hash> DeliverySlots<Id> {
    pub(super) fn new(bounds: DeliveryLimits) -> DeliverySlots<Id> {
        let DeliveryLimits { in_all, per_tenant, per_host } = bounds;
        let bounds = DeliveryLimits { in_all: in_all.max(1), per_tenant: per_tenant.max(1), per_host: per_host.max(1) };
        DeliverySlots { bounds, taken: HashMap::new() }
    }

    /// Deliveries that may be claimed now without any tenant or host passing its limit, whatever their distribution.
    pub(super) fn claimable(&self) -> u32 {
        let free = self.bounds.in_all.saturating_sub(self.taken.len());
        let tenants = free_of_busiest(&count(self.taken.values().map(|(tenant, _)| *tenant)), self.bounds.per_tenant);
        let hosts = free_of_busiest(&count(self.taken.values().map(|(_, host)| host.as_str())), self.bounds.per_host);
        u32::try_from(free.min(tenants).min(hosts)).unwrap_or(u32::MAX)
    }

    /// Tenants without a free slot.
    pub(super) fn full_tenants(&self) -> BTreeSet<Uuid> {
        let held = count(self.taken.values().map(|(tenant, _)| *tenant));
        held.into_iter().filter(|(_, held)| *held >= self.bounds.per_tenant).map(|(tenant, _)| tenant).collect()
    }

    /// Hosts without a free slot.
    pub(super) fn full_hosts(&self) -> BTreeSet<String> {
        let held = count(self.taken.values().map(|(_, host)| host.as_str()));
        held.into_iter().filter(|(_, held)| *held >= self.bounds.per_host).map(|(host, _)| host.to_owned()).collect()
    }

    pub(super) fn occupy(&mut self, id: Id, tenant: Uuid, host: String) {
        self.taken.insert(id, (tenant, host));
    }

    pub(super) fn release(&mut self, id: &Id) {
        self.taken.remove(id);
    }
}

fn count<K: Eq + Hash>(holders: impl Iterator<Item = K>) -> HashMap<K, usize> {
    let mut held = HashMap::new();
    for holder in holders {
        *held.entry(holder).or_insert(0) += 1;
    }
    held
}

/// Free slots of the busiest holder that is not full.
fn free_of_busiest<K>(held: &HashMap<K, usize>, limit: usize) -> usize {
    limit - held.values().copied().filter(|held| *held < limit).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(taken: &[(u128, &str)]) -> DeliverySlots<usize> {
        let mut places = DeliverySlots::new(DeliveryLimits { in_all: 10, per_tenant: 4, per_host: 2 });
        for (id, (tenant, host)) in taken.iter().enumerate() {
            places.occupy(id, Uuid::from_u128(*tenant), (*host).to_owned());
        }
        places
    }

    #[test]
    fn no_claim_can_make_a_tenant_or_a_host_pass_its_limit() {
        assert_eq!(places(&[]).claimable(), 2);
        assert_eq!(places(&[(1, "a")]).claimable(), 1);
        assert_eq!(places(&[(1, "a"), (1, "b"), (1, "c")]).claimable(), 1);
    }

    #[test]
    fn who_is_full_is_left_out_and_holds_nobody_back() {
        let places = places(&[(1, "a"), (1, "a"), (1, "b"), (1, "b")]);
        assert_eq!(places.full_hosts(), BTreeSet::from(["a".to_owned(), "b".to_owned()]));
        assert_eq!(places.full_tenants(), BTreeSet::from([Uuid::from_u128(1)]));
        assert_eq!(places.claimable(), 2);
    }

    #[test]
    fn an_end_frees_its_place() {
        let mut places = places(&[(1, "a"), (2, "a")]);
        places.release(&0);
        assert!(places.full_hosts().is_empty());
    }
}
