//! Marks of a protocol beside the document that was sent: its key, and the signed digest, or the content of the note
//! where there is no digest.
//!
//! Law: MOC 7.0, anexo I (`digVal`); ABRASF, manual de integração (a note written by a municipal provider names its
//! RPS).

use authority::answer::{Protocol, Rejection};
use fiscal::abrasf::answer;
use fiscal::evidence::{AnswerMarks, AnsweredMessage, MarkMatch};
use fiscal::value::RpsId;
use store::jobs::JobDocument;

/// Compares key and digest.
pub(crate) fn by_digest(document: &JobDocument, protocol: &Protocol, _: &str, _: AnsweredMessage) -> AnswerMarks {
    let key = match &document.chave {
        // the authority gives the key, beside the declaration that it is of
        None => of_declaration(document, &protocol.xml),
        Some(chave) => compared(Some(chave.as_str()), &protocol.chave),
    };
    let content = match &protocol.digVal {
        None => MarkMatch::Absent,
        Some(digest) => compared(document.digest.as_deref(), digest),
    };
    AnswerMarks { key, content, protocol: true }
}

/// Compares the `Id` of the DPS in a national NFS-e.
fn of_declaration(document: &JobDocument, note: &str) -> MarkMatch {
    let declaration = note.split_once("<infDPS").and_then(|(_, rest)| rest.split_once('>'));
    let id =
        declaration.and_then(|(attributes, _)| attributes.split_once("Id=\"")).and_then(|(_, id)| id.split_once('"'));
    id.map_or(MarkMatch::Absent, |(id, _)| compared(document.asked_by.as_deref(), id))
}

/// Compares the content of the RPS. The answer to our own message concerns no other document, unless it names another.
pub(crate) fn by_content(
    document: &JobDocument,
    protocol: &Protocol,
    signed: &str,
    question: AnsweredMessage,
) -> AnswerMarks {
    let note = answer::read(&protocol.xml).ok().and_then(|reply| reply.notes.into_iter().next());
    let identity = document.asked_by.as_deref().and_then(|asked_by| asked_by.parse::<RpsId>().ok());
    let named = note.as_ref().and_then(|note| note.rps.as_ref()).zip(identity);
    let key = match named {
        None => MarkMatch::Absent,
        Some((rps, identity)) if rps.is_of(&identity) => MarkMatch::Ours,
        Some(_) => MarkMatch::Foreign,
    };
    let is_same = || Some(note.as_ref()?.differences(signed).ok()?.is_empty());
    let content = match question {
        AnsweredMessage::Identity if !is_same().unwrap_or_default() => MarkMatch::Foreign,
        _ => MarkMatch::Ours,
    };
    AnswerMarks { key, content, protocol: true }
}

/// Marks of a refusal beside the document of the job.
pub(crate) fn of_refusal(document: &JobDocument, said: &Rejection) -> AnswerMarks {
    let own = document.chave.as_ref().map(|chave| chave.as_str());
    let key = match (&said.subject.chave, own) {
        (Some(named), Some(own)) => compared(Some(own), named),
        _ if said.subject.is_a_document => MarkMatch::Ours,
        _ => MarkMatch::Absent,
    };
    AnswerMarks { key, content: MarkMatch::Absent, protocol: said.subject.has_protocol }
}

fn compared(own: Option<&str>, given: &str) -> MarkMatch {
    if own == Some(given) { MarkMatch::Ours } else { MarkMatch::Foreign }
}
