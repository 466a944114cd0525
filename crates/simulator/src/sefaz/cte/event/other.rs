//! 110160: registers of the multimodal operator; 110170: the transports of valuables that a CT-e OS gathers.
//!
//! Law: MOC CT-e 4.00 anexo I, O02 and O05 of 110160; O04 to O06 and Q13 of 110170.

use super::{CteEventCase, broken, cancel};
use crate::ledger::{Ledger, LedgerDocument};
use crate::sefaz::Refusal;
use crate::sefaz::cte::document::{self, SUBSTITUTE};
use fiscal::xml::Element;
use std::collections::BTreeSet;

/// 679, 218, 664.
pub(super) fn multimodal(ledger: &Ledger, stored: &LedgerDocument) -> Vec<Refusal> {
    let modal = document::read(stored).and_then(|document| document.text_at("infCte/ide/modal").map(str::to_owned));
    let mut all = broken([(679, modal.as_deref() != Some("06"))]);
    all.extend(cancel::cancelled(stored));
    all.extend(broken([(664, document::successors(ledger, stored, SUBSTITUTE).next().is_some())]));
    all
}

/// 218, 664, 889, 890, 618.
pub(super) fn gtv(case: &CteEventCase<'_>, ledger: &Ledger, stored: &LedgerDocument) -> Vec<Refusal> {
    let read = document::read(stored);
    let text = |path: &str| read.as_ref().and_then(|document| document.text_at(path)).unwrap_or("");
    let lists = read.as_ref().is_some_and(|document| document.at("infCte/infCTeNorm/infGTVe").is_some());
    let groups = case.event_content().into_iter().flat_map(Element::children).filter(|child| child.name == "infGTV");
    let named: Vec<_> = groups.map(|one| (one.text_at("nDoc"), one.text_at("id"))).collect();
    let mut all: Vec<Refusal> = cancel::cancelled(stored).into_iter().collect();
    all.extend(broken([
        (664, document::successors(ledger, stored, SUBSTITUTE).next().is_some()),
        (889, text("infCte/ide/tpServ") != "7"),
        (890, lists),
        (618, named.iter().collect::<BTreeSet<_>>().len() < named.len()),
    ]));
    all
}
