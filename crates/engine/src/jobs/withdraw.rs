//! Withdrawal of a waiting job: possible while nothing of it can have left us.
//!
//! Law: `docs/contract.md`, "Jobs" (pending → cancelled, by the caller).

use crate::Engine;
use crate::process::origin;
use crate::steps::settled;
use store::Visibility;
use store::jobs::{Job, JobStatus, LogLine, WithdrawalResult};
use uuid::Uuid;

/// Reason why a job was not cancelled.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawError {
    /// The tenant has no such job.
    #[error("job não encontrado")]
    UnknownJob,
    /// A worker holds it, or it has ended.
    #[error("o job não está pendente")]
    NotPending(JobStatus),
    /// Its document or event may be at the authority.
    #[error("o documento já pode ter sido enviado")]
    MayHaveLeft,
    #[error(transparent)]
    Store(store::Error),
}

impl Engine {
    /// Takes the job out of the queue for good; returns it in its new state.
    pub async fn withdraw(&self, sight: Visibility, id: Uuid) -> Result<Job, WithdrawError> {
        let tenant = self.store().job(sight, id).await.map_err(refusal)?.tenant_id;
        let text = "Cancelado pela conta antes do envio.".to_owned();
        let lines = vec![LogLine { at_ms: self.now().as_millisecond(), text }];
        let withdrawn =
            self.store().withdraw(tenant, id, self.now_s(), lines, origin::author()).await.map_err(refusal)?;
        let job = self.store().job(sight, id).await.map_err(refusal)?;
        match withdrawn {
            WithdrawalResult::NotPending => Err(WithdrawError::NotPending(job.status)),
            WithdrawalResult::MayHaveLeft => Err(WithdrawError::MayHaveLeft),
            WithdrawalResult::Cancelled => {
                self.inner.claim_memory.ended(&job);
                settled::withdrawn(&job);
                Ok(job)
            }
        }
    }
}

fn refusal(error: store::Error) -> WithdrawError {
    match error {
        store::Error::NotFound => WithdrawError::UnknownJob,
        error => WithdrawError::Store(error),
    }
}
