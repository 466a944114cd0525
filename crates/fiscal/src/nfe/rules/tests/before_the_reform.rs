//! NT 2025.002, page 6: rules specific to IBS, CBS and IS apply only to documents with these fields. The rule that
//! requires the fields (1115) is the only exception.

use super::{Edit, Pair, document, ibscbs, pairs, told};
use crate::nfe::rules::{NfeRuleContext, NfeView, RULES};
use crate::value::TpAmb;
use crate::xml::{self, FlatDocument};
use std::collections::BTreeSet;

/// Groups and fields that the NT added.
const OF_THE_REFORM: [&str; 16] = [
    "IBSCBS",
    "IBSCBSTot",
    "ISTot",
    "IS",
    "gCompraGov",
    "gPagAntecipado",
    "tpNFDebito",
    "tpNFCredito",
    "cMunFGIBS",
    "cIndOp",
    "ISUFEmit",
    "tpCredPresIBSZFM",
    "DFeReferenciado",
    "dPrevEntrega",
    "vItem",
    "vNFTot",
];

/// Codes of the NT about other taxes: an item without ICMS and ISSQN, returns of a MEI.
const OF_OTHER_TAXES: [u16; 2] = [1002, 1179];

const DUE: u16 = 1115;

#[test]
fn a_note_without_the_fields_of_the_reform_is_asked_none_of_its_rules() {
    let refused = ibscbs::PAIRS
        .iter()
        .flat_map(|pair: &Pair| [(pair.modelo, pair.refused.edits), (pair.modelo, pair.accepted.edits)]);
    let excepted = ibscbs::EXCEPTED.iter().map(|(modelo, _, edits)| (*modelo, *edits));
    let (mut seen, mut due) = (0, 0);
    for (modelo, edits) in refused.chain(excepted) {
        let Some(plain) = before(modelo, edits) else { continue };
        seen += 1;
        let codes: BTreeSet<u16> = told(&plain).into_iter().filter(|code| (1000..1300).contains(code)).collect();
        let other: Vec<&u16> = codes.iter().filter(|code| **code != DUE && !OF_OTHER_TAXES.contains(code)).collect();
        assert!(other.is_empty(), "{other:?} after {edits:?}");
        due += usize::from(codes.contains(&DUE));
    }
    assert!(seen > 100 && due > 100, "only {seen} documents, of which {due} lack the group");
}

/// A rule that is skipped for such a document would find nothing in it.
#[test]
fn a_rule_of_the_reform_finds_nothing_where_no_item_carries_its_group() {
    let facts = NfeRuleContext::new("2026-11-20T10:00:30-03:00".parse().unwrap(), TpAmb::Producao);
    let mut seen = 0;
    for pair in pairs() {
        let plain = without(&document(pair.modelo, pair.refused.edits), "IBSCBS");
        let nfe = xml::read(plain.as_bytes()).unwrap();
        let nfe = FlatDocument::of(&nfe);
        let note = NfeView::of(nfe.root()).unwrap();
        for rule in RULES.iter().filter(|rule| rule.of_reform) {
            let mut found = Vec::new();
            (rule.check)(&note, &facts, &mut found);
            assert!(found.is_empty(), "{} {} finds {found:?}", rule.id, rule.cStat);
            seen += 1;
        }
    }
    assert!(seen > 10_000, "only {seen} looks");
}

/// The document as written before the reform; `None` for a debit or credit note, which is a field of the reform itself.
fn before(modelo: u8, edits: &[Edit]) -> Option<String> {
    let whole = document(modelo, edits);
    if whole.contains("<finNFe>5<") || whole.contains("<finNFe>6<") {
        return None;
    }
    Some(OF_THE_REFORM.iter().fold(whole, |document, name| without(&document, name)))
}

fn without(document: &str, name: &str) -> String {
    let (open, empty, close) = (format!("<{name}>"), format!("<{name}/>"), format!("</{name}>"));
    let mut left = document.replace(&empty, "");
    while let (Some(from), Some(to)) = (left.find(&open), left.find(&close)) {
        left.replace_range(from..to + close.len(), "");
    }
    left
}
