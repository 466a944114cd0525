//! Groups I01 and I03: import declarations, and the export data of an item.
//!
//! Law: MOC 7.0, anexo I; NT 2023.004 v1.20 (331, 332). The rules about the form of a number (329, 335, 339, 341) are
//! "implementação futura" by the remarks below both tables of the manual and therefore absent.

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::items::each;
use super::nfe_view::{NfeItem, NfeView, text};
use super::parties::{wrong_cnpj, wrong_cpf};
use super::products::day;
use crate::xml::ElementView;

/// I23-10: customs clearance in the future, or more than five years ago.
pub(super) fn clearance_is_recent(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let today = facts.today();
    let Ok(oldest) = today.checked_sub(jiff::Span::new().years(5)) else { return };
    declarations(note, found, "dDesemb", |_, declared| {
        day(declared, "dDesemb").is_some_and(|cleared| cleared > today || cleared < oldest)
    });
}

/// I23b-10: an import by sea states the AFRMM.
pub(super) fn sea_freight_tells_its_levy(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    declarations(note, found, "vAFRMM", |_, declared| {
        text(declared, "tpViaTransp") == "1" && declared.child("vAFRMM").is_none()
    });
}

/// I23d-10: an import for a third party identifies it.
pub(super) fn acquirer_is_named(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    declarations(note, found, "CNPJ", |_, declared| {
        is_for_another(declared) && text(declared, "CNPJ").is_empty() && text(declared, "CPF").is_empty()
    });
}

/// I23d-20.
pub(super) fn acquirer_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    declarations(note, found, "CNPJ", |_, declared| wrong_cnpj(text(declared, "CNPJ")));
}

/// I23d1-10.
pub(super) fn acquirer_cpf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    declarations(note, found, "CPF", |_, declared| wrong_cpf(text(declared, "CPF")));
}

/// I23e-10.
pub(super) fn acquirer_has_a_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    declarations(note, found, "UFTerceiro", |_, declared| {
        is_for_another(declared) && text(declared, "UFTerceiro").is_empty()
    });
}

/// True for an import on account of another company, or ordered by one.
fn is_for_another(declared: ElementView<'_>) -> bool {
    matches!(text(declared, "tpIntermedio"), "2" | "3")
}

/// I29a-10: a drawback states its concession in every addition.
pub(super) fn imported_drawback_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    declarations(note, found, "adi", |item, declared| {
        let lacks = |child: ElementView<'_>| child.name() == "adi" && child.child("nDraw").is_none();
        matches!(item.prod.CFOP, "3127" | "3211") && declared.children().any(lacks)
    });
}

fn declarations(
    note: &NfeView<'_>,
    found: &mut BrokenFields,
    tag: &str,
    breaks: impl Fn(&NfeItem<'_>, ElementView<'_>) -> bool,
) {
    for item in &note.items {
        let wrong = item.groups("DI").filter(|(_, declared)| breaks(item, *declared));
        found.extend(wrong.map(|(at, _)| item.broken(&format!("prod/DI[{at}]/{tag}"))));
    }
}

/// I50-10.
pub(super) fn only_exports_tell_of_exports(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/detExport", |item| item.groups("detExport").next().is_some() && note.ide.idDest != "3");
}

/// I51-10: a drawback states its concession.
pub(super) fn exported_drawback_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/detExport/nDraw", |item| {
        let drawback = matches!(item.prod.CFOP, "7127" | "7211");
        drawback && !item.groups("detExport").any(|(_, export)| export.child("nDraw").is_some())
    });
}
