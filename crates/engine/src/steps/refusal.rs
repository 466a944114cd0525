//! Undecided refusals: answers that refuse and prove nothing by themselves, since their code is in no list, or they
//! name another document, or may concern the query. Such a refusal is stored with the document until a query after the
//! quiet time does not find it; then the authority's own words settle the document.
//!
//! Law: MOC 7.0, anexo I (tables of results); ABRASF, manual de integração (providers add codes of their own).

use super::claimed_work::failure;
use super::{ClaimedWork, Halt, NextStep};
use crate::family::marks;
use crate::process::crash::crash_point;
use authority::answer::Rejection;
use fiscal::evidence::{self, AnsweredMessage, CodeMeaning, MarkMatch, ProvenFate, QuietTime};
use fiscal::lifecycle::LifecycleEvent;
use serde::{Deserialize, Serialize};

/// A refusal that is stored with its document.
#[derive(Debug, Serialize, Deserialize)]
struct KeptRefusal {
    said: Rejection,
    standing: RefusalStanding,
}

/// Weight of a stored refusal as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RefusalStanding {
    /// Surely about the document: only the proof of absence is missing.
    OfTheDocument,
    /// May concern the query, or other documents of the message: an absent document is sent again.
    Doubtful,
    /// Doubtful; the document was absent after it, and is sent again.
    Repeating,
    /// The repetition got the same code: only the proof of absence is missing.
    Repeated,
    /// Proven, and reported once another document of its sale is settled.
    Proven,
    /// The authority answered that it has the key: a query that does not find the document proves no absence.
    Registered,
}

/// Returns the proof that a refusal gives.
pub(super) fn proof(work: &ClaimedWork, question: AnsweredMessage, said: &Rejection) -> Result<ProvenFate, Halt> {
    let meaning = work.family()?.wire.class(&said.codigo).meaning();
    let marks = marks::of_refusal(work.document()?, said);
    Ok(evidence::proven_fate(question, meaning, marks, QuietTime::Running))
}

/// Stores a refusal that proves nothing: the document is in doubt, and is queried.
pub(super) async fn store_refusal(
    work: &mut ClaimedWork,
    question: AnsweredMessage,
    said: Rejection,
) -> Result<NextStep, Halt> {
    work.log(format!("A resposta não decide este documento: {} {}.", said.codigo, said.xMotivo));
    let is_foreign = marks::of_refusal(work.document()?, &said).key == MarkMatch::Foreign;
    match question {
        // concerns other members of the lot, or all together
        AnsweredMessage::SharedSubmission => work.mark(LifecycleEvent::NoReply).await?,
        _ if is_foreign || is_registered(work) || !is_a_refusal(work, &said)? => {
            work.mark(LifecycleEvent::NoReply).await?
        }
        question => {
            let is_of_the_document = question == AnsweredMessage::Submission || said.subject.is_a_document;
            let standing = if is_of_the_document { RefusalStanding::OfTheDocument } else { doubtful(work, &said) };
            mark(work, said, standing).await?;
        }
    }
    crash_point("send.undecided");
    let why = "A resposta da autoridade não decide este documento; ele será consultado antes de qualquer reenvio.";
    Ok(NextStep::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
}

/// `false` for a code that leaves open whether the document is registered: it is in process (E92), or its lot is
/// unknown (E86).
fn is_a_refusal(work: &ClaimedWork, said: &Rejection) -> Result<bool, Halt> {
    let meaning = work.family()?.wire.class(&said.codigo).meaning();
    Ok(!matches!(meaning, CodeMeaning::NeverSeen | CodeMeaning::Duplicate | CodeMeaning::Pending))
}

/// Standing of a refusal that may concern the query or other documents. The same code for a document that was absent
/// after the first and was sent again concerns the document.
fn doubtful(work: &ClaimedWork, said: &Rejection) -> RefusalStanding {
    let before = read(work).filter(|before| before.said.codigo == said.codigo).map(|before| before.standing);
    match before {
        Some(RefusalStanding::Repeating | RefusalStanding::Repeated) => RefusalStanding::Repeated,
        _ => RefusalStanding::Doubtful,
    }
}

/// Stores a proven refusal that is reported later.
pub(super) async fn postpone(work: &mut ClaimedWork, said: Rejection) -> Result<(), Halt> {
    mark(work, said, RefusalStanding::Proven).await
}

/// Records that the authority has the key: the document is in doubt, and is queried until it is found.
pub(super) async fn record_duplicate(work: &mut ClaimedWork, said: Rejection) -> Result<(), Halt> {
    mark(work, said, RefusalStanding::Registered).await
}

/// `true` once the authority answered that it has the key.
pub(super) fn is_registered(work: &ClaimedWork) -> bool {
    read(work).is_some_and(|kept| kept.standing == RefusalStanding::Registered)
}

/// The proven refusal of the document, which needs no further query.
pub(super) fn postponed(work: &ClaimedWork) -> Option<Rejection> {
    read(work).filter(|kept| kept.standing == RefusalStanding::Proven).map(|kept| kept.said)
}

/// Returns the refusal that settles a document proven absent; `None` when it is sent again.
pub(super) fn after_absence(work: &mut ClaimedWork) -> Result<Option<Rejection>, Halt> {
    let Some(kept) = read(work) else { return Ok(None) };
    match kept.standing {
        RefusalStanding::OfTheDocument | RefusalStanding::Repeated | RefusalStanding::Proven => Ok(Some(kept.said)),
        // a repetition without an answer proves nothing: the document is sent once more
        RefusalStanding::Doubtful | RefusalStanding::Repeating => {
            let again = written(&KeptRefusal { standing: RefusalStanding::Repeating, ..kept })?;
            if let Some(document) = &mut work.job.document {
                document.refusal = Some(again);
            }
            Ok(None)
        }
        RefusalStanding::Registered => Ok(None),
    }
}

async fn mark(work: &mut ClaimedWork, said: Rejection, standing: RefusalStanding) -> Result<(), Halt> {
    work.mark_refusal(written(&KeptRefusal { said, standing })?).await
}

fn read(work: &ClaimedWork) -> Option<KeptRefusal> {
    serde_json::from_str(work.job.document.as_ref()?.refusal.as_deref()?).ok()
}

fn written(kept: &KeptRefusal) -> Result<String, Halt> {
    let unwritable = |_| Halt::Store(store::Error::Corrupt("a recusa não pode ser guardada"));
    serde_json::to_string(kept).map_err(unwritable)
}
