//! Replay: a reference used before is answered with its first job, whatever the payload is this time.

use crate::Engine;
use store::Visibility;
use store::jobs::{Job, Operacao, RegistrationResult};
use uuid::Uuid;

impl Engine {
    /// Returns the job of an act that was ordered before. Runs early, so that a replay is answered even when its
    /// payload would be refused now; `register` decides for good.
    pub(crate) async fn replay(
        &self,
        tenant: Uuid,
        operacao: Operacao,
        referencia: Option<&str>,
        payload: &str,
    ) -> Result<Option<RegistrationResult>, store::Error> {
        let Some(referencia) = referencia else { return Ok(None) };
        match self.store().job_by_reference(Visibility::whole(tenant), referencia).await {
            Ok(job) => job.refuse_another(operacao).map(|()| Some(replay_of(job, payload))),
            Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Answers a later order with the first job of its reference.
pub(crate) fn replay_of(job: Job, payload: &str) -> RegistrationResult {
    let divergent = !job.payload.is_same_order(payload);
    RegistrationResult::Replay { job, divergent }
}
