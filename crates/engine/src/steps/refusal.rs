//! Refusal: an answer that refuses and proves nothing by itself, since its code is in no list, or names another document, or may speak of the question. Kept
//! with the document until a question after the quiet time does not find it; then the authority's own words are the document's end.
//!
//! Law: MOC 7.0, anexo I (tables of results); ABRASF, manual de integração (providers add codes of their own).

use super::work::failure;
use super::{Halt, Step, Work, settle};
use crate::crash_point;
use crate::family::ours;
use authority::answer::Rejection;
use fiscal::evidence::{self, Mark, Proof, Question, Silence};
use fiscal::lifecycle::Happened;
use serde::{Deserialize, Serialize};

/// A refusal to be proven.
#[derive(Debug, Serialize, Deserialize)]
struct Unproven {
    said: Rejection,
    /// Whether it is surely about the document, and needs its absence alone.
    is_of_the_document: bool,
    /// Whether the document was absent after the same code before, and was sent again.
    came_before: bool,
    /// Whether it is proven, and waits for another document of its sale.
    #[serde(default)]
    is_proven: bool,
    /// Whether it says that the authority has the key: a question that does not find the document proves no absence
    /// then.
    #[serde(default)]
    is_registered: bool,
}

impl Unproven {
    /// Of the document, and nothing more.
    fn of_the_document(said: Rejection) -> Unproven {
        Unproven { said, is_of_the_document: true, came_before: false, is_proven: false, is_registered: false }
    }
}

/// The proof that a refusal gives.
pub(super) fn proof(work: &Work, question: Question, said: &Rejection) -> Result<Proof, Halt> {
    let meaning = work.family()?.wire.class(&said.codigo).meaning();
    let marks = ours::of_refusal(work.document()?, said);
    Ok(evidence::proof(question, meaning, marks, Silence::Running))
}

/// Keeps a refusal that proves nothing: the document is in doubt, and asked for.
pub(super) async fn keep(work: &mut Work, question: Question, said: Rejection) -> Result<Step, Halt> {
    work.note(format!("A resposta não decide este documento: {} {}.", said.codigo, said.xMotivo));
    let is_foreign = ours::of_refusal(work.document()?, &said).key == Mark::Foreign;
    match question {
        // said of others, or of all together
        Question::SharedSubmission => work.mark(Happened::NoReply).await?,
        _ if is_foreign || is_registered(work) => work.mark(Happened::NoReply).await?,
        question => {
            let is_of_the_document = question == Question::Submission || said.subject.is_a_document;
            let before = read(work).filter(|before| before.said.codigo == said.codigo);
            let came_before = before.is_some_and(|before| before.came_before);
            let unproven = Unproven { is_of_the_document, came_before, ..Unproven::of_the_document(said) };
            work.mark_refusal(written(&unproven)?).await?;
        }
    }
    crash_point("send.undecided");
    let why = "A resposta da autoridade não decide este documento; ele será consultado antes de qualquer reenvio.";
    Ok(Step::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
}

/// Keeps a refusal that is proven, and told later.
pub(super) async fn put_off(work: &mut Work, said: Rejection) -> Result<(), Halt> {
    let proven = Unproven { is_proven: true, ..Unproven::of_the_document(said) };
    work.mark_refusal(written(&proven)?).await
}

/// Keeps that the authority has the key: the document is in doubt, and asked for until it is found.
pub(super) async fn of_a_duplicate(work: &mut Work, said: Rejection) -> Result<(), Halt> {
    let registered = Unproven { is_registered: true, ..Unproven::of_the_document(said) };
    work.mark_refusal(written(&registered)?).await
}

/// True once the authority said that it has the key.
pub(super) fn is_registered(work: &Work) -> bool {
    read(work).is_some_and(|refusal| refusal.is_registered)
}

/// The refusal of the document that is proven already: nobody is asked about it any more.
pub(super) fn was_put_off(work: &Work) -> Option<Rejection> {
    read(work).filter(|refusal| refusal.is_proven).map(|refusal| refusal.said)
}

/// The end of a document that is proven absent after it was refused; `None` when it goes again.
pub(super) async fn after_absence(work: &mut Work) -> Result<Option<Step>, Halt> {
    let Some(unproven) = read(work) else { return Ok(None) };
    if unproven.is_of_the_document || unproven.came_before {
        return settle::rejected(work, unproven.said).await.map(Some);
    }
    let again = written(&Unproven { came_before: true, ..unproven })?;
    if let Some(document) = &mut work.job.document {
        document.refusal = Some(again);
    }
    Ok(None)
}

fn read(work: &Work) -> Option<Unproven> {
    serde_json::from_str(work.job.document.as_ref()?.refusal.as_deref()?).ok()
}

fn written(unproven: &Unproven) -> Result<String, Halt> {
    let unwritable = |_| Halt::Store(store::Error::Corrupt("a recusa não pode ser guardada"));
    serde_json::to_string(unproven).map_err(unwritable)
}
