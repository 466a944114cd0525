//! Cache of orders: what acceptance read of a payload stays in this process until one of its workers prepares the
//! document, which then reads nothing again and writes only the missing parts. Another node, or this one after a
//! restart, reads the stored payload: a lost entry costs that work and nothing else.

use crate::acceptance::cached_body::CachedBody;
use crate::order::emission::IssueRequest;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Most bytes of payload of all entries. As values they take up some ten times as much.
const MAX_BYTES: usize = 2 << 20;
/// Most bytes of one entry: a larger one would displace too many others.
const MAX_ENTRY_BYTES: usize = MAX_BYTES / 8;
/// Weight of a payload without its items.
const BASE_WEIGHT: usize = 512;
/// A text weighs this many times less than a payload of its length, which stands for a tree.
const TREE_FACTOR: usize = 10;
/// Fewest removed entries worth a compaction.
const COMPACTION_MIN: usize = 64;
/// Age after which an entry was probably prepared by another node.
const ENTRY_LIFETIME: Duration = Duration::from_secs(60);

/// The order of one job, as acceptance read it.
pub(crate) struct CachedOrder {
    /// Without its items where there is a body.
    pub(crate) order: Arc<IssueRequest>,
    pub(crate) body: Option<CachedBody>,
}

/// Entries by job. A full cache keeps the oldest entries: they are used first, and in a long queue the newest would be
/// gone by their turn.
#[derive(Default)]
pub(crate) struct OrderCache(Mutex<CacheEntries>);

#[derive(Default)]
struct CacheEntries {
    by_job: HashMap<Uuid, (usize, CachedOrder)>,
    /// In the order of arrival, with removed entries until these are as many as the others.
    arrivals: VecDeque<(Instant, Uuid)>,
    bytes: usize,
}

impl OrderCache {
    /// Inserts an order whose payload has `payload` bytes.
    pub(crate) fn insert(&self, job: Uuid, payload: usize, left: CachedOrder) {
        let bytes = left.body.as_ref().map_or(payload, |body| BASE_WEIGHT + body.bytes() / TREE_FACTOR);
        if bytes > MAX_ENTRY_BYTES {
            return;
        }
        let now = Instant::now();
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if orders.bytes.saturating_add(bytes) > MAX_BYTES {
            orders.evict_before(now.checked_sub(ENTRY_LIFETIME));
        }
        if orders.bytes.saturating_add(bytes) <= MAX_BYTES {
            orders.compact_arrivals();
            orders.by_job.insert(job, (bytes, left));
            orders.arrivals.push_back((now, job));
            orders.bytes = orders.bytes.saturating_add(bytes);
        }
    }

    /// Removes and returns an entry.
    pub(crate) fn remove_order(&self, job: Uuid) -> Option<CachedOrder> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(job)
    }
}

impl CacheEntries {
    fn remove(&mut self, job: Uuid) -> Option<CachedOrder> {
        let (bytes, left) = self.by_job.remove(&job)?;
        self.bytes = self.bytes.saturating_sub(bytes);
        Some(left)
    }

    fn compact_arrivals(&mut self) {
        let CacheEntries { by_job, arrivals, .. } = self;
        if arrivals.len() > 2 * by_job.len() + COMPACTION_MIN {
            arrivals.retain(|(_, job)| by_job.contains_key(job));
        }
    }

    fn evict_before(&mut self, moment: Option<Instant>) {
        while let Some((came, oldest)) = self.arrivals.front().copied()
            && moment.is_some_and(|moment| came < moment)
        {
            self.remove(oldest);
            self.arrivals.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiscal::value::CnpjCpf;

    fn order() -> CachedOrder {
        let order = Arc::new(IssueRequest {
            cpf_cnpj: CnpjCpf::parse("11222333000181").unwrap(),
            modelo: 55,
            nota: serde_json::json!({}),
            webhook_url: None,
            referencia: None,
            estrito: false,
            referencia_nova: false,
        });
        CachedOrder { order, body: None }
    }

    #[test]
    fn gives_an_order_away_once() {
        let (at_hand, job) = (OrderCache::default(), Uuid::now_v7());
        at_hand.insert(job, 100, order());
        assert!(at_hand.remove_order(job).is_some());
        assert!(at_hand.remove_order(job).is_none());
    }

    #[test]
    fn holds_no_more_than_its_bytes_and_keeps_those_that_came_first() {
        let at_hand = OrderCache::default();
        let jobs: Vec<Uuid> = std::iter::repeat_with(Uuid::now_v7).take(100).collect();
        for job in &jobs {
            at_hand.insert(*job, MAX_ENTRY_BYTES, order());
        }
        let kept: Vec<bool> = jobs.iter().map(|job| at_hand.remove_order(*job).is_some()).collect();
        let first = MAX_BYTES / MAX_ENTRY_BYTES;
        assert!(kept[..first].iter().all(|kept| *kept));
        assert!(kept[first..].iter().all(|kept| !kept));
        let orders = at_hand.0.into_inner().unwrap();
        assert_eq!(orders.bytes, 0);
    }

    #[test]
    fn one_that_stays_keeps_no_memory_of_those_that_came_after_it() {
        let at_hand = OrderCache::default();
        at_hand.insert(Uuid::now_v7(), 100, order());
        for job in std::iter::repeat_with(Uuid::now_v7).take(1_000) {
            at_hand.insert(job, 100, order());
            assert!(at_hand.remove_order(job).is_some());
        }
        let orders = at_hand.0.into_inner().unwrap();
        assert!(orders.arrivals.len() <= COMPACTION_MIN + 4, "{}", orders.arrivals.len());
    }

    #[test]
    fn what_nobody_asked_for_in_long_makes_room() {
        let at_hand = OrderCache::default();
        let jobs: Vec<Uuid> = std::iter::repeat_with(Uuid::now_v7).take(MAX_BYTES / MAX_ENTRY_BYTES).collect();
        jobs.iter().for_each(|job| at_hand.insert(*job, MAX_ENTRY_BYTES, order()));
        at_hand.0.lock().unwrap().evict_before(None);
        assert_eq!(at_hand.0.lock().unwrap().by_job.len(), jobs.len(), "the machine runs for less than that");
        at_hand.0.lock().unwrap().evict_before(Some(Instant::now()));
        assert!(jobs.iter().all(|job| at_hand.remove_order(*job).is_none()));
        at_hand.insert(jobs[0], MAX_ENTRY_BYTES, order());
        assert!(at_hand.remove_order(jobs[0]).is_some());
    }

    #[test]
    fn a_large_one_is_not_kept() {
        let (at_hand, job) = (OrderCache::default(), Uuid::now_v7());
        at_hand.insert(job, MAX_ENTRY_BYTES + 1, order());
        assert!(at_hand.remove_order(job).is_none());
    }
}
