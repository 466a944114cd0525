//! A stored document, parsed again for events and later documents.

use crate::ledger::{Ledger, LedgerDocument, LedgerStatus};
use fiscal::cte::rules;
use fiscal::xml::Element;

/// Parses the stored document; `None` when its text is no longer held.
pub(super) fn read(stored: &LedgerDocument) -> Option<Element> {
    fiscal::xml::read(stored.xml.as_deref()?.as_bytes()).ok()
}

/// CNPJ or CPF of the taker of the service.
pub(super) fn tomador(document: &Element) -> Option<&str> {
    rules::tomador(document.child("infCte")?).map(rules::party_document)
}

/// The authorised documents that name this one in a group: its substitutes, its complements.
pub(super) fn successors<'l>(
    ledger: &'l Ledger,
    stored: &'l LedgerDocument,
    group: &'static str,
) -> impl Iterator<Item = &'l LedgerDocument> {
    let authorised = move |other: &&LedgerDocument| {
        other.ambiente == stored.ambiente && other.situacao == LedgerStatus::Autorizada && other.chave != stored.chave
    };
    // The text is searched before it is parsed: there may be many.
    let mentions = move |other: &&LedgerDocument| other.xml.as_deref().is_some_and(|xml| xml.contains(&stored.chave));
    let names =
        move |other: &&LedgerDocument| read(other).is_some_and(|document| names(&document, group, &stored.chave));
    ledger.documents().filter(authorised).filter(mentions).filter(names)
}

/// Group of a document that substitutes another.
pub(super) const SUBSTITUTE: &str = "infCte/infCTeNorm/infCteSub";
/// Group of a document that completes others.
pub(super) const COMPLEMENT: &str = "infCte/infCteComp";

fn names(document: &Element, group: &str, chave: &str) -> bool {
    let (parent, name) = group.rsplit_once('/').unwrap_or(("", group));
    let groups = document.at(parent).into_iter().flat_map(Element::children).filter(|child| child.name == name);
    groups.into_iter().any(|one| ["chCte", "chCTe"].iter().any(|tag| one.text_at(tag) == Some(chave)))
}
