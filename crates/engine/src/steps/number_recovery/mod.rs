//! Recovery after a copy of the database was put back: the authority is asked which numbers of a series it has, before
//! the series gives one. A job that the copy holds finds its own number among them and builds the same document again.
//!
//! A key shows its job by its code, which follows from job and number; of a document without key the authority's record
//! is compared with what would be signed now.
//! Must not know: how it was found that the database went back.

mod query;

use super::build::{build, unsigned};
use super::claimed_work::failure;
use super::draft::{self, EmissionDraft};
use super::{ClaimedWork, Halt, NextStep, layout};
use crate::authorities::certificates::signing_elements;
use crate::authorities::health::Channel;
use crate::contingency::EmissionMode;
use crate::family;
use crate::family::emission::NORMAL;
use crate::process::backoff;
use authority::answer::Protocol;
use authority::table::AuthorityRole;
use fiscal::document::BuiltDocument;
use fiscal::evidence::{AnsweredMessage, MarkMatch};
use fiscal::lifecycle::DocumentState;
use fiscal::value::ChaveAcesso;
use query::{KeyAndRecord, ask_for, other_keys};
use std::time::Duration;
use store::installation::KeyCode;
use store::jobs::{JobDocument, NumberRequest};
use store::numbers::Series;
use store::numbers::restored::{FoundNumber, NumberAnswer};

/// Consecutive numbers unknown to the authority that end the search: numbers are given in order, and fewer documents
/// than this fail one after another.
const UNKNOWN_IN_ROW: u32 = 20;
/// Queries of one claim; other jobs have their turn between.
const QUESTIONS: usize = 40;
/// Seconds for which a job holds the search of a series; longer than one query.
const HELD_S: i64 = 90;
/// Pause between two claims of a job that searches.
const PAUSE: Duration = Duration::from_secs(1);
/// Pause before a job checks whether another has cleared its series.
const WAIT: Duration = Duration::from_secs(3);

/// Pause between two claims of a job whose document cannot be built again here and needs an operator. Its queries stay
/// within the authority's limit, so that this failure is not hidden behind one of the limit.
const OPERATOR_WAIT: Duration = Duration::from_secs(15 * 60);

/// Number, code and instant under which a document is built again.
pub(super) struct RecoveredNumber {
    pub(super) numero: u64,
    pub(super) codigo: u32,
    /// From the authority's record; `None` where the record has none.
    pub(super) dhEmi: Option<String>,
}

/// Returns the number under which the job's document is built again, if the authority has it. Waits until the series
/// may give numbers.
pub(super) async fn number(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    mode: &EmissionMode,
) -> Result<Option<RecoveredNumber>, Halt> {
    if work.engine.restored().is_none() {
        return Ok(None);
    }
    let is_kept = unsigned_document(work).is_some_and(|document| document.contingencia.is_some());
    let number = own_number(work, draft, channel).await?;
    if work.is_made_again && mode.contingencia.is_some() && !is_kept {
        // in contingency it would be another document under another key
        return Err(wait(backoff::LONGEST));
    }
    if mode.role == AuthorityRole::Contingency && work.job.is_copied {
        // the SVC was not asked for the series: the key, which is the same again, is queried there before it is sent
        work.is_made_again = true;
    }
    Ok(number)
}

/// `true` if a copy was put back and holds the job.
pub(super) fn is_of_a_copy(work: &ClaimedWork) -> bool {
    work.job.is_copied && work.engine.restored().is_some()
}

/// Series of the job's document; without a document, the series that it would take.
fn series_of(work: &ClaimedWork, draft: &EmissionDraft, document: Option<&JobDocument>) -> Result<Series, Halt> {
    let series = draft::series_of(work, draft)?;
    Ok(document.map_or(series, |document| Series { serie: document.serie, ..series }))
}

/// A document that is numbered and was not signed.
fn unsigned_document(work: &ClaimedWork) -> Option<JobDocument> {
    work.job.document.clone().filter(|document| document.state == DocumentState::Accepted)
}

async fn own_number(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
) -> Result<Option<RecoveredNumber>, Halt> {
    let held = unsigned_document(work);
    let asked = (draft.family.builder.numbering)(draft.nota()).numero;
    let is_kept = held.as_ref().is_some_and(|document| document.contingencia.is_some());
    if asked.is_some() || is_kept {
        // the number is fixed: the same document is built under it, and queried before it is sent
        work.is_made_again = work.job.is_copied;
        return Ok(None);
    }
    let series = series_of(work, draft, held.as_ref())?;
    clear_series(work, draft, channel, series, None).await?;
    if !work.job.is_copied {
        return Ok(None);
    }
    let found = work.engine.store().found_numbers(work.job.tenant_id, series, work.job.id).await?;
    own_among(work, draft, channel, series, held, found).await
}

/// Returns the found number that is this job's. An unsigned number that belongs to another document at the authority is
/// given up.
async fn own_among(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    series: Series,
    held: Option<JobDocument>,
    found: Vec<FoundNumber>,
) -> Result<Option<RecoveredNumber>, Halt> {
    for one in &found {
        let is_held = held.as_ref().is_some_and(|document| document.numero == one.numero);
        if !is_own(work, draft, channel, series, one).await? {
            if is_held {
                work.engine.store().drop_numbered(work.lease, series, one.numero).await?;
                work.job.document = None;
                work.log(format!("O número {} já é de outra nota na autoridade: a nota recebe outro.", one.numero));
            }
            continue;
        }
        other_mode(one)?;
        if work.engine.store().claim_found(work.lease, series, one.numero).await? {
            let numero = one.numero;
            work.log(format!(
                "A autoridade já tem esta nota sob o número {numero}: o mesmo documento é montado de novo."
            ));
            work.is_made_again = true;
            let is_there = work.job.document.as_ref().is_some_and(|document| document.numero == numero);
            let dhEmi = record_of(one).as_ref().and_then(instant_in);
            let codigo = match ChaveAcesso::parse(&one.chave) {
                Ok(chave) => family::code_of(&chave),
                Err(_) => code_at(work, series, numero)?,
            };
            return Ok(Some(RecoveredNumber { numero, codigo, dhEmi }).filter(|_| !is_there));
        }
    }
    Ok(None)
}

/// Refuses a document of contingency: its reason and beginning are not in the copy.
fn other_mode(found: &FoundNumber) -> Result<(), Halt> {
    let tpEmis = ChaveAcesso::parse(&found.chave).map_or(NORMAL, |chave| chave.parts().tpEmis);
    if tpEmis == NORMAL { Ok(()) } else { Err(of_another_way(&found.chave)) }
}

fn of_another_way(chave: &str) -> Halt {
    let why = format!(
        "A nota foi emitida depois da cópia do banco, com a chave {chave}: o documento não pode ser refeito aqui. Guarde o XML pela \
         chave, no portal da autoridade."
    );
    Halt::Step(NextStep::Again { after: OPERATOR_WAIT, failure: failure("registro_incerto", "consulta", why) })
}

/// Continues the search of a series; waits unless it is cleared. A number that was absent a moment ago is not queried
/// again, since queries for one key are limited.
async fn clear_series(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    series: Series,
    absent: Option<u64>,
) -> Result<(), Halt> {
    let (tenant, now) = (work.job.tenant_id, work.engine.now_s());
    let left = quiet_time_left(work, channel);
    if !left.is_zero() && work.engine.store().is_uncleared(tenant, series).await? {
        // readiness is kept in whole seconds
        return Err(wait(left.saturating_add(Duration::from_secs(1))));
    }
    let mut standing = work.engine.store().hold_restored(tenant, series, now, now + HELD_S).await?;
    if standing.is_held && !standing.is_cleared {
        return Err(wait(WAIT));
    }
    for _ in 0..QUESTIONS {
        if standing.is_cleared {
            return Ok(());
        }
        let numero = standing.next_query();
        let found = if absent == Some(numero) { None } else { ask(work, draft, channel, series, numero).await? };
        if let Some((chave, _)) = &found {
            tracing::warn!(
                numero,
                document.chave = chave,
                "the authority has a number that the restored copy does not know"
            );
        }
        let now = work.engine.now_s();
        let asked = NumberAnswer { numero, found, ahead: UNKNOWN_IN_ROW, now, until: now + HELD_S };
        standing = work.engine.store().record_number_answer(tenant, series, asked).await?;
    }
    if standing.is_cleared { Ok(()) } else { Err(wait(PAUSE)) }
}

/// Time left until an authority has registered what was in flight when the copy was put back: until then a number that
/// it does not know may be used a moment later.
fn quiet_time_left(work: &ClaimedWork, channel: &Channel) -> Duration {
    let quiet_s = work.engine.inner.circuit_monitor.options.quiet_s(channel.family);
    Duration::from_secs(quiet_s.unsigned_abs()).saturating_sub(work.engine.restored_for())
}

fn wait(after: Duration) -> Halt {
    let why = "O banco é uma cópia restaurada: antes de dar um número, o serviço pergunta à autoridade até onde a série foi usada.";
    Halt::Step(NextStep::Again { after, failure: failure("registro_incerto", "consulta", why) })
}

/// Waits for a series that gives no number now.
pub(super) fn waits() -> Halt {
    wait(backoff::LONGEST / 2)
}

/// Queries the authorities for a number, by the keys or the identity that this job's document would have there.
async fn ask(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    series: Series,
    numero: u64,
) -> Result<Option<KeyAndRecord>, Halt> {
    let (built, _) = build_as(work, draft, channel, series, numero, None)?;
    let asked_by = built.ids.asked_by;
    let what = format!("pelo número {numero}");
    for (role, asked_by) in other_keys(work, channel, &asked_by).into_iter().chain([(AuthorityRole::Normal, asked_by)])
    {
        if let Some(found) = ask_for(work, channel, role, &asked_by, &what).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Halts if an authority has a document of the job under another key or number, of a contingency that the copy does not
/// know. Queries nothing where no copy was put back.
pub(super) async fn halt_if_elsewhere(work: &mut ClaimedWork, channel: &Channel) -> Result<(), Halt> {
    let asked_by = work.asked_by()?;
    if work.engine.restored().is_none() || ChaveAcesso::parse(&asked_by).is_err() {
        return Ok(());
    }
    for (role, chave) in other_keys(work, channel, &asked_by) {
        let found = ask_for(work, channel, role, &chave, &format!("pela chave {chave}")).await?;
        if found.is_some_and(|(there, _)| there == chave) {
            return Err(of_another_way(&chave));
        }
    }
    if work.job.is_copied { under_no_other_number(work, channel).await } else { Ok(()) }
}

/// Halts if the sale was issued again under a number that was given after the copy.
async fn under_no_other_number(work: &mut ClaimedWork, channel: &Channel) -> Result<(), Halt> {
    let draft = draft::draft(work).await?;
    let document = work.document()?;
    let (numero, series) = (document.numero, series_of(work, &draft, Some(document))?);
    clear_series(work, &draft, channel, series, Some(numero)).await?;
    let found = work.engine.store().found_numbers(work.job.tenant_id, series, work.job.id).await?;
    for one in found.iter().filter(|one| one.numero != numero) {
        if is_own(work, &draft, channel, series, one).await? {
            return Err(of_another_way(&one.chave));
        }
    }
    Ok(())
}

/// `true` for the document that this job builds. Queries the job's own key where the authority named none (216 of the
/// CT-e).
async fn is_own(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    series: Series,
    found: &FoundNumber,
) -> Result<bool, Halt> {
    if found.job_id == Some(work.job.id) {
        return Ok(true);
    }
    match (&found.evidence, ChaveAcesso::parse(&found.chave)) {
        (None, Ok(chave)) => return is_code_of(work, series, found.numero, family::code_of(&chave)),
        (None, Err(_)) => {
            let there = ask(work, draft, channel, series, found.numero).await?;
            return Ok(there.is_some_and(|(chave, _)| !chave.is_empty()));
        }
        (Some(_), _) => {}
    }
    let Some(protocol) = record_of(found) else { return Ok(false) };
    let (built, document) = build_as(work, draft, channel, series, found.numero, instant_in(&protocol))?;
    let algorithm = (draft.family.builder.algorithm)(Some(&draft.issuer));
    let signed =
        signing::sign_elements(algorithm, built.xml, &signing_elements(&built.signatures), &channel.certificate);
    let signed = signed.map_err(unsigned)?;
    let document = JobDocument { asked_by: Some(built.ids.asked_by), digest: Some(signed.digest.clone()), ..document };
    let marks = (draft.family.marks)(&document, &protocol, signed.xml.as_str(), AnsweredMessage::Identity);
    Ok(marks.content == MarkMatch::Ours && marks.key != MarkMatch::Foreign)
}

/// The authority's record of a document without key.
fn record_of(found: &FoundNumber) -> Option<Protocol> {
    serde_json::from_str(found.evidence.as_deref()?).ok()
}

/// Instant of the declaration inside a note; the note itself uses another tag for its own.
fn instant_in(record: &Protocol) -> Option<String> {
    let (_, rest) = record.xml.split_once("<dhEmi>")?;
    rest.split_once('<').map(|(instant, _)| instant.to_owned())
}

/// `true` for a code that this job gives under a number: its document's, or that of the second one of its sale, which
/// the copy may not hold.
fn is_code_of(work: &ClaimedWork, series: Series, numero: u64, code: u32) -> Result<bool, Halt> {
    // in contingency a document may have taken another number, and kept its code
    if work.job.document.as_ref().is_some_and(|document| document.codigo_aleatorio == code) {
        return Ok(true);
    }
    let second = work.engine.store().key_code(work.job.id, &series)?.of_second();
    Ok(code_at(work, series, numero)? == code || second.of(numero)? == code)
}

/// Code of this job's key under a number: the stored one, or the derived one.
fn code_at(work: &ClaimedWork, series: Series, numero: u64) -> Result<u32, Halt> {
    match work.job.document.as_ref().filter(|document| document.numero == numero) {
        Some(document) => Ok(document.codigo_aleatorio),
        None => Ok(draft::codes(work, &series)?.of(numero)?),
    }
}

/// Builds the document that this job would have under a number, dated by its order where no instant is given.
fn build_as(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    series: Series,
    numero: u64,
    dhEmi: Option<String>,
) -> Result<(BuiltDocument, JobDocument), Halt> {
    let before = std::mem::replace(&mut work.is_made_again, true);
    let reserve = NumberRequest {
        series,
        asked_numero: Some(numero),
        codigo_aleatorio: KeyCode::Fixed(code_at(work, series, numero)?),
        tipo_emissao: NORMAL,
        dhEmi: dhEmi.unwrap_or_else(|| draft::dated(work, draft, false)),
        contingencia: None,
        fresh: false,
    };
    let document = reserve.document(numero)?;
    let own = work.job.document.replace(document.clone());
    let built = layout::cached(work, draft, channel).and_then(|tried| build(work, draft, channel, tried));
    work.job.document = own;
    work.is_made_again = before;
    Ok((built?, document))
}
