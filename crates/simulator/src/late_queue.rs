//! Queue of messages that were accepted and wait to be processed.
//!
//! Must not know: the content of a message.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Messages that wait to be processed, in their order.
pub(crate) struct LateQueue<W>(Mutex<LateMessages<W>>);

struct LateMessages<W> {
    works: BTreeMap<u64, W>,
    last: u64,
}

impl<W> Default for LateQueue<W> {
    fn default() -> LateQueue<W> {
        LateQueue(Mutex::new(LateMessages { works: BTreeMap::new(), last: 0 }))
    }
}

impl<W> LateQueue<W> {
    pub(crate) fn len(&self) -> usize {
        self.messages().works.len()
    }
    /// Drops them unprocessed.
    pub(crate) fn clear(&self) {
        self.messages().works.clear();
    }
    pub(crate) fn push_work(&self, work: W) -> u64 {
        let mut messages = self.messages();
        messages.last += 1;
        let id = messages.last;
        messages.works.insert(id, work);
        id
    }
    pub(crate) fn remove_work(&self, id: u64) -> Option<W> {
        self.messages().works.remove(&id)
    }
    pub(crate) fn drain_works(&self) -> BTreeMap<u64, W> {
        std::mem::take(&mut self.messages().works)
    }
    fn messages(&self) -> MutexGuard<'_, LateMessages<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
