//! Waiters for jobs of this process, notified when one of its workers releases the job. A waiter then reads the job;
//! workers of other processes notify none here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use uuid::Uuid;

/// Waiters by job.
#[derive(Default)]
pub(crate) struct JobWaiters(Mutex<HashMap<Uuid, Arc<Notify>>>);

/// A registered waiter. Unregisters on drop.
pub(crate) struct JobWaiter<'p> {
    job: Uuid,
    notification: Arc<Notify>,
    of: &'p JobWaiters,
}

impl JobWaiters {
    /// Registers a waiter.
    pub(crate) fn wait_for(&self, job: Uuid) -> JobWaiter<'_> {
        let bell = Arc::clone(self.waiting().entry(job).or_default());
        JobWaiter { job, notification: bell, of: self }
    }

    /// Notifies the waiters of a job that a worker has released, whatever the outcome.
    pub(crate) fn notify(&self, job: Uuid) {
        if let Some(bell) = self.waiting().get(&job) {
            bell.notify_waiters();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JobWaiter<'_> {
    /// Receives notifications from the moment of `notified()` on, if it is enabled before the job is read.
    pub(crate) fn notification(&self) -> &Notify {
        &self.notification
    }
}

impl Drop for JobWaiter<'_> {
    fn drop(&mut self) {
        let mut waiting = self.of.waiting();
        // the map's reference and ours
        if Arc::strong_count(&self.notification) <= 2 {
            waiting.remove(&self.job);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn whoever_waits_is_told_and_nobody_is_remembered() {
        let (put_down, job) = (JobWaiters::default(), Uuid::now_v7());
        let (one, other) = (put_down.wait_for(job), put_down.wait_for(job));
        {
            let mut heard = [Box::pin(one.notification().notified()), Box::pin(other.notification().notified())];
            heard.iter_mut().for_each(|heard| assert!(!heard.as_mut().enable()));
            let [mut first, second] = heard;
            put_down.notify(Uuid::now_v7());
            assert!(tokio::time::timeout(Duration::from_millis(1), first.as_mut()).await.is_err());
            put_down.notify(job);
            first.await;
            second.await;
        }
        drop(one);
        assert_eq!(put_down.waiting().len(), 1);
        drop(other);
        assert_eq!(put_down.waiting().len(), 0);
    }
}
