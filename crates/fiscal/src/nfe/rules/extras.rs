//! Groups Y, YB, ZA, ZD, ZF: billing, intermediary, export, software house, receituário.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeView, decimal, text};
use super::options::StateChoice;
use super::parties::{wrong_cnpj, wrong_cpf};
use crate::xml::ElementView;
use rust_decimal::Decimal;

/// Y01-20.
pub(super) fn invoice_is_complete(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let complete = ["nFat", "vOrig", "vLiq"].iter().all(|tag| note.has(&format!("cobr/fat/{tag}")));
    found.extend((note.has("cobr") && !complete).then(|| BrokenField::at("cobr/fat")));
}

/// Y05-10.
pub(super) fn invoice_discount_is_not_above_it(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let above = invoice(note).is_some_and(|fat| decimal(fat, "vDesc") > decimal(fat, "vOrig"));
    found.extend(above.then(|| BrokenField::at("cobr/fat/vDesc")));
}

/// Y06-10.
pub(super) fn net_is_gross_less_discount(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let differs = |fat: ElementView<'_>| decimal(fat, "vLiq") != decimal(fat, "vOrig") - decimal(fat, "vDesc");
    let told = invoice(note).filter(|fat| fat.child("vLiq").is_some());
    found.extend(told.is_some_and(differs).then(|| BrokenField::at("cobr/fat/vLiq")));
}

fn invoice<'a>(note: &NfeView<'a>) -> Option<ElementView<'a>> {
    note.inf().at("cobr/fat")
}

/// Y08-10: 001, 002, 003…
pub(super) fn instalments_are_numbered(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let instalments = note.each("cobr", "dup");
    let wrong = instalments.iter().zip(1..).filter(|((_, dup), number)| text(*dup, "nDup") != format!("{number:03}"));
    found.extend(wrong.map(|((path, _), _)| BrokenField::under(format!("{path}/nDup"))));
}

/// Y09-20: due before emission.
pub(super) fn instalments_follow_emission(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let emission = note.ide.dhEmi.get(..10).unwrap_or_default();
    let early = |due: &str| !due.is_empty() && due < emission;
    let dups = note.each("cobr", "dup").into_iter().filter(|(_, dup)| early(text(*dup, "dVenc")));
    found.extend(dups.map(|(path, _)| BrokenField::under(format!("{path}/dVenc"))));
}

/// Y09-30: no due date, or one before the preceding instalment's.
pub(super) fn instalments_are_in_order(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mut last = "";
    for (path, dup) in note.each("cobr", "dup") {
        let due = text(dup, "dVenc");
        found.extend((due.is_empty() || due < last).then(|| BrokenField::under(format!("{path}/dVenc"))));
        last = due;
    }
}

/// Y09-40: a single instalment due on the day of emission is no credit.
pub(super) fn instalment_is_not_due_at_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let emission = note.ide.dhEmi.get(..10).unwrap_or_default();
    if let [(path, dup)] = note.each("cobr", "dup").as_slice() {
        found.extend((text(*dup, "dVenc") == emission).then(|| BrokenField::under(format!("{path}/dVenc"))));
    }
}

/// Y09-50: at most ten years after reception.
pub(super) fn instalments_are_not_far_ahead(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let Ok(latest) = facts.today().checked_add(jiff::Span::new().years(10)) else { return };
    let far = |due: &str| due.parse::<jiff::civil::Date>().is_ok_and(|due| due > latest);
    let dups = note.each("cobr", "dup").into_iter().filter(|(_, dup)| far(text(*dup, "dVenc")));
    found.extend(dups.map(|(path, _)| BrokenField::under(format!("{path}/dVenc"))));
}

/// Y10-10.
pub(super) fn instalments_make_the_net(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let instalments = note.each("cobr", "dup");
    let sum: Decimal = instalments.iter().map(|(_, dup)| decimal(*dup, "vDup")).sum();
    let differs = !instalments.is_empty() && invoice(note).is_some_and(|fat| decimal(fat, "vLiq") != sum);
    found.extend(differs.then(|| BrokenField::at("cobr/dup")));
}

/// YB01-10.
pub(super) fn marketplace_is_identified(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.ide.indIntermed == "1" && !note.has("infIntermed");
    found.extend(lacks.then(|| BrokenField::at("infIntermed")));
}

/// YB01-20.
pub(super) fn no_marketplace_is_identified(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let has = note.ide.indIntermed != "1" && note.has("infIntermed");
    found.extend(has.then(|| BrokenField::at("infIntermed")));
}

/// YB02-10.
pub(super) fn marketplace_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cnpj(note.text("infIntermed/CNPJ")).then(|| BrokenField::at("infIntermed/CNPJ")));
}

/// ZA01-10.
pub(super) fn export_tells_where_it_leaves(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((is_export(note) && !note.has("exporta")).then(|| BrokenField::at("exporta")));
}

/// ZA01-20.
pub(super) fn only_exports_leave(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((!is_export(note) && note.has("exporta")).then(|| BrokenField::at("exporta")));
}

fn is_export(note: &NfeView<'_>) -> bool {
    note.ide.tpNF == "1" && note.ide.idDest == "3"
}

/// ZD01-10, where the state demands it.
pub(super) fn software_house_is_told(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = facts.options(note).has(StateChoice::ExigeRespTec) && !note.has("infRespTec");
    found.extend(lacks.then(|| BrokenField::at("infRespTec")));
}

/// ZD02-10.
pub(super) fn software_house_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cnpj(note.text("infRespTec/CNPJ")).then(|| BrokenField::at("infRespTec/CNPJ")));
}

/// ZD07-10, where the state demands it.
pub(super) fn software_house_proves_itself(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let told = note.has("infRespTec/idCSRT") && note.has("infRespTec/hashCSRT");
    found.extend(
        (facts.options(note).has(StateChoice::ExigeCsrt) && !told).then(|| BrokenField::at("infRespTec/idCSRT")),
    );
}

/// ZF03-10: CPF of the signer of a pesticide prescription.
pub(super) fn prescriber_cpf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let prescriptions = note.each("agropecuario", "defensivo").into_iter();
    let wrong = prescriptions.filter(|(_, one)| wrong_cpf(text(*one, "CPFRespTec")));
    found.extend(wrong.map(|(path, _)| BrokenField::under(format!("{path}/CPFRespTec"))));
}
