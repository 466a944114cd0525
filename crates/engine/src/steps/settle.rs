//! Settlement: state, protocol, file, number and job are written in one transaction with the authority's decision.
//!
//! Law: MOC 7.0, visão geral (procNFe) and anexo I (204, 539). A protocol is ours only when key and digest are ours.

use super::claimed_work::failure;
use super::outcome::{self, NumberUse, refuse};
use super::{ClaimedWork, Halt, NextStep, number_conflict, second_issue};
use crate::process::crash::crash_point;
use crate::process::local_time;
use authority::answer::{self, Protocol, Rejection};
use fiscal::evidence::{self, AnsweredMessage, CodeMeaning, ProvenFate, QuietTime};
use fiscal::lifecycle::LifecycleEvent;
use fiscal::value::{Chave, ChaveRps};
use store::jobs::{ArchivedDocument, AuthorityNote, DocumentOutcome, JobAct};
use uuid::Uuid;

/// Instruction to the operator (MOC 7.0, anexo III, 2.3.2, and anexo IV, 5; MOC CT-e 4.00, 11.5.2).
fn repair_instruction(tag: &str) -> String {
    format!(
        "A nota foi entregue em contingência e depois rejeitada: o número não vai para outra nota. Corrija o que não muda valores, destinatário \
         nem data e emita de novo com a mesma série e o mesmo {tag}: a chave será a mesma."
    )
}

/// Decision of a protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProtocolVerdict {
    /// cStat 100, 120, 150.
    Authorized,
    /// cStat 110, 301, 302, 303.
    Denied,
}

/// Settles a document by its protocol, or refuses the protocol when it is not of our bytes.
pub(super) async fn with_protocol(
    work: &mut ClaimedWork,
    verdict: ProtocolVerdict,
    protocol: Protocol,
    signed: &str,
    question: AnsweredMessage,
) -> Result<NextStep, Halt> {
    if let Some(step) = not_ours(work, &protocol, signed, question).await? {
        return Ok(step);
    }
    let happened = match verdict {
        ProtocolVerdict::Authorized => LifecycleEvent::Authorized,
        ProtocolVerdict::Denied => LifecycleEvent::Denied,
    };
    let xml = work.family()?.wire.archive(signed, &protocol.xml);
    let protocol = naming_replaced(work, protocol, signed)?;
    commit(work, happened, protocol, ArchivedDocument::of(xml, signed)).await
}

/// Returns the step for a protocol that does not prove the document registered; `None` where it does.
async fn not_ours(
    work: &mut ClaimedWork,
    protocol: &Protocol,
    signed: &str,
    question: AnsweredMessage,
) -> Result<Option<NextStep>, Halt> {
    let marks = (work.family()?.marks)(work.document()?, protocol, signed, question);
    match evidence::proven_fate(question, CodeMeaning::Registered, marks, QuietTime::Running) {
        ProvenFate::Registered => match job_with_same_key(work, protocol).await? {
            Some(other) => after_repeated_key(work, protocol, other).await.map(Some),
            None => Ok(None),
        },
        ProvenFate::OtherContent if is_named_by_us(work)? => {
            number_conflict::by_content(work, protocol).await.map(Some)
        }
        ProvenFate::OtherContent if question != AnsweredMessage::Identity => {
            number_conflict::divergent(work, protocol).await.map(Some)
        }
        ProvenFate::OtherContent => number_conflict::by_number(work, protocol).await.map(Some),
        ProvenFate::Refused | ProvenFate::NeverSeen | ProvenFate::Unknown => {
            after_foreign_answer(work, protocol).await.map(Some)
        }
    }
}

/// Handles an answer that names another document: nothing is known of this one.
async fn after_foreign_answer(work: &mut ClaimedWork, protocol: &Protocol) -> Result<NextStep, Halt> {
    work.log(format!("A resposta é de outro documento ({}): nada se sabe deste.", protocol.chave));
    work.mark(LifecycleEvent::NoReply).await?;
    crash_point("settle.mixed_up");
    let why = "A autoridade respondeu sobre outro documento; este será consultado antes de qualquer reenvio.";
    Ok(NextStep::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
}

/// Settles a document that was authorised and then cancelled outside this service while it was in doubt.
pub(super) async fn cancelled(work: &mut ClaimedWork, protocol: Option<Protocol>) -> Result<NextStep, Halt> {
    let Some(protocol) = protocol else {
        work.log("A autoridade informa a nota como cancelada, sem devolver o protocolo.");
        let why = "A autoridade informa a nota como cancelada, sem o protocolo de autorização.";
        return Ok(NextStep::Again { after: work.backoff(), failure: failure("sem_protocolo", "consulta", why) });
    };
    let signed = work.signed_xml().await?;
    if let Some(step) = not_ours(work, &protocol, &signed, AnsweredMessage::Identity).await? {
        return Ok(step);
    }
    let xml = work.family()?.wire.archive(&signed, &protocol.xml);
    let protocol = naming_replaced(work, protocol, &signed)?;
    commit(work, LifecycleEvent::Cancelled, protocol, ArchivedDocument::of(xml, &signed)).await
}

/// Adds the replaced note to a protocol that does not name it.
fn naming_replaced(work: &ClaimedWork, mut protocol: Protocol, signed: &str) -> Result<Protocol, Halt> {
    if let Some(note) = protocol.written.as_mut().filter(|note| note.substitui.is_none()) {
        note.substitui = (work.family()?.acts.replaced)(signed, &work.asked_by()?, work.job.ambiente);
    }
    Ok(protocol)
}

/// Settles a rejection with the authority's words, verbatim. The number is free again, unless it is voided there.
pub(super) async fn rejected(work: &mut ClaimedWork, rejection: Rejection) -> Result<NextStep, Halt> {
    if let Some(step) = second_issue::first_is_in_doubt(work, &rejection).await? {
        return Ok(step);
    }
    if work.family()?.numbers.voided.is_some_and(|code| rejection.codigo == code) {
        return refuse(work, rejection, NumberUse::Gone).await;
    }
    if work.is_given_out()? {
        work.log(repair_instruction(work.family()?.numbers.tag));
        return refuse(work, rejection, NumberUse::Kept).await;
    }
    refuse(work, rejection, NumberUse::Free).await
}

/// Finds another document of the account under the key that the authority has just given to this one.
async fn job_with_same_key(work: &ClaimedWork, protocol: &Protocol) -> Result<Option<Uuid>, Halt> {
    if is_named_by_us(work)? {
        return Ok(None);
    }
    let (tenant, own) = (work.job.tenant_id, work.job.id);
    match work.engine.store().job_by_chave(store::Visibility::whole(tenant), &protocol.chave).await {
        Ok(job) => Ok(Some(job.id).filter(|id| *id != own)),
        Err(store::Error::NotFound) => Ok(None),
        Err(error) => Err(Halt::Store(error)),
    }
}

/// Gives up when the key is that of another document: neither may be named by it, and an operator must check.
async fn after_repeated_key(work: &mut ClaimedWork, protocol: &Protocol, other: Uuid) -> Result<NextStep, Halt> {
    let chave = &protocol.chave;
    work.log(format!("A autoridade devolveu a chave {chave}, que já é a da nota do job {other}."));
    work.mark(LifecycleEvent::NoReply).await?;
    crash_point("settle.repeated");
    let why = format!(
        "A autoridade devolveu para esta nota a chave {chave}, que já é a da nota do job {other}. A nota continua em dúvida: consulte as duas no portal da \
         autoridade antes de qualquer nova emissão."
    );
    let failure = store::jobs::JobFailure { repetivel: false, ..failure("chave_repetida", "consulta", why) };
    Ok(NextStep::GiveUp { failure })
}

/// `true` if the key of the document is ours: it names our bytes. A document that its authority names is known by its
/// number, which may be another's.
fn is_named_by_us(work: &ClaimedWork) -> Result<bool, Halt> {
    Ok(work.document()?.chave.is_some())
}

async fn commit(
    work: &mut ClaimedWork,
    happened: LifecycleEvent,
    protocol: Protocol,
    archive: ArchivedDocument,
) -> Result<NextStep, Halt> {
    let key = key_of(work, &protocol)?;
    let outcome = DocumentOutcome {
        state: work.state_after(happened)?,
        // a lot that was answered later is known by its protocol
        nProt: protocol.nProt.or_else(|| work.protocol_of_lot.take()),
        dhRecbto: Some(local_time::with_offset_of(protocol.dhRecbto, &work.document()?.dhEmi)),
        codigo: protocol.codigo,
        xMotivo: protocol.xMotivo,
        campo: None,
        rejeicoes: Vec::new(),
        written: protocol.written.zip(key).map(|(note, chave)| written(note, chave)),
        xml: Some(archive),
        number_is_gone: false,
        number_is_kept: false,
    };
    let sale = work.job.act.as_ref().and_then(JobAct::replaced_by).filter(|_| happened == LifecycleEvent::Authorized);
    match sale {
        Some(sale) => second_issue::settle(work, sale, outcome).await,
        None => outcome::write(work, outcome).await,
    }
}

/// The record of a note that its authority wrote, as it is stored.
fn written(note: answer::GeneratedDocument, chave: Chave) -> AuthorityNote {
    let answer::GeneratedDocument { numero, valor_liquido, substitui, codigo_verificacao } = note;
    AuthorityNote { chave, numero, valor_liquido, substitui, codigo_verificacao }
}

/// Key that the authority gave; of a municipal note, which has none, the identity of its RPS.
fn key_of(work: &ClaimedWork, protocol: &Protocol) -> Result<Option<Chave>, Halt> {
    if !protocol.chave.is_empty() {
        return Ok(Chave::parse(&protocol.chave).ok());
    }
    let rps = work.asked_by()?.parse().ok();
    Ok(rps.and_then(|rps| ChaveRps::of(work.job.ambiente, &rps)).map(Chave::from))
}
