//! Replay: a reference used before is answered with its first job, whatever the payload is this time.

use crate::Engine;
use store::Visibility;
use store::accounts::Caller;
use store::jobs::{Job, NewJob, Operacao, RegistrationResult};

impl Engine {
    /// Returns the job of an act that was ordered before. Runs early, so that a replay is answered even when its
    /// payload would be refused now; `register_for` decides for good.
    pub(crate) async fn replay(
        &self,
        caller: &Caller,
        operacao: Operacao,
        referencia: Option<&str>,
        payload: &str,
    ) -> Result<Option<RegistrationResult>, store::Error> {
        let Some(referencia) = referencia else { return Ok(None) };
        match self.store().job_by_reference(Visibility::whole(caller.tenant_id), referencia).await {
            Ok(job) => {
                self.require_seen(caller, &job).await?;
                job.refuse_another(operacao).map(|()| Some(replay_of(job, payload)))
            }
            Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Refuses the first job of a reference when it is of a company out of the caller's reach.
    pub(crate) async fn require_seen(&self, caller: &Caller, first: &Job) -> Result<(), store::Error> {
        let is_seen = self.store().reaches(Visibility::of(caller), first.cpf_cnpj).await?;
        if is_seen { Ok(()) } else { Err(store::Error::ReferenceHidden) }
    }

    /// Registers a job. A reference that was used for a company out of the caller's reach is refused without its job.
    pub(crate) async fn register_for(&self, caller: &Caller, job: NewJob) -> Result<RegistrationResult, store::Error> {
        let registered = self.store().register(job, self.now_s()).await;
        match &registered {
            Ok(RegistrationResult::Replay { job, .. }) => self.require_seen(caller, job).await?,
            Err(store::Error::ReferenceTaken { job, .. }) => {
                let first = self.store().job(Visibility::whole(caller.tenant_id), *job).await?;
                self.require_seen(caller, &first).await?;
            }
            Ok(RegistrationResult::New(_)) | Err(_) => {}
        }
        registered
    }
}

/// Answers a later order with the first job of its reference.
pub(crate) fn replay_of(job: Job, payload: &str) -> RegistrationResult {
    let divergent = !job.payload.is_same_order(payload);
    RegistrationResult::Replay { job, divergent }
}
