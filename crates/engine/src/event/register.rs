//! Registering the job of an event.

use super::act;
use super::{EventError, EventRequest, Target};
use crate::order::{Belongs, Kept, Order};
use crate::{Engine, crash_point, family};
use fiscal::event;
use fiscal::lifecycle::State;
use fiscal::value::ChaveAcesso;
use store::Sight;
use store::accounts::Caller;
use store::events::NewEvent;
use store::jobs::{Document, Job, NewAct, NewJob, Operacao, Registered};

impl Engine {
    /// Registers the job. A reference used before gives its job, whatever became of the document since.
    pub async fn act(&self, caller: &Caller, request: EventRequest) -> Result<Registered, EventError> {
        let target = self.target(Sight::of(caller), &request).await?;
        let substituta = self.substitute(Sight::of(caller), &request).await?;
        let family = target.document.as_ref().and_then(|document| family::of(document.counted));
        let possible = family.is_some_and(|family| request.act.is_of(family));
        let referencia = request.referencia.clone();
        let order = act::order(request, substituta);
        let kept = order.keep();
        if let Some(replay) = self.replay(caller.tenant_id, referencia.as_deref(), &kept).await? {
            return Ok(replay);
        }
        let document = target.document.as_ref().ok_or(EventError::NotAuthorized)?;
        if !possible {
            return Err(EventError::WrongModel);
        }
        if document.state != State::Authorized {
            return Err(EventError::NotAuthorized);
        }
        let event = checked(&order, document)?;
        let job = new_job(&target, order, kept, event);
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

/// The event, once its layout takes what it will say.
fn checked(order: &Order, document: &Document) -> Result<NewEvent, EventError> {
    let chave = document.acesso().ok_or(EventError::NotAuthorized)?;
    let nProt = document.nProt.as_deref().unwrap_or_default();
    let (Some(kind), Some(detail)) = (act::kind(order), act::detail(order, &chave, nProt)) else {
        return Err(EventError::WrongModel);
    };
    let faults = event::check(&detail);
    if faults.is_empty() {
        Ok(NewEvent { chave: chave.into(), tpEvento: kind.code().to_owned(), most: kind.most().into() })
    } else {
        Err(EventError::Invalid(faults))
    }
}

fn new_job(target: &Job, order: Order, kept: Kept, event: NewEvent) -> NewJob {
    let Job { tenant_id, tipo, ambiente, .. } = *target;
    let belongs = Belongs { tenant_id, tipo, ambiente, authority: &target.authority };
    NewJob { alvo: Some(target.id), act: Some(NewAct::Event(event)), ..order.job(kept, belongs) }
}
