//! Event: an act on a document that exists, in the order of an emission: stored, sent, queried when no reply came.
//!
//! Law: MOC 7.0, anexo I, and the technical note of each event (135, 136, 155 register, 573 repeats). `prepare` →
//! `send` → (`ask`) → `settle`.

mod ask;
mod prepare;
mod proc;
mod send;
mod settle;
mod successor;

pub(super) use proc::Registered;

use super::in_flight::Seen;
use super::work::failure;
use super::{Halt, Step, Work};
use crate::acceptance::event::kind::{EventType, Receiver};
use crate::acceptance::event::ordered::OrderedEvent;
use crate::acceptance::order::{OnDocument, Order};
use crate::authorities::bridge::Channel;
use crate::authorities::call::NoAnswer;
use crate::family;
use crate::family::city_hall::CityHall;
use crate::family::emission::NORMAL;
use authority::answer::Rejection;
use authority::table::Role;
use fiscal::lifecycle::State;
use fiscal::value::Chave;
use store::events::NewEvent;
use store::jobs::{Act, Document, File, Operacao};

/// The event of a job, its document and its channel.
struct Acting {
    kind: EventType,
    chave: Chave,
    /// The order as the job stores it.
    order: Order,
    /// The document, if it is one of ours.
    document: Option<Document>,
    channel: Channel,
}

/// Knowledge about an earlier sending of the signed event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Never sent, or turned away unread.
    Never,
    /// May have been processed; the authority has no query for it.
    Perhaps,
    /// Just queried and absent.
    NotThere,
}

/// Registers the event at the authority, or finds out that it is registered.
pub(super) async fn run(work: &mut Work) -> Result<Step, Halt> {
    let acting = Acting::read(work).await?;
    if let Some(registered) = acting.done(work).await? {
        return settle::registered(work, &acting, registered).await;
    }
    match (work.job.event_xml.clone(), work.recall()) {
        (None, _) => {
            let event = prepare::run(work, &acting).await?;
            send::run(work, &acting, &event, Before::Never).await
        }
        (Some(event), Some(Seen::Unsent)) => send::run(work, &acting, &event, Before::Never).await,
        (Some(event), _) if acting.kind.told_by_query => ask::run(work, &acting, &event).await,
        (Some(event), _) => send::run(work, &acting, &event, Before::Perhaps).await,
    }
}

impl Acting {
    async fn read(work: &mut Work) -> Result<Acting, Halt> {
        let absent = || Halt::Store(store::Error::Corrupt("o evento não tem nota alvo"));
        let unreadable = || Halt::Store(store::Error::Corrupt("o pedido de evento é ilegível"));
        let mut order = Order::of(&work.job).ok_or_else(unreadable)?;
        if let (None, Order::Cancelamento(OnDocument { act, .. })) = (&work.job.event_xml, &mut order) {
            successor::is_authorised(work, act).await?;
        }
        let document = match work.job.alvo {
            Some(alvo) => work.engine.store().job(store::Sight::whole(work.job.tenant_id), alvo).await?.document,
            None => None,
        };
        let acted = work.job.act.as_ref().and_then(Act::event).map(|event| event.chave);
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
        Ok(Acting { kind, chave, order, document, channel })
    }

    /// Role of the authority that receives the event: that of the document, the normal one, or the Ambiente Nacional.
    fn role(&self) -> Role {
        match self.kind.receiver {
            Receiver::Authorizer => self.authorizer(),
            Receiver::Home => Role::Normal,
            Receiver::National => Role::National,
        }
    }

    /// Role of the authority that has the document.
    fn authorizer(&self) -> Role {
        self.channel.family.role(self.chave.acesso().map_or(NORMAL, |chave| chave.parts().tpEmis))
    }

    /// Role of the authority that confirms the registration.
    fn witness(&self) -> Role {
        match self.kind.receiver {
            Receiver::Home => Role::Normal,
            Receiver::Authorizer | Receiver::National => self.authorizer(),
        }
    }

    /// Inputs from which the event is written.
    async fn said<'s>(&'s self, work: &Work, now: &'s str) -> Result<OrderedEvent<'s>, store::Error> {
        let former = work.engine.former(work.job.tenant_id, self.chave, self.kind).await?;
        let nProt = self.document.as_ref().and_then(|document| document.nProt.as_deref()).unwrap_or_default();
        let numero = self.document.as_ref().and_then(|document| document.numero_nota);
        let dialect = self.channel.city_hall.as_deref().map(CityHall::dialect);
        Ok(OrderedEvent { order: &self.order, chave: self.chave, nProt, numero, dialect, former, now })
    }

    fn cancels(&self) -> bool {
        self.kind.cancels
    }

    /// The cancellation registered by another job of ours, if any: a document is cancelled once, and no query is
    /// needed.
    async fn done(&self, work: &Work) -> Result<Option<Registered>, Halt> {
        let cancelled = self.document.as_ref().is_some_and(|document| document.state == State::Cancelled);
        let Some(alvo) = work.job.alvo.filter(|_| cancelled && self.cancels()) else { return Ok(None) };
        match work.engine.store().file(work.job.tenant_id, alvo, File::Cancelled).await {
            Ok(proc_evento) => Ok(self.registered(proc_evento)),
            Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the authority's record of the event.
    fn registered(&self, xml: String) -> Option<Registered> {
        match self.channel.family.is_of_city_halls() {
            true => Registered::of_city_hall(xml, self.chave),
            false => Registered::read(xml),
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

fn look_again(work: &mut Work, said: &Rejection) -> Step {
    work.note(format!("Resposta da autoridade: {} {}.", said.codigo, said.xMotivo));
    let why = format!("A autoridade respondeu {} {}; a situação da nota será consultada.", said.codigo, said.xMotivo);
    Step::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) }
}

fn unanswered(work: &mut Work, no_answer: &NoAnswer) -> Step {
    work.note(format!("Sem resposta da autoridade: {no_answer}."));
    let why = format!("A autoridade não respondeu: {no_answer}.");
    Step::Again { after: work.backoff(), failure: failure("sem_resposta", "transmissao", why) }
}
