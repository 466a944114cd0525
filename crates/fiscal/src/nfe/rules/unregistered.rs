//! Issuers without inscrição estadual: a company that owes IBS and CBS but no ICMS issues its NF-e at the SVRS, in any
//! state.
//!
//! Law: NT 2026.007 v1.10 (C17-10 ends; C17-42, C17-43, C18-50, N01-10, UB12-11; exceptions of B02-10, C12-10 and
//! B25-90), as quoted by public sources.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::NfeView;
use crate::xml::{self, FlatDocument};

/// True for an issuer without IE while C17-10, which demands one, is not in force.
pub(super) fn may_lack_ie(note: &NfeView<'_>, facts: &NfeRuleContext<'_>) -> bool {
    lacks_ie(note) && !facts.enforces(note, "C17-10", 229)
}

fn lacks_ie(note: &NfeView<'_>) -> bool {
    note.text("emit/IE").is_empty()
}

/// True for a written `NFe` of model 55 whose issuer has no IE and needs none: only the SVRS accepts it (C17-11).
pub fn is_of_an_unregistered_issuer(written: &str, facts: &NfeRuleContext<'_>) -> bool {
    // nearly every document has an IE: a text search is cheaper than parsing
    let emit = written.split_once("<emit>").and_then(|(_, rest)| rest.split_once("</emit>"));
    if emit.is_none_or(|(emit, _)| emit.contains("<IE>")) {
        return false;
    }
    let Ok(read) = xml::read(written.as_bytes()) else { return false };
    let document = FlatDocument::of(&read);
    NfeView::of(document.root()).is_some_and(|note| note.is_55() && may_lack_ie(&note, facts))
}

/// C17-42, until 2032.
pub(super) fn nfce_has_an_ie(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(lacks_ie(note).then(|| BrokenField::at("emit/IE")));
}

/// C17-43.
pub(super) fn has_a_cnpj(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((lacks_ie(note) && !note.has("emit/CNPJ")).then(|| BrokenField::at("emit/IE")));
}

/// C18-50.
pub(super) fn has_no_substitute_ie(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((lacks_ie(note) && note.has("emit/IEST")).then(|| BrokenField::at("emit/IEST")));
}

/// N01-10, except for returns and credit note 03.
pub(super) fn has_no_icms(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = lacks_ie(note) && note.ide.finNFe != "4" && note.ide.tpNFCredito != "03";
    let taxed = note.items.iter().filter(|item| applies && item.imposto.ICMS.is_some());
    found.extend(taxed.map(|item| item.broken("imposto/ICMS")));
}

/// UB12-11.
pub(super) fn has_ibs_and_cbs(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.items.iter().filter(|item| lacks_ie(note) && item.imposto.IBSCBS.is_none());
    found.extend(lacks.map(|item| item.broken("imposto/IBSCBS")));
}
