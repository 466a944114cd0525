//! References of a complement, or of a credit for a single document: exactly one, of the same issuer.
//!
//! Law: NT 2025.002 v1.51, B25-30 to B25-60 (MOC 7.0, anexo I, before it); NT 2022.003 v1.11, BA02-70.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeView, text};
use super::options::StateChoice;
use super::referenced_documents::{self, NFe};
use crate::xml::ElementView;

/// B25-30: the document refers to another.
pub(super) fn complement_refers(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((is_of_one(note) && note.references.is_empty()).then(|| BrokenField::at("ide/NFref")));
}

/// B25-40: the document refers to only one other.
pub(super) fn complement_refers_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((is_of_one(note) && note.references.len() > 1).then(|| BrokenField::at("ide/NFref")));
}

/// True for a complement, and for a credit note of interest, of a return or of a reduction.
fn is_of_one(note: &NfeView<'_>) -> bool {
    is_of_its_issuer(note) || note.ide.tpNFCredito == "01"
}

/// True for a complement, and for a credit note of a return or of a reduction.
fn is_of_its_issuer(note: &NfeView<'_>) -> bool {
    note.ide.finNFe == "2" || matches!(note.ide.tpNFCredito, "03" | "04")
}

/// B25-50.
pub(super) fn complement_is_of_its_issuer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    if !is_of_its_issuer(note) {
        return;
    }
    let own = [note.text("emit/CNPJ"), note.text("emit/CPF")].into_iter().find(|id| !id.is_empty()).unwrap_or_default();
    each(
        note,
        found,
        "CNPJ",
        |refNF| text(refNF, "CNPJ") != own,
        |key| referenced_documents::issuer(key).is_some_and(|issuer| issuer != own),
    );
}

/// B25-60.
pub(super) fn complement_is_of_its_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    if !is_of_its_issuer(note) {
        return;
    }
    let own = note.ide.cUF;
    each(note, found, "cUF", |refNF| text(refNF, "cUF") != own, |key| key.get(..2) != Some(own));
}

/// Adds each referenced document of model 1, 55 or 65 that breaks a condition.
fn each(
    note: &NfeView<'_>,
    found: &mut BrokenFields,
    tag: &str,
    wrong_paper: impl Fn(ElementView<'_>) -> bool,
    wrong_key: impl Fn(&str) -> bool,
) {
    referenced_documents::each::<NFe>(note, found, &wrong_key);
    referenced_documents::each::<referenced_documents::NFeSig>(note, found, &wrong_key);
    for (index, one) in note.references.iter().enumerate() {
        let wrong = one.child("refNF").is_some_and(&wrong_paper);
        found.extend(wrong.then(|| BrokenField::at(&format!("ide/NFref[{index}]/refNF/{tag}"))));
    }
}

/// BA02-70: of another state only an NF-e can be returned. NT 2022.003, 2.3.2, marks the rule as "implementação
/// futura"; its table does not.
pub(super) fn return_of_retail_stays_inside(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    if note.references.is_empty() || !facts.options(note).has(StateChoice::RecusaDevolucaoDeVarejoDeFora) {
        return;
    }
    let (applies, own) = (note.ide.finNFe == "4", note.ide.cUF);
    let foreign = |key: &str| applies && referenced_documents::model(key) != "55" && key.get(..2) != Some(own);
    referenced_documents::each::<NFe>(note, found, foreign);
}
