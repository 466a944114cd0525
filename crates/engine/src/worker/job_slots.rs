//! Limits of concurrent jobs, in all and per authority.

use std::collections::HashMap;
use std::hash::Hash;

/// Slots, with the authority of each running job.
pub(super) struct JobSlots<Id> {
    in_all: usize,
    per_authority: usize,
    taken: HashMap<Id, String>,
}

impl<Id: Eq + Hash> JobSlots<Id> {
    /// No slot is taken.
    pub(super) fn new(in_all: usize, per_authority: usize) -> JobSlots<Id> {
        JobSlots { in_all: in_all.max(1), per_authority: per_authority.max(1), taken: HashMap::new() }
    }

    /// Jobs that may be claimed now without any authority passing its limit, whatever their distribution.
    pub(super) fn claimable(&self) -> u32 {
        let free = self.in_all.saturating_sub(self.taken.len());
        let narrowest = self.by_authority().into_values().filter(|held| *held < self.per_authority).max().unwrap_or(0);
        u32::try_from(free.min(self.per_authority - narrowest)).unwrap_or(u32::MAX)
    }

    /// `true` if half of one authority's limit can be claimed.
    pub(super) fn are_half_free(&self) -> bool {
        let half = self.in_all.min(self.per_authority).div_ceil(2);
        self.claimable() >= u32::try_from(half).unwrap_or(u32::MAX)
    }

    /// Authorities without a free slot.
    pub(super) fn full_authorities(&self) -> Vec<String> {
        let full = self.by_authority().into_iter().filter(|(_, held)| *held >= self.per_authority);
        full.map(|(authority, _)| authority.to_owned()).collect()
    }

    /// Records that a job of this authority runs.
    pub(super) fn occupy(&mut self, id: Id, authority: String) {
        self.taken.insert(id, authority);
    }

    /// Records that it ended.
    pub(super) fn release(&mut self, id: Id) {
        self.taken.remove(&id);
    }

    fn by_authority(&self) -> HashMap<&str, usize> {
        let mut held = HashMap::new();
        for authority in self.taken.values() {
            *held.entry(authority.as_str()).or_insert(0) += 1;
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(in_all: usize, per_authority: usize, taken: &[&str]) -> JobSlots<usize> {
        let mut places = JobSlots::new(in_all, per_authority);
        for (id, authority) in taken.iter().enumerate() {
            places.occupy(id, (*authority).to_owned());
        }
        places
    }

    #[test]
    fn claims_no_more_than_the_busiest_authority_can_take() {
        assert_eq!(places(8, 3, &[]).claimable(), 3);
        assert_eq!(places(8, 3, &["SP", "SP", "RS"]).claimable(), 1);
        assert_eq!(places(4, 3, &["SP", "RS", "MG"]).claimable(), 1);
        assert_eq!(places(3, 3, &["SP", "RS", "MG"]).claimable(), 0);
    }

    #[test]
    fn an_authority_at_its_limit_is_left_out_and_does_not_hold_the_others_back() {
        let places = places(8, 2, &["SP", "SP"]);
        assert_eq!(places.full_authorities(), ["SP"]);
        assert_eq!(places.claimable(), 2);
    }

    #[test]
    fn half_of_the_places_are_free_when_a_claim_can_have_as_many() {
        assert!(places(8, 4, &["SP", "SP"]).are_half_free());
        assert!(!places(8, 4, &["SP", "SP", "SP", "RS"]).are_half_free());
        assert!(
            places(8, 4, &["SP", "SP", "SP", "SP"]).are_half_free(),
            "an authority at its limit gives nothing anyway"
        );
        assert!(!places(1, 1, &["SP"]).are_half_free());
    }

    #[test]
    fn a_job_that_ended_frees_its_place() {
        let mut places = places(2, 1, &["SP", "RS"]);
        places.release(0);
        assert_eq!((places.claimable(), places.full_authorities()), (1, vec!["RS".to_owned()]));
    }
}
