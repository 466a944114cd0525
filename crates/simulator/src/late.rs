//! Messages that were accepted and are processed after their client has gone.
//!
//! Must not know: the content of a message.

use crate::simulator_state::SimulatorState;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Processes a message.
pub(crate) type LateWork = Box<dyn FnOnce(&SimulatorState) + Send>;

/// Messages that wait to be processed, in their order.
#[derive(Default)]
pub(crate) struct LateQueue(Mutex<LateMessages>);

#[derive(Default)]
struct LateMessages {
    works: BTreeMap<u64, LateWork>,
    last: u64,
}

impl LateQueue {
    pub(crate) fn len(&self) -> usize {
        self.messages().works.len()
    }
    /// Drops them unprocessed.
    pub(crate) fn clear(&self) {
        self.messages().works.clear();
    }
    fn push_work(&self, work: LateWork) -> u64 {
        let mut messages = self.messages();
        messages.last += 1;
        let id = messages.last;
        messages.works.insert(id, work);
        id
    }
    fn remove_work(&self, id: u64) -> Option<LateWork> {
        self.messages().works.remove(&id)
    }
    fn drain_works(&self) -> BTreeMap<u64, LateWork> {
        std::mem::take(&mut self.messages().works)
    }
    fn messages(&self) -> MutexGuard<'_, LateMessages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Processes a message after a delay, or with the next [`flush`].
pub(crate) fn process_later(world: &Arc<SimulatorState>, delay: Duration, work: LateWork) {
    let id = world.late.push_work(work);
    let world = Arc::downgrade(world);
    tokio::spawn(async move {
        tokio::time::sleep(delay).await;
        let Some(world) = world.upgrade() else { return };
        if let Some(work) = world.late.remove_work(id) {
            work(&world);
        }
    });
}

/// Processes every waiting message, in the order of arrival, and returns their number.
pub(crate) fn flush(world: &SimulatorState) -> usize {
    let works = world.late.drain_works();
    let count = works.len();
    works.into_values().for_each(|work| work(world));
    count
}
