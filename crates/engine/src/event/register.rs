//! Registering the job of an event.

use super::act::{detail, kind};
use super::{EventError, EventRequest, Target};
use crate::{Engine, canonical_json, crash_point, family, quota};
use fiscal::event;
use fiscal::lifecycle::State;
use fiscal::value::ChaveAcesso;
use serde_json::{Value, json};
use store::Sight;
use store::accounts::Caller;
use store::events::NewEvent;
use store::jobs::{Document, Job, NewAct, NewJob, Operacao, Registered};
use uuid::Uuid;

impl Engine {
    /// Registers the job. A reference used before gives its job, whatever became of the document since.
    pub async fn act(&self, caller: &Caller, request: EventRequest) -> Result<Registered, EventError> {
        let target = self.target(Sight::of(caller), &request).await?;
        let substituta = self.substitute(Sight::of(caller), &request).await?;
        let payload = payload(&request, substituta.as_ref());
        if let Some(replay) = self.replay(caller.tenant_id, request.referencia.as_deref(), &payload).await? {
            return Ok(replay);
        }
        let document = target.document.as_ref().ok_or(EventError::NotAuthorized)?;
        if !family::of(document.counted).is_some_and(|family| request.act.is_of(family)) {
            return Err(EventError::WrongModel);
        }
        if document.state != State::Authorized {
            return Err(EventError::NotAuthorized);
        }
        let event = checked(request.act.operacao(), &payload, document)?;
        let job = new_job(&target, request, &payload, event);
        let kind = job.operacao.word();
        let registered = self.store().register(job, self.now_s()).await?;
        crash_point("event.registered");
        let (Registered::New(job) | Registered::Replay { job, .. }) = &registered;
        tracing::info!(job.id = %job.id, job.kind = kind, "registered");
        Ok(registered)
    }

    async fn target(&self, sight: Sight, request: &EventRequest) -> Result<Job, EventError> {
        let found = match &request.target {
            Target::Job(id) => self.store().job(sight, *id).await,
            Target::Chave(chave) => self.store().job_by_chave(sight, chave).await,
        };
        match found {
            Ok(job) if job.operacao != Operacao::Emissao || job.cpf_cnpj != request.cpf_cnpj => {
                Err(EventError::UnknownDocument)
            }
            Ok(job) if job.tipo != request.tipo => Err(EventError::WrongModel),
            Ok(job) => Ok(job),
            Err(store::Error::NotFound) => Err(EventError::UnknownDocument),
            Err(error) => Err(error.into()),
        }
    }

    /// The key of the document that takes the place of the cancelled one. One named by its key may be of another system.
    async fn substitute(&self, sight: Sight, request: &EventRequest) -> Result<Option<ChaveAcesso>, EventError> {
        let super::Act::Cancelar { substituta: Some(named), .. } = &request.act else { return Ok(None) };
        let chave = match named {
            Target::Chave(chave) => ChaveAcesso::parse(chave).ok(),
            Target::Job(id) => match self.store().job(sight, *id).await {
                Ok(job) if job.cpf_cnpj == request.cpf_cnpj => job.document.as_ref().and_then(Document::acesso),
                Ok(_) | Err(store::Error::NotFound) => None,
                Err(error) => return Err(error.into()),
            },
        };
        chave.map(Some).ok_or(EventError::UnknownSubstitute)
    }
}

fn payload(request: &EventRequest, substituta: Option<&ChaveAcesso>) -> Value {
    let (job_id, chave) = match &request.target {
        Target::Job(id) => (Some(id.to_string()), None),
        Target::Chave(chave) => (None, Some(chave)),
    };
    let mut payload = json!({
        "cpf_cnpj": request.cpf_cnpj.as_str(),
        "job_id": job_id,
        "chave": chave,
        "webhook_url": request.webhook_url,
        "referencia_externa": request.referencia,
    });
    if let Value::Object(members) = &mut payload {
        members.extend(request.act.members(substituta));
    }
    payload
}

/// The event, once its layout takes what it will say.
fn checked(operacao: Operacao, payload: &Value, document: &Document) -> Result<NewEvent, EventError> {
    let chave = document.acesso().ok_or(EventError::NotAuthorized)?;
    let nProt = document.nProt.as_deref().unwrap_or_default();
    let (Some(kind), Some(detail)) = (kind(operacao, payload), detail(operacao, payload, &chave, nProt)) else {
        return Err(EventError::WrongModel);
    };
    let faults = event::check(&detail);
    if faults.is_empty() {
        Ok(NewEvent { chave: chave.into(), tpEvento: kind.code().to_owned(), most: kind.most().into() })
    } else {
        Err(EventError::Invalid(faults))
    }
}

fn new_job(target: &Job, request: EventRequest, payload: &Value, event: NewEvent) -> NewJob {
    let operacao = request.act.operacao();
    NewJob {
        id: Uuid::now_v7(),
        tenant_id: target.tenant_id,
        tipo: target.tipo,
        operacao,
        cpf_cnpj: request.cpf_cnpj,
        ambiente: target.ambiente,
        referencia: request.referencia,
        payload: payload.to_string(),
        payload_hash: canonical_json::sha256(payload),
        webhook_url: request.webhook_url,
        notices: Vec::new(),
        alvo: Some(target.id),
        act: Some(NewAct::Event(event)),
        authority: target.authority.clone(),
        cota: quota::of(target.tipo, operacao),
        destinatario: None,
        valor: None,
        request_id: crate::origin::request_id(),
    }
}
