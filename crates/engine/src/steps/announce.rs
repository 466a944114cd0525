//! Announcement: the EPEC of a signed NF-e. The note may be given out only once the Ambiente Nacional has registered
//! it.
//!
//! Law: MOC 7.0, anexo III, 2.1.4; NT 2014.001 v1.30 (136 registers, 573 repeats). The event is stored before it is
//! sent, and only ever sent again unchanged: the Ambiente Nacional answers 573 with the protocol for one that it has,
//! and offers no query.

use super::claimed_work::failure;
use super::draft::draft;
use super::event::ArchivedEvent;
use super::reroute::reroute;
use super::{ClaimedWork, Halt, NextStep, payload_mode};
use crate::authorities::budget;
use crate::authorities::health::Channel;
use crate::contingency::NoMode;
use crate::family::emission::{NORMAL, VER_PROC};
use crate::process::crash::crash_point;
use crate::process::{backoff, local_time, randomness};
use authority::answer::{EventAnswer, Rejection};
use authority::sefaz::NFE;
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::event::{EpecSummary, EventDetail, EventEnvelope, NfeEventKind};
use fiscal::value::protocol;
use std::time::Duration;
use store::jobs::{Contingencia, RegisteredEpec};

/// Returns `None` once the Ambiente Nacional has registered the EPEC; otherwise the next step.
pub(super) async fn run(work: &mut ClaimedWork) -> Result<Option<NextStep>, Halt> {
    let chave = work.chave()?;
    let channel = work.channel(chave.parts().uf, work.family()?, "transmissao").await?;
    let event = match work.job.event_xml.clone() {
        Some(event) => event,
        None => {
            // an EPEC that the payload asks for is made even when the normal authority works, unless it was refused
            let asked_for = !was_refused(work)? && payload_mode::asks_epec(&draft(work).await?);
            if !asked_for && let Some(step) = return_to_normal(work, &channel).await? {
                return Ok(Some(step));
            }
            signed(work, &channel).await?
        }
    };
    let endpoint = work.endpoint_of(&channel, AuthorityService::RecepcaoEvento, AuthorityRole::National)?;
    let about = format!("{} {}", chave.as_str(), NfeEventKind::Epec.code());
    let line = format!("EPEC enviado a {} ({}).", endpoint.authority, endpoint.name);
    work.count_call(budget::EVENT, &endpoint, &about, &line).await?;
    let call = NFE.event(&endpoint, randomness::draw() % 1_000_000_000_000_000, &event);
    crash_point("announce.before");
    let answer = work.call(&call, &channel, |reply| NFE.read_event(reply)).await;
    crash_point("announce.reply");
    match answer {
        Ok(EventAnswer::Registered { xml, .. }) => {
            let proc_evento = NFE.archive_event(&event, &xml);
            let act = ArchivedEvent::read(proc_evento.clone()).map(|registered| registered.act);
            let (nProt, at) = act.map_or((None, None), |act| (act.nProt, act.dhRegEvento));
            registered(work, EpecRecord { nProt, at, proc_evento: Some(proc_evento) }).await
        }
        Ok(EventAnswer::Duplicate(said)) => {
            // the answer has no moment: that of the event itself is seconds away
            let at = event_time(&event);
            registered(work, EpecRecord { nProt: protocol_in(&said.xMotivo), at, proc_evento: None }).await
        }
        Ok(EventAnswer::Rejected(said)) if said.subject.chave.as_ref().is_none_or(|it| it == chave.as_str()) => {
            refused(work, &channel, &said).await.map(Some)
        }
        // the state of the EPEC is unknown: the same event is sent again, and is answered 573 if it is there
        Ok(EventAnswer::Rejected(said) | EventAnswer::Undecided(said)) => {
            work.log(format!("A resposta não decide o EPEC: {} {}.", said.codigo, said.xMotivo));
            let why = format!("O Ambiente Nacional respondeu {} {} ao EPEC.", said.codigo, said.xMotivo);
            Ok(Some(NextStep::Again { after: work.backoff(), failure: failure("em_duvida", "transmissao", why) }))
        }
        Ok(EventAnswer::Unavailable(said)) => Ok(Some(work.after_unavailable(&channel, &call.authority, &said))),
        Err(no_answer) => {
            work.log(format!("Sem resposta da autoridade: {no_answer}."));
            let why = format!("O Ambiente Nacional não respondeu ao EPEC: {no_answer}.");
            Ok(Some(NextStep::Again { after: work.backoff(), failure: failure("sem_resposta", "transmissao", why) }))
        }
    }
}

/// Returns to the normal authority if it works again and nothing has left us.
async fn return_to_normal(work: &mut ClaimedWork, channel: &Channel) -> Result<Option<NextStep>, Halt> {
    let draft = draft(work).await?;
    let mode = work.engine.emission_mode(channel, draft.mode_request(work)).await;
    match mode {
        Ok(mode) if mode.tpEmis == NORMAL => {
            reroute(work, mode).await?;
            Ok(Some(NextStep::Prepare))
        }
        Ok(_) | Err(NoMode::Wait { .. }) => Ok(None),
        Err(NoMode::Store(error)) => Err(Halt::Store(error)),
    }
}

/// Builds the event from the signed note, signs it, stores it.
async fn signed(work: &mut ClaimedWork, channel: &Channel) -> Result<String, Halt> {
    let unreadable = || Halt::Store(store::Error::Corrupt("a nota assinada não diz o que um EPEC repete"));
    let note = work.signed_xml().await?;
    let note = fiscal::xml::read(note.as_bytes()).map_err(|_| unreadable())?;
    let epec = EpecSummary::of(&note, VER_PROC).ok_or_else(unreadable)?;
    let envelope = EventEnvelope {
        chave: work.chave()?,
        ambiente: work.job.ambiente,
        autor: work.job.cpf_cnpj,
        dhEvento: &local_time::written(work.engine.now(), channel.civil),
        nSeqEvento: 1,
    };
    let (xml, id) = fiscal::event::build(&envelope, &EventDetail::Epec(&epec));
    let signed = signing::sign(xml, &id, &channel.certificate).map_err(|error| {
        let why = format!("O EPEC não pôde ser assinado: {error}.");
        Halt::Step(NextStep::Again {
            after: backoff::LONGEST,
            failure: failure("certificado_invalido", "assinatura", why),
        })
    })?;
    work.log("EPEC da nota montado e assinado.");
    let lines = work.take_lines();
    work.engine.store().begin_event(work.lease, signed.xml.clone(), work.engine.now_s(), lines).await?;
    crash_point("announce.stored");
    work.job.event_xml = Some(signed.xml.clone());
    Ok(signed.xml)
}

fn contingencia(work: &ClaimedWork) -> Result<Contingencia, Halt> {
    let absent = || Halt::Store(store::Error::Corrupt("o documento não está em contingência"));
    work.document()?.contingencia.clone().ok_or_else(absent)
}

fn was_refused(work: &ClaimedWork) -> Result<bool, Halt> {
    Ok(contingencia(work)?.epec_recusado.is_some())
}

/// Registration of an EPEC, as the Ambiente Nacional answers it.
struct EpecRecord {
    nProt: Option<String>,
    at: Option<String>,
    proc_evento: Option<String>,
}

/// `dhEvento` of a sent event.
fn event_time(event: &str) -> Option<String> {
    let root = fiscal::xml::read(event.as_bytes()).ok()?;
    root.text_at("infEvento/dhEvento").map(str::to_owned)
}

async fn registered(work: &mut ClaimedWork, announcement: EpecRecord) -> Result<Option<NextStep>, Halt> {
    let EpecRecord { nProt, at, proc_evento } = announcement;
    let contingencia = contingencia(work)?;
    let Some(nProt) = nProt else {
        let why = "O Ambiente Nacional informa o EPEC como registrado, sem o protocolo.";
        let failure = failure("sem_protocolo", "transmissao", why);
        return Ok(Some(NextStep::Again { after: work.backoff(), failure }));
    };
    work.log(format!("EPEC registrado no Ambiente Nacional, protocolo {nProt}: a nota pode ser entregue."));
    let contingencia = Contingencia { protocolo: Some(nProt), registrado_em: at, epec_recusado: None, ..contingencia };
    let announced = RegisteredEpec { contingencia: contingencia.clone(), proc_evento };
    let lines = work.take_lines();
    work.engine.store().epec_registered(work.lease, announced, work.engine.now_s(), lines).await?;
    crash_point("announce.committed");
    if let Some(document) = &mut work.job.document {
        document.contingencia = Some(contingencia);
    }
    Ok(None)
}

/// Handles an EPEC that the Ambiente Nacional refused and so does not have: the note goes the normal way when that is
/// open. The refusal is stored first, so that a process that goes on after a crash does not send the EPEC again while
/// there is another way.
async fn refused(work: &mut ClaimedWork, channel: &Channel, said: &Rejection) -> Result<NextStep, Halt> {
    work.log(format!("EPEC recusado pelo Ambiente Nacional: {} {}.", said.codigo, said.xMotivo));
    let contingencia = Contingencia { epec_recusado: said.codigo.number(), ..contingencia(work)? };
    let lines = work.take_lines();
    work.engine.store().epec_refused(work.lease, contingencia, work.engine.now_s(), lines).await?;
    crash_point("announce.refused");
    work.job.event_xml = None;
    let why = format!(
        "O Ambiente Nacional recusou o EPEC ({} {}); a nota espera pela autoridade do estado.",
        said.codigo, said.xMotivo
    );
    if let Some(step) = return_to_normal(work, channel).await? {
        return Ok(step);
    }
    let after = work.engine.until_normal(channel).await?.max(REFUSED_FOR);
    Ok(NextStep::Again { after, failure: failure("epec_recusado", "transmissao", why) })
}

/// Shortest wait before an EPEC is sent again after a refusal, unless the authority of the state works again.
const REFUSED_FOR: Duration = Duration::from_secs(60);

/// Protocol in the authority's text: `[nProt:891…]`.
fn protocol_in(xMotivo: &str) -> Option<String> {
    let (nProt, _) = xMotivo.split_once("[nProt:")?.1.split_once(']')?;
    protocol(nProt.trim()).map(str::to_owned)
}
