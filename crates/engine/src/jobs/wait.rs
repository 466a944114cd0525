//! Waiting for the end of a job, for callers who want the answer in the same call.
//!
//! Law: `spec/not-shown.md` §11.2 (synchronous routes). A worker of this process tells when it puts the job down; what
//! another process carried is found by looking from time to time.

use crate::Engine;
use std::time::Duration;
use store::Sight;
use store::jobs::{Job, JobStatus};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

/// Between two looks at what another process may have carried.
const LOOK: Duration = Duration::from_secs(1);

impl Engine {
    /// The job once it has ended, or as it stands when the time is over.
    pub async fn wait_for_end(&self, sight: Sight, job: Uuid, at_most: Duration) -> Result<Job, store::Error> {
        let until = Instant::now() + at_most;
        let waiting = self.inner.put_down.wait_for(job);
        loop {
            let told = waiting.bell().notified();
            tokio::pin!(told);
            told.as_mut().enable();
            let found = self.store().job(sight, job).await?;
            let now = Instant::now();
            if has_ended(found.status) || now >= until {
                return Ok(found);
            }
            // told or elapsed: the job is looked at either way
            let _ = timeout_at(until.min(now + LOOK), told).await;
        }
    }
}

/// Nothing more becomes of it unless somebody asks.
fn has_ended(status: JobStatus) -> bool {
    match status {
        JobStatus::Pending | JobStatus::Processing => false,
        JobStatus::Completed | JobStatus::Failed | JobStatus::Cancelled => true,
    }
}
