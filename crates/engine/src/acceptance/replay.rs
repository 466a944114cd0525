//! A reference used before: the first job answers, whatever was sent this time.

use crate::Engine;
use crate::acceptance::canonical_json;
use crate::acceptance::order::Kept;
use crate::process::json;
use serde_json::Value;
use store::Sight;
use store::jobs::{Job, Registered};
use uuid::Uuid;

impl Engine {
    /// Looked up early, so that a replay is answered even when its payload would be refused now. `register` decides for good.
    pub(crate) async fn replay(
        &self,
        tenant: Uuid,
        referencia: Option<&str>,
        kept: &Kept,
    ) -> Result<Option<Registered>, store::Error> {
        let Some(referencia) = referencia else { return Ok(None) };
        match self.store().job_by_reference(Sight::whole(tenant), referencia).await {
            Ok(job) => Ok(Some(of_first(job, kept))),
            Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The answer of the first job under a reference to an order that came later.
pub(crate) fn of_first(job: Job, kept: &Kept) -> Registered {
    let first = job.payload.text().ok().and_then(|payload| json::read(&payload).ok()).unwrap_or(Value::Null);
    let divergent = canonical_json::sha256(&first) != kept.hash;
    Registered::Replay { job, divergent }
}
