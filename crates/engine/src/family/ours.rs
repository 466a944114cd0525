//! Whether what an authority has is the document that we sent: by the digest that was signed, or, where nobody keeps that, by what it says.
//!
//! Law: MOC 7.0, anexo I (`digVal`); `reference/nfse.md` §8.3 (a municipal note is compared before it is adopted).

use authority::answer::Protocol;
use fiscal::abrasf::answer;
use store::jobs::Document;

/// How a protocol came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// In answer to what was handed in.
    Answered,
    /// In answer to a question: it may be of another document.
    Asked,
}

/// Of exactly the bytes we sent.
pub(crate) fn by_digest(document: &Document, protocol: &Protocol, _: &str, _: Told) -> bool {
    // one that its authority names has no key of ours
    let same_key = document.chave.is_none_or(|chave| chave.as_str() == protocol.chave);
    same_key && protocol.digVal.is_some() && protocol.digVal == document.digest
}

/// Of what our RPS says: a city hall gives back a note of its own making. What answers our own message is of no other.
pub(crate) fn by_content(_: &Document, protocol: &Protocol, signed: &str, told: Told) -> bool {
    let is_same = || {
        let note = answer::read(&protocol.xml).ok()?.notes.into_iter().next()?;
        Some(note.differences(signed).ok()?.is_empty())
    };
    told == Told::Answered || is_same().unwrap_or_default()
}
