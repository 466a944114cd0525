//! 110180, 110181: proof of delivery and its cancellation; 110190, 110191: a delivery that failed.
//!
//! Law: MOC CT-e 4.00 anexo I, O01 to O17 of 110180 and O01 to O03 of 110181. The text of the technical note of 110190
//! was not available: its rules are taken by analogy.

use super::{CteEventCase, CteEventKind, broken, cancel};
use crate::clock::seconds_between;
use crate::ledger::LedgerDocument;
use crate::sefaz::Refusal;
use crate::sefaz::cte::document;
use fiscal::cte::rules::key;
use fiscal::xml::Element;
use std::collections::BTreeSet;

/// 218, 222, 869, 872, 873, 870, 865, 871, 860, 861, 864.
pub(super) fn against(kind: CteEventKind, case: &CteEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let read = document::read(stored);
    let text = |path: &str| read.as_ref().and_then(|document| document.text_at(path)).unwrap_or("");
    let carried = carried(read.as_ref());
    let delivered = delivered(case);
    let normal = text("infCte/ide/tpServ") == "0";
    let proof = kind == CteEventKind::ComprovanteEntrega;
    let several = text("infCte/ide/indGlobalizado") == "1";
    let (when, hashed) =
        if proof { ("dhEntrega", "dhHashEntrega") } else { ("dhTentativaEntrega", "dhHashTentativaEntrega") };
    let strange = delivered.iter().find_map(|chave| key::fault(chave, key::NFE, case.request.now));
    let mut all: Vec<Refusal> = cancel::cancelled(stored).into_iter().collect();
    all.extend(broken([
        (222, case.detail("nProt") != Some(stored.nProt.as_str())),
        (869, text("infCte/ide/tpCTe") == "1"),
        (872, is_impossible(case, stored, when)),
        (873, is_impossible(case, stored, hashed)),
        (870, proof && !several && in_force(stored, "110180", "110181")),
        (865, proof && normal && !carried.is_empty() && delivered.is_empty()),
        (871, proof && !normal && !delivered.is_empty()),
    ]));
    all.extend(strange.map(|why| Refusal::with(860, why)));
    all.extend(broken([
        (861, delivered.iter().collect::<BTreeSet<_>>().len() < delivered.len()),
        (864, delivered.iter().any(|chave| !carried.contains(*chave))),
    ]));
    all
}

/// 218, 222, 866.
pub(super) fn undone(kind: CteEventKind, case: &CteEventCase<'_>, stored: &LedgerDocument) -> Vec<Refusal> {
    let (tag, made, undone) = if kind == CteEventKind::CancelamentoComprovanteEntrega {
        ("nProtCE", "110180", "110181")
    } else {
        ("nProtIE", "110190", "110191")
    };
    let mut all: Vec<Refusal> = cancel::cancelled(stored).into_iter().collect();
    all.extend(broken([
        (222, case.detail("nProt") != Some(stored.nProt.as_str())),
        (866, !is_open(case, stored, tag, made, undone)),
    ]));
    all
}

/// True when the event of the named protocol was registered, and not cancelled since.
pub(super) fn is_open(case: &CteEventCase<'_>, stored: &LedgerDocument, tag: &str, made: &str, undone: &str) -> bool {
    let named = case.detail(tag).unwrap_or("");
    let text = format!("<{tag}>{named}</{tag}>");
    let was_made = stored.eventos.iter().any(|event| event.tpEvento == made && event.nProt == named);
    let was_undone = stored.eventos.iter().any(|event| event.tpEvento == undone && event.evento.contains(&text));
    was_made && !was_undone
}

/// True when more events were registered than cancelled.
fn in_force(stored: &LedgerDocument, made: &str, undone: &str) -> bool {
    let count = |code: &str| stored.eventos.iter().filter(|event| event.tpEvento == code).count();
    count(made) > count(undone)
}

/// True for a time before the document, or in the future.
fn is_impossible(case: &CteEventCase<'_>, stored: &LedgerDocument, tag: &str) -> bool {
    let Some(at) = case.detail(tag).and_then(|text| text.parse::<jiff::Timestamp>().ok()) else { return false };
    stored.issued_at.is_some_and(|issued| at < issued) || seconds_between(case.request.now, at) > 5 * 60
}

fn delivered<'c>(case: &CteEventCase<'c>) -> Vec<&'c str> {
    let groups =
        case.event_content().into_iter().flat_map(Element::children).filter(|child| child.name == "infEntrega");
    groups.into_iter().filter_map(|one| one.text_at("chNFe")).collect()
}

fn carried(document: Option<&Element>) -> BTreeSet<String> {
    let documents = document.and_then(|document| document.at("infCte/infCTeNorm/infDoc"));
    let notes = documents.into_iter().flat_map(Element::children).filter(|child| child.name == "infNFe");
    notes.into_iter().filter_map(|one| one.text_at("chave").map(str::to_owned)).collect()
}
