//! What a company says of a note that it received (manifestação do destinatário): a job of its own, whose event goes to the
//! Ambiente Nacional.
//!
//! Law: NT 2020.001 v1.60; `spec/not-shown.md` §4 (202 and a job). The note need not have been handed out yet: its key is enough.

use super::foresight;
use crate::acceptance::event::act;
use crate::acceptance::event::manifestation::Manifestation;
use crate::acceptance::order::{Belongs, Order};
use crate::family::issuer::NotIssuer;
use crate::{Engine, crash_point, family};
use fiscal::event::{self, TpEvento};
use fiscal::finding::Notice;
use fiscal::layout::Fault;
use fiscal::tipo::Tipo;
use fiscal::value::{ChaveAcesso, TpAmb};
use store::Sight;
use store::accounts::Caller;
use store::events::NewEvent;
use store::jobs::{NewAct, NewJob, Registered};

/// Why nothing was registered.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// No such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration of NF-e, which says the environment.
    #[error("empresa sem configuração de NF-e")]
    NotConfigured,
    /// The note has as many of these as it may.
    #[error("a nota já tem o máximo de manifestações deste tipo")]
    Exhausted,
    /// The layout of the event refuses what was given.
    #[error("o evento não pode ser montado")]
    Invalid(Vec<Fault>),
    /// Store.
    #[error(transparent)]
    Store(store::Error),
}

impl From<store::Error> for ManifestError {
    fn from(error: store::Error) -> ManifestError {
        match error {
            store::Error::EventsExhausted => ManifestError::Exhausted,
            error => ManifestError::Store(error),
        }
    }
}

impl From<NotIssuer> for ManifestError {
    fn from(why: NotIssuer) -> ManifestError {
        match why {
            NotIssuer::UnknownCompany => ManifestError::UnknownCompany,
            NotIssuer::NotConfigured => ManifestError::NotConfigured,
            NotIssuer::Store(error) => ManifestError::Store(error),
        }
    }
}

impl Engine {
    /// Registers the job; a reference used before gives its job.
    pub async fn manifest(&self, caller: &Caller, said: Manifestation) -> Result<Registered, ManifestError> {
        let issuer = self.issuer(caller.tenant_id, said.cpf_cnpj, &family::NFE).await?;
        let ambiente = issuer.ambiente(caller.ambiente);
        let chave = said.chave;
        let mut job = new_job(caller, ambiente, said)?;
        job.notices = self.foreseen(&job, &chave).await?;
        let registered = self.store().register(job, self.now_s()).await?;
        crash_point("event.registered");
        let (Registered::New(job) | Registered::Replay { job, .. }) = &registered;
        tracing::info!(job.id = %job.id, job.kind = job.operacao.word(), "registered");
        Ok(registered)
    }

    /// What the authority will refuse, as far as the note is known here.
    async fn foreseen(&self, job: &NewJob, chave: &ChaveAcesso) -> Result<Vec<Notice>, store::Error> {
        let Some(NewAct::Event(event)) = &job.act else { return Ok(Vec::new()) };
        let Some(kind) = TpEvento::from_code(&event.tpEvento) else { return Ok(Vec::new()) };
        match self
            .store()
            .received_document(Sight::whole(job.tenant_id), Tipo::Nfe, chave.as_str().to_owned(), Some(job.cpf_cnpj))
            .await
        {
            Ok(found) if found.note.ambiente == job.ambiente => Ok(foresight::foresee(kind, &found.note, self.now_s())),
            Ok(_) | Err(store::Error::NotFound) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}

fn new_job(caller: &Caller, ambiente: TpAmb, said: Manifestation) -> Result<NewJob, ManifestError> {
    let chave = said.chave;
    let order = Order::Manifestacao(said);
    let event = checked(&order, &chave)?;
    let belongs = Belongs { tenant_id: caller.tenant_id, tipo: Tipo::Nfe, ambiente, authority: NATIONAL };
    let kept = order.keep();
    Ok(NewJob { act: Some(NewAct::Event(event)), ..order.job(kept, belongs) })
}

/// The event, once its layout takes what it will say.
fn checked(order: &Order, chave: &ChaveAcesso) -> Result<NewEvent, ManifestError> {
    let (Some(kind), Some(detail)) = (act::kind(order), act::detail(order, chave, "")) else {
        return Err(ManifestError::Invalid(Vec::new()));
    };
    let faults = event::check(&detail);
    if !faults.is_empty() {
        return Err(ManifestError::Invalid(faults));
    }
    Ok(NewEvent { chave: (*chave).into(), tpEvento: kind.code().to_owned(), most: kind.most().into() })
}

/// The word of the concurrency limit: all manifestations go to one place.
const NATIONAL: &str = "AN";
