//! Settlement: state, protocol, file, number and job are written in one transaction with the authority's decision.
//!
//! Law: MOC 7.0, visão geral (procNFe) and anexo I (204, 539). A protocol is ours only when key and digest are ours.

use super::work::failure;
use super::{Halt, Step, Work, elsewhere, twin};
use crate::acceptance::items;
use crate::crash_point;
use crate::process::local_time;
use crate::steps::settled;
use authority::answer::{self, Protocol, Rejection};
use fiscal::evidence::{self, Meaning, Proof, Question, Silence};
use fiscal::finding::Notice;
use fiscal::lifecycle::Happened;
use fiscal::nota::Items;
use fiscal::value::{Chave, ChaveRps};
use store::jobs::{Act, Archive, Outcome, Refusal, Written};
use store::webhooks::Evento;
use uuid::Uuid;

/// Instruction to the operator (MOC 7.0, anexo III, 2.3.2, and anexo IV, 5; MOC CT-e 4.00, 11.5.2).
fn repair(tag: &str) -> String {
    format!(
        "A nota foi entregue em contingência e depois rejeitada: o número não vai para outra nota. Corrija o que não muda valores, destinatário \
         nem data e emita de novo com a mesma série e o mesmo {tag}: a chave será a mesma."
    )
}

/// Decision of a protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// cStat 100, 120, 150.
    Authorized,
    /// cStat 110, 301, 302, 303.
    Denied,
}

/// Settles a document by its protocol, or refuses the protocol when it is not of our bytes.
pub(super) async fn with_protocol(
    work: &mut Work,
    verdict: Verdict,
    protocol: Protocol,
    signed: &str,
    question: Question,
) -> Result<Step, Halt> {
    if let Some(step) = not_ours(work, &protocol, signed, question).await? {
        return Ok(step);
    }
    let happened = match verdict {
        Verdict::Authorized => Happened::Authorized,
        Verdict::Denied => Happened::Denied,
    };
    let xml = work.family()?.wire.archive(signed, &protocol.xml);
    let protocol = naming_replaced(work, protocol, signed)?;
    commit(work, happened, protocol, Archive::of(xml, signed)).await
}

/// Returns the step for a protocol that does not prove the document registered; `None` where it does.
async fn not_ours(
    work: &mut Work,
    protocol: &Protocol,
    signed: &str,
    question: Question,
) -> Result<Option<Step>, Halt> {
    let marks = (work.family()?.marks)(work.document()?, protocol, signed, question);
    match evidence::proof(question, Meaning::Registered, marks, Silence::Running) {
        Proof::Registered => match holder(work, protocol).await? {
            Some(other) => repeated(work, protocol, other).await.map(Some),
            None => Ok(None),
        },
        Proof::OtherContent if is_named_by_us(work)? => elsewhere::by_content(work, protocol).await.map(Some),
        Proof::OtherContent if question != Question::Identity => divergent(work, protocol).await.map(Some),
        Proof::OtherContent => elsewhere::by_number(work, protocol).await.map(Some),
        Proof::Refused | Proof::NeverSeen | Proof::Unknown => mixed_up(work, protocol).await.map(Some),
    }
}

/// Handles an answer that names another document: nothing is known of this one.
async fn mixed_up(work: &mut Work, protocol: &Protocol) -> Result<Step, Halt> {
    work.note(format!("A resposta é de outro documento ({}): nada se sabe deste.", protocol.chave));
    work.mark(Happened::NoReply).await?;
    crash_point("settle.mixed_up");
    let why = "A autoridade respondeu sobre outro documento; este será consultado antes de qualquer reenvio.";
    Ok(Step::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
}

/// Settles a document that was authorised and then cancelled outside this service while it was in doubt.
pub(super) async fn cancelled(work: &mut Work, protocol: Option<Protocol>) -> Result<Step, Halt> {
    let Some(protocol) = protocol else {
        work.note("A autoridade informa a nota como cancelada, sem devolver o protocolo.");
        let why = "A autoridade informa a nota como cancelada, sem o protocolo de autorização.";
        return Ok(Step::Again { after: work.backoff(), failure: failure("sem_protocolo", "consulta", why) });
    };
    let signed = super::prepare::stored(work).await?;
    if let Some(step) = not_ours(work, &protocol, &signed, Question::Identity).await? {
        return Ok(step);
    }
    let xml = work.family()?.wire.archive(&signed, &protocol.xml);
    let protocol = naming_replaced(work, protocol, &signed)?;
    commit(work, Happened::Cancelled, protocol, Archive::of(xml, &signed)).await
}

/// Adds the replaced note to a protocol that does not name it.
fn naming_replaced(work: &Work, mut protocol: Protocol, signed: &str) -> Result<Protocol, Halt> {
    if let Some(note) = protocol.written.as_mut().filter(|note| note.substitui.is_none()) {
        note.substitui = (work.family()?.acts.replaced)(signed, &work.asked_by()?, work.job.ambiente);
    }
    Ok(protocol)
}

/// Settles a rejection with the authority's words, verbatim. The number is free again, unless it is voided there.
pub(super) async fn rejected(work: &mut Work, rejection: Rejection) -> Result<Step, Halt> {
    if let Some(step) = twin::first_is_in_doubt(work, &rejection).await? {
        return Ok(step);
    }
    if work.family()?.numbers.voided.is_some_and(|code| rejection.codigo == code) {
        return refuse(work, rejection, Number::Gone).await;
    }
    if work.is_given_out()? {
        work.note(repair(work.family()?.numbers.tag));
        return refuse(work, rejection, Number::Kept).await;
    }
    refuse(work, rejection, Number::Free).await
}

/// Use of the number of a rejected document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// The next note takes it.
    Free,
    /// The authority has it under another key, or voided.
    Gone,
    /// The printed form is given out: only the note that replaces this one takes it.
    Kept,
}

pub(super) async fn refuse(work: &mut Work, rejection: Rejection, number: Number) -> Result<Step, Halt> {
    let said = rejection.clone();
    let order = work.whole_order();
    let given = items::given(order.as_deref());
    let at = |rejection: &Rejection| campo(&work.job.notices, &given, rejection);
    let campo = at(&rejection);
    let rejeicoes = rejection.reasons.into_iter().map(|reason| {
        let campo = at(&Rejection::new(reason.codigo.clone(), reason.motivo.as_str()));
        Refusal { codigo: reason.codigo, motivo: reason.motivo, complemento: reason.complemento, campo }
    });
    let rejeicoes = rejeicoes.collect();
    let outcome = Outcome {
        state: work.becomes(Happened::Rejected)?,
        nProt: None,
        dhRecbto: None,
        codigo: rejection.codigo,
        xMotivo: rejection.xMotivo,
        campo,
        rejeicoes,
        written: None,
        xml: None,
        number_is_gone: number == Number::Gone,
        number_is_kept: number == Number::Kept,
    };
    match twin::exchange(work, &said, &outcome).await? {
        Some(step) => Ok(step),
        None => write(work, outcome).await,
    }
}

/// Gives up when the authority holds other bytes under our key: the document may not be called authorised, and an
/// operator must check.
pub(super) async fn divergent(work: &mut Work, protocol: &Protocol) -> Result<Step, Halt> {
    let held = protocol.digVal.as_deref().unwrap_or("ausente");
    let nProt = protocol.nProt.as_deref().unwrap_or("ausente");
    work.note(format!(
        "O protocolo devolvido ({nProt}) é de outro conteúdo (digVal {held}): a nota não foi dada como autorizada."
    ));
    work.mark(Happened::NoReply).await?;
    crash_point("settle.divergent");
    let why = "A autoridade devolveu um protocolo cujo resumo (digVal) difere do documento enviado. \
               A nota continua em dúvida; consulte a chave no portal da autoridade antes de qualquer nova emissão.";
    let failure = store::jobs::Failure { repetivel: false, ..failure("protocolo_divergente", "consulta", why) };
    Ok(Step::GiveUp { failure })
}

/// Finds another document of the account under the key that the authority has just given to this one.
async fn holder(work: &Work, protocol: &Protocol) -> Result<Option<Uuid>, Halt> {
    if is_named_by_us(work)? {
        return Ok(None);
    }
    let (tenant, own) = (work.job.tenant_id, work.job.id);
    match work.engine.store().job_by_chave(store::Sight::whole(tenant), &protocol.chave).await {
        Ok(job) => Ok(Some(job.id).filter(|id| *id != own)),
        Err(store::Error::NotFound) => Ok(None),
        Err(error) => Err(Halt::Store(error)),
    }
}

/// Gives up when the key is that of another document: neither may be named by it, and an operator must check.
async fn repeated(work: &mut Work, protocol: &Protocol, other: Uuid) -> Result<Step, Halt> {
    let chave = &protocol.chave;
    work.note(format!("A autoridade devolveu a chave {chave}, que já é a da nota do job {other}."));
    work.mark(Happened::NoReply).await?;
    crash_point("settle.repeated");
    let why = format!(
        "A autoridade devolveu para esta nota a chave {chave}, que já é a da nota do job {other}. A nota continua em dúvida: consulte as duas no portal da \
         autoridade antes de qualquer nova emissão."
    );
    let failure = store::jobs::Failure { repetivel: false, ..failure("chave_repetida", "consulta", why) };
    Ok(Step::GiveUp { failure })
}

/// `true` if the key of the document is ours: it names our bytes. A document that its authority names is known by its
/// number, which may be another's.
fn is_named_by_us(work: &Work) -> Result<bool, Halt> {
    Ok(work.document()?.chave.is_some())
}

async fn commit(work: &mut Work, happened: Happened, protocol: Protocol, archive: Archive) -> Result<Step, Halt> {
    let key = key_of(work, &protocol)?;
    let outcome = Outcome {
        state: work.becomes(happened)?,
        // a lot that was answered later is known by its protocol
        nProt: protocol.nProt.or_else(|| work.protocol_of_lot.take()),
        dhRecbto: Some(local_time::near(protocol.dhRecbto, &work.document()?.dhEmi)),
        codigo: protocol.codigo,
        xMotivo: protocol.xMotivo,
        campo: None,
        rejeicoes: Vec::new(),
        written: protocol.written.zip(key).map(|(note, chave)| written(note, chave)),
        xml: Some(archive),
        number_is_gone: false,
        number_is_kept: false,
    };
    let sale = work.job.act.as_ref().and_then(Act::replaced_by).filter(|_| happened == Happened::Authorized);
    match sale {
        Some(sale) => twin::settle(work, sale, outcome).await,
        None => write(work, outcome).await,
    }
}

/// The record of a note that its authority wrote, as it is stored.
fn written(note: answer::Written, chave: Chave) -> Written {
    let answer::Written { numero, valor_liquido, substitui, codigo_verificacao } = note;
    Written { chave, numero, valor_liquido, substitui, codigo_verificacao }
}

/// Key that the authority gave; of a municipal note, which has none, the identity of its RPS.
fn key_of(work: &Work, protocol: &Protocol) -> Result<Option<Chave>, Halt> {
    if !protocol.chave.is_empty() {
        return Ok(Chave::parse(&protocol.chave).ok());
    }
    let rps = work.asked_by()?.parse().ok();
    Ok(rps.and_then(|rps| ChaveRps::of(work.job.ambiente, &rps)).map(Chave::from))
}

async fn write(work: &mut Work, outcome: Outcome) -> Result<Step, Halt> {
    work.note(format!("Resposta da autoridade: {} {}.", outcome.codigo, outcome.xMotivo));
    if let Some(nProt) = &outcome.nProt {
        work.note(format!("Protocolo {nProt}."));
    }
    let lines = work.lines();
    crash_point("settle.before");
    let (evento, codigo) = (Evento::of(outcome.state), outcome.codigo.clone());
    work.engine.store().settle(work.lease, outcome, work.engine.now_s(), lines).await?;
    settled::judged(work, evento, &codigo);
    crash_point("settle.committed");
    Ok(Step::Done)
}

/// Path in the caller's payload at which the refusal lies, if known: we predicted this code, or the authority names the
/// item.
fn campo(notices: &[Notice], given: &Items<'_>, rejection: &Rejection) -> Option<String> {
    let foreseen = notices.iter().find(|notice| notice.codigo_status.as_ref() == Some(&rejection.codigo));
    let named = || items::named(&rejection.xMotivo).first().map(|item| given.path_of(item - 1));
    foreseen.map(|notice| notice.campo.clone()).or_else(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_that_was_foreseen_lies_where_it_was_foreseen() {
        let notice = Notice {
            campo: "nota.total.vNF".to_owned(),
            codigo: "rejeicao_prevista".to_owned(),
            mensagem: String::new(),
            sugestao: None,
            codigo_status: Some(610.into()),
        };
        let refusal = |cStat: u16| Rejection::new(cStat, "Rejeição [nItem:2]");
        let nota = serde_json::json!({ "itens": [{}, {}] });
        let given = fiscal::nfe::items::items(&nota);
        assert_eq!(campo(std::slice::from_ref(&notice), &given, &refusal(610)).as_deref(), Some("nota.total.vNF"));
        assert_eq!(campo(&[notice], &given, &refusal(778)).as_deref(), Some("nota.itens[1]"));
    }
}
