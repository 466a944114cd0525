//! Cancellation of an authorised document: a job of its own.
//!
//! Law: `spec/not-shown.md` §4 (cancellation is a job, 202), `reference/nfe.md` §10.

use crate::{Engine, canonical_json, crash_point, quota};
use fiscal::lifecycle::State;
use fiscal::value::CnpjCpf;
use serde_json::json;
use store::accounts::Caller;
use store::jobs::{Document, Job, NewJob, Operacao, Registered};
use uuid::Uuid;

/// What to cancel and why.
pub struct CancelRequest {
    /// Company.
    pub cpf_cnpj: CnpjCpf,
    /// Document type it must be of.
    pub tipo: &'static str,
    /// The document, by job or by key.
    pub target: Target,
    /// 15–255 characters, already checked.
    pub justificativa: String,
    /// Where to notify.
    pub webhook_url: Option<String>,
}

/// A document, named either way.
pub enum Target {
    /// By emission job.
    Job(Uuid),
    /// By key.
    Chave(String),
}

/// Why nothing was registered.
#[derive(Debug, thiserror::Error)]
pub enum CancelError {
    /// No such document of this tenant and company.
    #[error("nota não encontrada")]
    UnknownDocument,
    /// Not authorised (or cancelled already).
    #[error("a nota não está autorizada")]
    NotAuthorized,
    /// Store.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Engine {
    /// Registers the cancellation job.
    pub async fn cancel(&self, caller: &Caller, request: CancelRequest) -> Result<Job, CancelError> {
        let target = self.target(caller.tenant_id, &request).await?;
        let document = target.document.as_ref().ok_or(CancelError::NotAuthorized)?;
        if document.state != State::Authorized {
            return Err(CancelError::NotAuthorized);
        }
        let job = new_job(&target, document, request);
        let registered = self.store().register(job, self.now_s()).await?;
        crash_point("cancel.registered");
        let (Registered::New(job) | Registered::Replay { job, .. }) = registered;
        tracing::info!(job.id = %job.id, job.kind = "cancelamento", "registered");
        Ok(job)
    }

    async fn target(&self, tenant: Uuid, request: &CancelRequest) -> Result<Job, CancelError> {
        let found = match &request.target {
            Target::Job(id) => self.store().job(tenant, *id).await,
            Target::Chave(chave) => self.store().job_by_chave(tenant, chave).await,
        };
        match found {
            Ok(job) if is_target(&job, request) => Ok(job),
            Ok(_) | Err(store::Error::NotFound) => Err(CancelError::UnknownDocument),
            Err(error) => Err(error.into()),
        }
    }
}

fn is_target(job: &Job, request: &CancelRequest) -> bool {
    job.operacao == Operacao::Emissao && job.cpf_cnpj == request.cpf_cnpj && job.tipo == request.tipo
}

fn new_job(target: &Job, document: &Document, request: CancelRequest) -> NewJob {
    let payload = json!({
        "cpf_cnpj": request.cpf_cnpj.as_str(),
        "chave": document.chave,
        "justificativa": request.justificativa,
        "webhook_url": request.webhook_url,
    });
    NewJob {
        id: Uuid::now_v7(),
        tenant_id: target.tenant_id,
        tipo: target.tipo.clone(),
        operacao: Operacao::Cancelamento,
        cpf_cnpj: request.cpf_cnpj,
        ambiente: target.ambiente,
        referencia: None,
        payload: payload.to_string(),
        payload_hash: canonical_json::sha256(&payload),
        webhook_url: request.webhook_url,
        notices: Vec::new(),
        alvo: Some(target.id),
        authority: target.authority.clone(),
        cota: quota::of(&target.tipo, Operacao::Cancelamento),
        destinatario: None,
        vNF: None,
    }
}
