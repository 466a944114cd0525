//! Cancel: an event on an authorised document, with the same order as an emission: stored, sent, asked for when no reply came.
//!
//! Law: `reference/nfe.md` §10 (110111; 135, 136, 155 register, 573 repeats).

use super::in_flight::Seen;
use super::work::failure;
use super::{Halt, Step, Work, event};
use crate::bridge::Way;
use crate::budget;
use crate::call::NoAnswer;
use crate::{chance, contingency, crash_point, local_time};
use authority::answer::{EventAnswer, Rejection, Situation};
use authority::sefaz;
use authority::table::Service;
use fiscal::event::Cancelamento;
use fiscal::lifecycle::{self, Happened, State};
use fiscal::value::ChaveAcesso;
use serde_json::Value;
use store::jobs::{Document, Job};

/// Counts queries by key in the history; see `budget`.
const ASKED_LINE: &str = "Consultando pela chave se o cancelamento foi registrado (NFeConsultaProtocolo4).";
/// The event 110111, as budgets name it.
const CANCELLATION: &str = "110111";
/// cStat 580: not authorised any more, perhaps by our own lost event.
const NOT_AUTHORISED: u16 = 580;
/// cStat 494: the document is not in that database yet.
const NOT_REPLICATED: u16 = 494;
/// Attempts that a document may take to appear in the event database.
const REPLICATION_ATTEMPTS: u32 = 6;

/// The document to cancel.
struct Target {
    document: Document,
    chave: ChaveAcesso,
    way: Way,
}

/// Whether a query by key just said that the document is not cancelled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Yes,
    No,
}

/// Registers the cancellation at the authority, or finds out that it is registered.
pub(super) async fn run(work: &mut Work) -> Result<Step, Halt> {
    let target = target(work).await?;
    match (work.job.event_xml.clone(), work.recall()) {
        (None, _) => {
            let event = prepare(work, &target).await?;
            send(work, &target, &event, Asked::No).await
        }
        (Some(event), Some(Seen::Unsent)) => send(work, &target, &event, Asked::No).await,
        (Some(event), _) => ask(work, &target, &event).await,
    }
}

async fn target(work: &mut Work) -> Result<Target, Halt> {
    let absent = || Halt::Store(store::Error::Conflict("o cancelamento não tem nota alvo"));
    let alvo = work.job.alvo.ok_or_else(absent)?;
    let job: Job = work.engine.store().job(work.job.tenant_id, alvo).await?;
    let document = job.document.ok_or_else(absent)?;
    let chave = ChaveAcesso::parse(&document.chave).map_err(|_| absent())?;
    let parts = chave.parts();
    let way = work.way(parts.uf, parts.modelo, "transmissao").await?;
    Ok(Target { document, chave, way })
}

/// The signed event is stored before it is sent.
async fn prepare(work: &mut Work, target: &Target) -> Result<String, Halt> {
    let payload: Value = serde_json::from_str(&work.job.payload).unwrap_or_default();
    let uf = target.way.uf;
    let (xml, id) = fiscal::event::build_cancelamento(&Cancelamento {
        chave: target.chave,
        uf,
        ambiente: work.job.ambiente,
        emitente: work.job.cpf_cnpj,
        dhEvento: &local_time::in_state(work.engine.now(), uf),
        nProt: target.document.nProt.as_deref().unwrap_or_default(),
        xJust: payload.get("justificativa").and_then(Value::as_str).unwrap_or_default(),
    });
    let signed = signing::sign(xml, &id, &target.way.certificate).map_err(|error| {
        let why = format!("O evento não pôde ser assinado: {error}.");
        Halt::Step(Step::GiveUp { failure: failure("certificado_invalido", "assinatura", why) })
    })?;
    work.note(format!("Evento de cancelamento da nota {} assinado.", target.chave.as_str()));
    let lines = work.lines();
    work.engine.store().begin_event(work.lease, signed.xml.clone(), work.engine.now_s(), lines).await?;
    crash_point("cancel.stored");
    work.job.event_xml = Some(signed.xml.clone());
    Ok(signed.xml)
}

async fn send(work: &mut Work, target: &Target, event: &str, asked: Asked) -> Result<Step, Halt> {
    let role = contingency::role(&target.chave.parts());
    let endpoint = work.endpoint_of(&target.way, Service::RecepcaoEvento, role)?;
    let line = format!("Evento enviado a {} ({}).", endpoint.authority, endpoint.service.official_name());
    let about = format!("{} {}", target.chave.as_str(), CANCELLATION);
    work.spend(budget::EVENT, &endpoint.authority, &about, &line).await?;
    let call = sefaz::event(&endpoint, chance::draw() % 1_000_000_000_000_000, event);
    crash_point("cancel.before");
    let answer = work.engine.call(&call, &target.way, sefaz::read_event).await;
    crash_point("cancel.reply");
    match answer {
        Ok(EventAnswer::Registered { cStat, xMotivo, xml, .. }) => {
            let registered = event::Registered { cStat, xMotivo, proc_evento: sefaz::proc_evento(event, &xml) };
            register(work, target, registered).await
        }
        Ok(EventAnswer::Duplicate(said)) => Ok(look_again(work, &said)),
        Ok(EventAnswer::Rejected(said)) => refused(work, said, asked).await,
        Ok(EventAnswer::Unavailable(said)) => {
            work.remember(Seen::Unsent);
            Ok(work.unavailable(&target.way, &call.authority, &said))
        }
        Err(no_answer) => Ok(without_answer(work, &no_answer)),
    }
}

/// The event may be there: the document says whether it is.
async fn ask(work: &mut Work, target: &Target, event: &str) -> Result<Step, Halt> {
    let role = contingency::role(&target.chave.parts());
    let endpoint = work.endpoint_of(&target.way, Service::ConsultaProtocolo, role)?;
    work.spend(budget::QUERY_BY_KEY, &endpoint.authority, target.chave.as_str(), ASKED_LINE).await?;
    let call = sefaz::query(&endpoint, target.way.ambiente, &target.chave);
    let situation = work.engine.call(&call, &target.way, sefaz::read_query).await;
    crash_point("cancel.asked");
    match situation {
        Ok(Situation::Cancelled { event_xml: Some(found), .. }) => match event::read(found) {
            Some(registered) => register(work, target, registered).await,
            None => Ok(unreadable(work)),
        },
        Ok(Situation::Cancelled { event_xml: None, .. }) => Ok(unreadable(work)),
        Ok(Situation::Authorized(_) | Situation::Denied(_)) => send(work, target, event, Asked::Yes).await,
        Ok(Situation::NeverSeen(said) | Situation::OtherKey(said) | Situation::Refused(said)) => {
            Ok(look_again(work, &said))
        }
        Ok(Situation::Unavailable(said)) => Ok(work.unavailable(&target.way, &call.authority, &said)),
        Err(no_answer) => Ok(without_answer(work, &no_answer)),
    }
}

/// One transaction: the result on this job, `Cancelled` and the procEventoNFe on the document.
async fn register(work: &mut Work, target: &Target, registered: event::Registered) -> Result<Step, Halt> {
    if target.document.state != State::Cancelled {
        lifecycle::next(target.document.state, Happened::Cancelled).map_err(Halt::Illegal)?;
    }
    let event::Registered { cStat, xMotivo, proc_evento } = registered;
    settle(work, cStat, xMotivo, Some(proc_evento)).await
}

/// A rule refused the event: the document stays authorised. Two codes are looked into before that is believed.
async fn refused(work: &mut Work, said: Rejection, asked: Asked) -> Result<Step, Halt> {
    match said.cStat {
        NOT_AUTHORISED if asked == Asked::No => Ok(look_again(work, &said)),
        NOT_REPLICATED if work.job.tentativas < REPLICATION_ATTEMPTS => {
            work.remember(Seen::Unsent);
            Ok(look_again(work, &said))
        }
        _ => settle(work, said.cStat, said.xMotivo, None).await,
    }
}

async fn settle(work: &mut Work, cStat: u16, xMotivo: String, proc_evento: Option<String>) -> Result<Step, Halt> {
    work.note(format!("Resposta da autoridade: {cStat} {xMotivo}."));
    let lines = work.lines();
    crash_point("cancel.before_settle");
    work.engine.store().settle_event(work.lease, cStat, xMotivo, proc_evento, work.engine.now_s(), lines).await?;
    crash_point("cancel.committed");
    Ok(Step::Done)
}

fn look_again(work: &mut Work, said: &Rejection) -> Step {
    work.note(format!("Resposta da autoridade: {} {}.", said.cStat, said.xMotivo));
    let why = format!("A autoridade respondeu {} {}; a situação da nota será consultada.", said.cStat, said.xMotivo);
    Step::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) }
}

fn unreadable(work: &mut Work) -> Step {
    work.note("A autoridade informa a nota como cancelada, sem devolver o evento.");
    let why = "A autoridade informa a nota como cancelada, sem devolver o evento registrado.";
    Step::Again { after: work.backoff(), failure: failure("sem_protocolo", "consulta", why) }
}

fn without_answer(work: &mut Work, no_answer: &NoAnswer) -> Step {
    work.note(format!("Sem resposta da autoridade: {no_answer}."));
    if matches!(no_answer, NoAnswer::NotSent(_)) {
        work.remember(Seen::Unsent);
    }
    let why = format!("A autoridade não respondeu: {no_answer}.");
    Step::Again { after: work.backoff(), failure: failure("sem_resposta", "transmissao", why) }
}
