//! Orders at hand: what acceptance has read of a payload stays with this process until a worker of it prepares the document, which then
//! reads nothing a second time. Another node, or this one after a restart, reads what is stored: losing it costs that reading and nothing else. Of a
//! large note the order stays without its items, and these as they were written.

use crate::acceptance::issue::IssueRequest;
use crate::acceptance::written::Items;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// Bytes of payload that are kept, of all jobs together. As values they take up some ten times as much.
const MOST: usize = 2 << 20;
/// A larger payload is read again: it would drive too many others out.
const LARGEST: usize = MOST / 8;

/// A payload without its items.
const LEAST: usize = 2 << 10;
/// Packed items weigh as much as so many times fewer bytes of a payload, since those stand for a tree.
const TREE: usize = 10;

/// What acceptance leaves.
pub(crate) struct Left {
    pub(crate) order: Arc<IssueRequest>,
    /// Taken off the order.
    pub(crate) items: Option<Items>,
}

/// By job, the oldest first to go.
#[derive(Default)]
pub(crate) struct AtHand(Mutex<Orders>);

#[derive(Default)]
struct Orders {
    by_job: HashMap<Uuid, (usize, Left)>,
    /// In the order of their coming; those that were taken meanwhile are passed over.
    arrivals: VecDeque<Uuid>,
    bytes: usize,
}

impl AtHand {
    /// Keeps what is left of an order whose payload has so many bytes.
    pub(crate) fn keep(&self, job: Uuid, payload: usize, left: Left) {
        let bytes = left.items.as_ref().map_or(payload, |items| LEAST + items.bytes() / TREE);
        if bytes > LARGEST {
            return;
        }
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        orders.by_job.insert(job, (bytes, left));
        orders.arrivals.push_back(job);
        orders.bytes = orders.bytes.saturating_add(bytes);
        while orders.bytes > MOST {
            let Some(oldest) = orders.arrivals.pop_front() else { break };
            orders.remove(oldest);
        }
    }

    /// Gives it away.
    pub(crate) fn take(&self, job: Uuid) -> Option<Left> {
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = orders.remove(job);
        // whoever takes, takes mostly the oldest: nothing piles up behind it
        while orders.arrivals.front().is_some_and(|oldest| !orders.by_job.contains_key(oldest)) {
            orders.arrivals.pop_front();
        }
        taken
    }
}

impl Orders {
    fn remove(&mut self, job: Uuid) -> Option<Left> {
        let (bytes, left) = self.by_job.remove(&job)?;
        self.bytes = self.bytes.saturating_sub(bytes);
        Some(left)
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
        });
        Left { order, items: None }
    }

    #[test]
    fn gives_an_order_away_once() {
        let (at_hand, job) = (AtHand::default(), Uuid::now_v7());
        at_hand.keep(job, 100, order());
        assert!(at_hand.take(job).is_some());
        assert!(at_hand.take(job).is_none());
    }

    #[test]
    fn holds_no_more_than_its_bytes_and_lets_the_oldest_go() {
        let at_hand = AtHand::default();
        let jobs: Vec<Uuid> = std::iter::repeat_with(Uuid::now_v7).take(100).collect();
        for job in &jobs {
            at_hand.keep(*job, LARGEST, order());
        }
        let kept: Vec<bool> = jobs.iter().map(|job| at_hand.take(*job).is_some()).collect();
        let newest = MOST / LARGEST;
        assert!(kept[..100 - newest].iter().all(|kept| !kept));
        assert!(kept[100 - newest..].iter().all(|kept| *kept));
        let orders = at_hand.0.into_inner().unwrap();
        assert_eq!((orders.bytes, orders.arrivals.len()), (0, 0));
    }

    #[test]
    fn a_large_one_is_not_kept() {
        let (at_hand, job) = (AtHand::default(), Uuid::now_v7());
        at_hand.keep(job, LARGEST + 1, order());
        assert!(at_hand.take(job).is_none());
    }
}
