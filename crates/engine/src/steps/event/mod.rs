//! Event: an act on a document that exists, in the order of an emission: stored, sent, queried when no reply came.
//!
//! Law: MOC 7.0, anexo I, and the technical note of each event (135, 136, 155 register, 573 repeats). `prepare` →
//! `send` → (`ask`) → `settle`.

mod archive;
mod ask;
mod prepare;
mod send;
mod settle;
mod successor;

pub(super) use archive::ArchivedEvent;

use super::claim_memory::SendObservation;
use super::claimed_work::failure;
use super::{ClaimedWork, Halt, NextStep};
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use crate::family;
use crate::family::emission::NORMAL;
use crate::family::event::event_type::{EventDestination, EventType};
use crate::family::event::ordered_event::OrderedEvent;
use crate::family::municipal_provider::MunicipalProvider;
use crate::order::{DocumentOrder, Order};
use authority::answer::Rejection;
use authority::table::AuthorityRole;
use fiscal::lifecycle::DocumentState;
use fiscal::value::Chave;
use store::events::NewEvent;
use store::jobs::{JobAct, JobDocument, Operacao, StoredFile};

/// The event of a job, its document and its channel.
struct EventTask {
    kind: EventType,
    chave: Chave,
    /// The order as the job stores it.
    order: Order,
    /// The document, if it is one of ours.
    document: Option<JobDocument>,
    channel: Channel,
}

/// Knowledge about an earlier sending of the signed event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PriorSending {
    /// Never sent, or turned away unread.
    Never,
    /// May have been processed; the authority has no query for it.
    Perhaps,
    /// Just queried and absent.
    NotThere,
}

/// Next action for an event.
enum EventStep {
    /// The signed event is sent.
    Send(String, PriorSending),
    /// The event needs nothing more in this claim.
    End(NextStep),
}

/// Registers the event at the authority, or finds out that it is registered.
pub(super) async fn run(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    let acting = EventTask::read(work).await?;
    if let Some(registered) = acting.registered_elsewhere(work).await? {
        return settle::registered(work, &acting, registered).await;
    }
    let step = match (work.job.event_xml.clone(), work.recall()) {
        (None, _) => {
            let event = prepare::run(work, &acting).await?;
            EventStep::Send(event, PriorSending::Never)
        }
        (Some(event), Some(SendObservation::Unsent)) => EventStep::Send(event, PriorSending::Never),
        (Some(event), _) if acting.kind.is_queryable => ask::run(work, &acting, &event).await?,
        (Some(event), _) => EventStep::Send(event, PriorSending::Perhaps),
    };
    match step {
        EventStep::Send(event, before) => send::run(work, &acting, &event, before).await,
        EventStep::End(step) => Ok(step),
    }
}

impl EventTask {
    async fn read(work: &mut ClaimedWork) -> Result<EventTask, Halt> {
        let absent = || Halt::Store(store::Error::Corrupt("o evento não tem nota alvo"));
        let unreadable = || Halt::Store(store::Error::Corrupt("o pedido de evento é ilegível"));
        let mut order = Order::of(&work.job).ok_or_else(unreadable)?;
        if let (None, Order::Cancelamento(DocumentOrder { act, .. })) = (&work.job.event_xml, &mut order) {
            successor::is_authorised(work, act).await?;
        }
        let document = match work.job.alvo {
            Some(alvo) => work.engine.store().job(store::Visibility::whole(work.job.tenant_id), alvo).await?.document,
            None => None,
        };
        let acted = work.job.act.as_ref().and_then(JobAct::event).map(|event| event.chave);
        let chave = acted.or_else(|| document.as_ref().and_then(|document| document.chave));
        let chave = chave.ok_or_else(absent)?;
        let family = match chave.acesso() {
            Some(chave) => family::of_modelo(chave.parts().modelo),
            // the key of an NFS-e has no model; a manifestation on a third party's document has no document here
            None => match &document {
                Some(document) => family::of(document.counted),
                None => family::of_tipo(work.job.tipo),
            },
        };
        let family = family.ok_or_else(absent)?;
        let uf = chave.uf().ok_or_else(absent)?;
        let kind = (family.acts.kind)(&order).ok_or_else(unreadable)?;
        let channel = work.channel(uf, family, "transmissao").await?;
        Ok(EventTask { kind, chave, order, document, channel })
    }

    /// Role of the authority that receives the event: that of the document, the normal one, or the Ambiente Nacional.
    fn role(&self) -> AuthorityRole {
        match self.kind.receiver {
            EventDestination::Authorizer => self.authorizer(),
            EventDestination::Home => AuthorityRole::Normal,
            EventDestination::National => AuthorityRole::National,
        }
    }

    /// Role of the authority that has the document.
    fn authorizer(&self) -> AuthorityRole {
        self.channel.family.role(self.chave.acesso().map_or(NORMAL, |chave| chave.parts().tpEmis))
    }

    /// Role of the authority that confirms the registration.
    fn confirming_role(&self) -> AuthorityRole {
        match self.kind.receiver {
            EventDestination::Home => AuthorityRole::Normal,
            EventDestination::Authorizer | EventDestination::National => self.authorizer(),
        }
    }

    /// Inputs from which the event is written.
    async fn ordered_event<'s>(&'s self, work: &ClaimedWork, now: &'s str) -> Result<OrderedEvent<'s>, store::Error> {
        let former = work.engine.preceding_event(work.job.tenant_id, self.chave, self.kind).await?;
        let nProt = self.document.as_ref().and_then(|document| document.nProt.as_deref()).unwrap_or_default();
        let numero = self.document.as_ref().and_then(|document| document.numero_nota);
        let dialect = self.channel.city_hall.as_deref().map(MunicipalProvider::dialect);
        Ok(OrderedEvent { order: &self.order, chave: self.chave, nProt, numero, dialect, former, now })
    }

    fn cancels(&self) -> bool {
        self.kind.cancels
    }

    /// The cancellation registered by another job of ours, if any: a document is cancelled once, and no query is
    /// needed.
    async fn registered_elsewhere(&self, work: &ClaimedWork) -> Result<Option<ArchivedEvent>, Halt> {
        let cancelled = self.document.as_ref().is_some_and(|document| document.state == DocumentState::Cancelled);
        let Some(alvo) = work.job.alvo.filter(|_| cancelled && self.cancels()) else { return Ok(None) };
        match work.engine.store().file(work.job.tenant_id, alvo, StoredFile::Cancelled).await {
            Ok(proc_evento) => Ok(self.registered(proc_evento)),
            Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the authority's record of the event.
    fn registered(&self, xml: String) -> Option<ArchivedEvent> {
        match self.channel.family.is_municipal() {
            true => ArchivedEvent::of_municipal_reply(xml, self.chave),
            false => ArchivedEvent::read(xml),
        }
    }

    /// The event as the ledger of events stores it.
    fn new_event(&self) -> NewEvent {
        NewEvent { chave: self.chave, tpEvento: self.kind.code.to_owned(), most: self.kind.most }
    }
}

/// Name of the event in the job log.
fn name(operacao: Operacao) -> &'static str {
    match operacao {
        Operacao::Emissao => "emissão",
        Operacao::Cancelamento => "cancelamento",
        Operacao::CartaCorrecao => "carta de correção",
        Operacao::AtorInteressado => "ator interessado",
        Operacao::Manifestacao => "manifestação",
        Operacao::Inutilizacao => "inutilização",
        Operacao::Evento => "CT-e",
        Operacao::AnaliseFiscal => "pedido de análise fiscal",
    }
}

fn query_again(work: &mut ClaimedWork, said: &Rejection) -> NextStep {
    work.log(format!("Resposta da autoridade: {} {}.", said.codigo, said.xMotivo));
    let why = format!("A autoridade respondeu {} {}; a situação da nota será consultada.", said.codigo, said.xMotivo);
    NextStep::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) }
}

fn unanswered(work: &mut ClaimedWork, no_answer: &NoAnswer) -> NextStep {
    work.log(format!("Sem resposta da autoridade: {no_answer}."));
    let why = format!("A autoridade não respondeu: {no_answer}.");
    NextStep::Again { after: work.backoff(), failure: failure("sem_resposta", "transmissao", why) }
}

/// Waits for an event that the authority reports as registered and does not return.
fn unreadable(work: &mut ClaimedWork) -> NextStep {
    work.log("A autoridade informa o evento como registrado, sem devolvê-lo por inteiro.");
    let why = "A autoridade informa o evento como registrado, sem devolvê-lo por inteiro.";
    NextStep::Again { after: work.backoff(), failure: failure("sem_protocolo", "consulta", why) }
}
