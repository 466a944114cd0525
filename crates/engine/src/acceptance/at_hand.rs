//! Cache of orders: what acceptance read of a payload stays in this process until one of its workers prepares the
//! document, which then reads nothing again and writes only the missing parts. Another node, or this one after a
//! restart, reads the stored payload: a lost entry costs that work and nothing else.

use crate::acceptance::body::Body;
use crate::acceptance::issue::IssueRequest;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Most bytes of payload of all entries. As values they take up some ten times as much.
const MOST: usize = 2 << 20;
/// Most bytes of one entry: a larger one would displace too many others.
const LARGEST: usize = MOST / 8;
/// Weight of a payload without its items.
const LEAST: usize = 512;
/// A text weighs this many times less than a payload of its length, which stands for a tree.
const TREE: usize = 10;
/// Fewest removed entries worth a compaction.
const FEW: usize = 64;
/// Age after which an entry was probably prepared by another node.
const LONG: Duration = Duration::from_secs(60);

/// The order of one job, as acceptance read it.
pub(crate) struct Left {
    /// Without its items where there is a body.
    pub(crate) order: Arc<IssueRequest>,
    pub(crate) body: Option<Body>,
}

/// Entries by job. A full cache keeps the oldest entries: they are used first, and in a long queue the newest would be
/// gone by their turn.
#[derive(Default)]
pub(crate) struct AtHand(Mutex<Orders>);

#[derive(Default)]
struct Orders {
    by_job: HashMap<Uuid, (usize, Left)>,
    /// In the order of arrival, with removed entries until these are as many as the others.
    arrivals: VecDeque<(Instant, Uuid)>,
    bytes: usize,
}

impl AtHand {
    /// Inserts an order whose payload has `payload` bytes.
    pub(crate) fn keep(&self, job: Uuid, payload: usize, left: Left) {
        let bytes = left.body.as_ref().map_or(payload, |body| LEAST + body.bytes() / TREE);
        if bytes > LARGEST {
            return;
        }
        let now = Instant::now();
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if orders.bytes.saturating_add(bytes) > MOST {
            orders.forget_those_before(now.checked_sub(LONG));
        }
        if orders.bytes.saturating_add(bytes) <= MOST {
            orders.forget_those_taken();
            orders.by_job.insert(job, (bytes, left));
            orders.arrivals.push_back((now, job));
            orders.bytes = orders.bytes.saturating_add(bytes);
        }
    }

    /// Removes and returns an entry.
    pub(crate) fn take(&self, job: Uuid) -> Option<Left> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(job)
    }
}

impl Orders {
    fn remove(&mut self, job: Uuid) -> Option<Left> {
        let (bytes, left) = self.by_job.remove(&job)?;
        self.bytes = self.bytes.saturating_sub(bytes);
        Some(left)
    }

    fn forget_those_taken(&mut self) {
        let Orders { by_job, arrivals, .. } = self;
        if arrivals.len() > 2 * by_job.len() + FEW {
            arrivals.retain(|(_, job)| by_job.contains_key(job));
        }
    }

    fn forget_those_before(&mut self, moment: Option<Instant>) {
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

    fn order() -> Left {
        let order = Arc::new(IssueRequest {
            cpf_cnpj: CnpjCpf::parse("11222333000181").unwrap(),
            modelo: 55,
            nota: serde_json::json!({}),
            webhook_url: None,
            referencia: None,
            estrito: false,
            referencia_nova: false,
        });
        Left { order, body: None }
    }

    #[test]
    fn gives_an_order_away_once() {
        let (at_hand, job) = (AtHand::default(), Uuid::now_v7());
        at_hand.keep(job, 100, order());
        assert!(at_hand.take(job).is_some());
        assert!(at_hand.take(job).is_none());
    }

    #[test]
    fn holds_no_more_than_its_bytes_and_keeps_those_that_came_first() {
        let at_hand = AtHand::default();
        let jobs: Vec<Uuid> = std::iter::repeat_with(Uuid::now_v7).take(100).collect();
        for job in &jobs {
            at_hand.keep(*job, LARGEST, order());
        }
        let kept: Vec<bool> = jobs.iter().map(|job| at_hand.take(*job).is_some()).collect();
        let first = MOST / LARGEST;
        assert!(kept[..first].iter().all(|kept| *kept));
        assert!(kept[first..].iter().all(|kept| !kept));
        let orders = at_hand.0.into_inner().unwrap();
        assert_eq!(orders.bytes, 0);
    }

    #[test]
    fn one_that_stays_keeps_no_memory_of_those_that_came_after_it() {
        let at_hand = AtHand::default();
        at_hand.keep(Uuid::now_v7(), 100, order());
        for job in std::iter::repeat_with(Uuid::now_v7).take(1_000) {
            at_hand.keep(job, 100, order());
            assert!(at_hand.take(job).is_some());
        }
        let orders = at_hand.0.into_inner().unwrap();
        assert!(orders.arrivals.len() <= FEW + 4, "{}", orders.arrivals.len());
    }

    #[test]
    fn what_nobody_asked_for_in_long_makes_room() {
        let at_hand = AtHand::default();
        let jobs: Vec<Uuid> = std::iter::repeat_with(Uuid::now_v7).take(MOST / LARGEST).collect();
        jobs.iter().for_each(|job| at_hand.keep(*job, LARGEST, order()));
        at_hand.0.lock().unwrap().forget_those_before(None);
        assert_eq!(at_hand.0.lock().unwrap().by_job.len(), jobs.len(), "the machine runs for less than that");
        at_hand.0.lock().unwrap().forget_those_before(Some(Instant::now()));
        assert!(jobs.iter().all(|job| at_hand.take(*job).is_none()));
        at_hand.keep(jobs[0], LARGEST, order());
        assert!(at_hand.take(jobs[0]).is_some());
    }

    #[test]
    fn a_large_one_is_not_kept() {
        let (at_hand, job) = (AtHand::default(), Uuid::now_v7());
        at_hand.keep(job, LARGEST + 1, order());
        assert!(at_hand.take(job).is_none());
    }
}
