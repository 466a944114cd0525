//! Messages that were accepted and are processed after their client has gone.
//!
//! Must not know: the content of a message.

use crate::simulator_state::{LateWork, SimulatorState};
use std::sync::Arc;
use std::time::Duration;

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
