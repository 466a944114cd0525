//! Wait for the end of a job, for callers of synchronous routes who want the answer in the same call.
//!
//! A worker of this process notifies the waiter when it releases the job; polling finds a job that another process
//! finished.

use crate::Engine;
use std::time::Duration;
use store::Visibility;
use store::jobs::{Job, JobStatus};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

/// Interval of polling for jobs of other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

impl Engine {
    /// Returns the job once it has ended, or its state when the time is over.
    pub async fn wait_for_end(&self, sight: Visibility, job: Uuid, at_most: Duration) -> Result<Job, store::Error> {
        let until = Instant::now() + at_most;
        let waiting = self.inner.job_waiters.wait_for(job);
        loop {
            let told = waiting.notification().notified();
            tokio::pin!(told);
            told.as_mut().enable();
            let found = self.store().job(sight, job).await?;
            let now = Instant::now();
            if has_ended(found.status) || now >= until {
                return Ok(found);
            }
            // notified or elapsed: the job is read either way
            let _ = timeout_at(until.min(now + POLL_INTERVAL), told).await;
        }
    }
}

/// `true` if the job changes no more without a request.
fn has_ended(status: JobStatus) -> bool {
    match status {
        JobStatus::Pending | JobStatus::Processing => false,
        JobStatus::Completed | JobStatus::Failed | JobStatus::Cancelled => true,
    }
}
