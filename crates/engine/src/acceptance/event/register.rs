//! Registration of the job of an event.

use super::picture;
use crate::Engine;
use crate::acceptance::texts;
use crate::family::event::act_history::ActHistory;
use crate::family::event::ordered_event::OrderedEvent;
use crate::family::municipal_provider::{MunicipalProvider, NoMunicipalProvider};
use crate::family::{self, Family};
use crate::order::act_request::{ActRequest, DocumentAct, DocumentTarget};
use crate::order::event_error::EventError;
use crate::order::{JobScope, Order};
use crate::process::crash::crash_point;
use crate::process::local_time;
use fiscal::finding::{Notice, Violation};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Chave, ChaveAcesso, Uf};
use std::sync::Arc;
use store::Visibility;
use store::accounts::Caller;
use store::events::NewEvent;
use store::jobs::{Job, JobDocument, NewAct, NewJob, Operacao, RegistrationResult, StoredFile};

/// Result of checking an order to act on a document.
pub(crate) enum CheckedOrder {
    /// The reference was used before.
    Before(RegistrationResult),
    /// A job that carries it out, not registered yet.
    Now {
        job: Box<NewJob>,
        /// Job of the document.
        target: Box<Job>,
        /// Members of the order and their texts.
        said: Vec<(String, String)>,
    },
}

impl Engine {
    /// Registers the job. A reference used before returns its job, whatever the document's state is now.
    pub async fn act(&self, caller: &Caller, request: ActRequest) -> Result<RegistrationResult, EventError> {
        if request.act.is_of_payer() {
            return self.act_of_payer(caller, request).await;
        }
        match self.check_order(caller, request).await? {
            CheckedOrder::Before(registered) => Ok(registered),
            CheckedOrder::Now { job, .. } => self.register_act(caller, *job).await,
        }
    }

    /// Runs every check of an act, and makes the job that carries it out.
    pub(crate) async fn check_order(
        &self,
        caller: &Caller,
        mut request: ActRequest,
    ) -> Result<CheckedOrder, EventError> {
        let told = texts::of_act(&mut request.act);
        let target = self.target(caller, &request).await?;
        if let Some(chave) = target.document.as_ref().and_then(JobDocument::acesso) {
            picture::hash_picture(&mut request.act, &chave)?;
        }
        let substituta = self.substitute(Visibility::of(caller), &request).await?;
        let family = target.document.as_ref().and_then(|document| family::of(document.counted));
        let possible = family.is_some_and(|family| is_of(&request.act, family));
        let referencia = request.referencia.clone();
        let order = request.into_order(substituta);
        let payload = order.to_payload();
        if let Some(replay) = self.replay(caller, order.operacao(), referencia.as_deref(), &payload).await? {
            return Ok(CheckedOrder::Before(replay));
        }
        let document = target.document.as_ref().ok_or(EventError::NotAuthorized)?;
        if !possible {
            return Err(EventError::WrongModel);
        }
        if document.state != DocumentState::Authorized {
            return Err(EventError::NotAuthorized);
        }
        let (chave, family) = (document.chave.ok_or(EventError::NotAuthorized)?, family.ok_or(EventError::WrongModel)?);
        let kind = (family.acts.kind)(&order).ok_or(EventError::WrongModel)?;
        let former = self.preceding_event(target.tenant_id, chave, kind).await?;
        let nProt = document.nProt.as_deref().unwrap_or_default();
        let now = &local_time::written(self.now(), chave.uf().unwrap_or(Uf::SP));
        let hall = self.city_hall_of(&target).await?;
        let (numero, dialect) = (document.numero_nota, hall.as_deref().map(MunicipalProvider::dialect));
        let said = OrderedEvent { order: &order, chave, nProt, numero, dialect, former, now };
        let mut notices = (family.acts.check)(&said)?;
        notices.extend(told);
        notices.extend(self.history_notices(family, &order, &target, document).await?);
        let event = NewEvent { chave, tpEvento: kind.code.to_owned(), most: kind.most };
        let said = order.text_members();
        let job = NewJob { notices, ..new_job(&target, order, payload, event) };
        Ok(CheckedOrder::Now { job: Box::new(job), target: Box::new(target), said })
    }

    /// Municipal provider of a document, which receives acts on it.
    async fn city_hall_of(&self, target: &Job) -> Result<Option<Arc<MunicipalProvider>>, EventError> {
        let Job { tenant_id, cpf_cnpj, ambiente, authority, .. } = target;
        self.municipal_provider_named(*tenant_id, *cpf_cnpj, *ambiente, authority).await.map_err(|none| match none {
            NoMunicipalProvider::NotUsable(why) => {
                EventError::Refused(vec![Violation::of("cpf_cnpj", "empresa_sem_configuracao", &why)])
            }
            NoMunicipalProvider::Store(error) => error.into(),
        })
    }

    pub(super) async fn register_act(&self, caller: &Caller, job: NewJob) -> Result<RegistrationResult, EventError> {
        let kind = job.operacao.word();
        let registered = self.register_for(caller, job).await?;
        crash_point("event.registered");
        let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = &registered;
        tracing::info!(job.id = %job.id, job.kind = kind, "registered");
        Ok(registered)
    }

    /// Notices from the document's own history about the event.
    async fn history_notices(
        &self,
        family: &Family,
        order: &Order,
        target: &Job,
        document: &JobDocument,
    ) -> Result<Vec<Notice>, EventError> {
        let Some(look) = family.acts.history else { return Ok(Vec::new()) };
        let chave = document.chave.as_ref().map(Chave::as_str).unwrap_or_default();
        let events = self.store().events(target.tenant_id, chave).await?;
        let archive = self.store().file(target.tenant_id, target.id, StoredFile::Authorized).await?;
        let archive = fiscal::xml::read(archive.as_bytes())
            .map_err(|_| store::Error::Corrupt("o documento autorizado é ilegível"))?;
        let last = match self.store().file(target.tenant_id, target.id, StoredFile::Event).await {
            Ok(event) => fiscal::xml::read(event.as_bytes()).ok(),
            Err(store::Error::NotFound) => None,
            Err(error) => return Err(error.into()),
        };
        let (last, now) = (last.as_ref(), self.now_s());
        let history = ActHistory { order, document, archive: &archive, events: &events, last, now };
        look(&history).map_err(EventError::Forbidden)
    }

    async fn target(&self, caller: &Caller, request: &ActRequest) -> Result<Job, EventError> {
        let sight = Visibility::of(caller);
        let found = match &request.target {
            DocumentTarget::Job(id) => self.store().job(sight, *id).await,
            DocumentTarget::Chave(chave) => self.store().job_by_chave(sight, chave).await,
            DocumentTarget::Numero(numero) => {
                let issuer = self.issuer(Visibility::of(caller), request.cpf_cnpj, &family::RPS).await?;
                let ambiente = issuer.ambiente(caller.ambiente);
                self.store().job_by_note_number(sight, request.cpf_cnpj, ambiente, *numero).await
            }
        };
        match found {
            Ok(job) if job.operacao != Operacao::Emissao || job.cpf_cnpj != request.cpf_cnpj => {
                Err(EventError::UnknownDocument)
            }
            Ok(job) if job.tipo != request.tipo => Err(EventError::WrongModel),
            Ok(job) => match request.also.iter().find(|also| !also.names(&job)) {
                Some(other) => Err(EventError::Disagreeing(other.member())),
                None => Ok(job),
            },
            Err(store::Error::NotFound) => Err(EventError::UnknownDocument),
            Err(error) => Err(error.into()),
        }
    }

    /// Key of the document that replaces the cancelled one. One named by its key may be of another system.
    async fn substitute(&self, sight: Visibility, request: &ActRequest) -> Result<Option<ChaveAcesso>, EventError> {
        let DocumentAct::Cancelar { substituta: Some(named), .. } = &request.act else { return Ok(None) };
        let chave = match named {
            DocumentTarget::Chave(chave) => ChaveAcesso::parse(chave).ok(),
            DocumentTarget::Numero(_) => None,
            DocumentTarget::Job(id) => match self.store().job(sight, *id).await {
                Ok(job) if job.cpf_cnpj == request.cpf_cnpj => job.document.as_ref().and_then(JobDocument::acesso),
                Ok(_) | Err(store::Error::NotFound) => None,
                Err(error) => return Err(error.into()),
            },
        };
        let chave = chave.ok_or(EventError::UnknownSubstitute)?;
        match &request.substitute_key {
            Some(other) if other != chave.as_str() => Err(EventError::Disagreeing("chave_substituta")),
            _ => Ok(Some(chave)),
        }
    }
}

fn new_job(target: &Job, order: Order, payload: String, event: NewEvent) -> NewJob {
    let Job { tenant_id, tipo, ambiente, .. } = *target;
    let belongs = JobScope { tenant_id, tipo, ambiente, authority: &target.authority };
    NewJob { alvo: Some(target.id), act: Some(NewAct::Event(event)), ..order.job(payload, belongs) }
}

/// `true` if documents of the family have the event of this act.
fn is_of(act: &DocumentAct, family: &Family) -> bool {
    let substitution = matches!(act, DocumentAct::Cancelar { substituta: Some(_), .. });
    family.acts.possible.contains(&act.operacao()) && (family.acts.substitution || !substitution)
}
