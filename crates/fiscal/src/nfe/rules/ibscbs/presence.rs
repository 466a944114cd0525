//! Presence of the group; existence and agreement of its codes (UB12 to UB14, LA01-30).

use super::{NfeView, each};
use crate::nfe::rules::NfeRuleContext;
use crate::nfe::rules::broken_field::BrokenFields;
use crate::nfe::rules::nfe_view::text_in;
use crate::reference::fuel;
use crate::reference::ibscbs::{class, cst};
use crate::reference::simples;

/// UB12-10: every item has the group, except single-phase fuels, and complements or returns of documents before 2027
/// (read from the referenced key).
pub(in super::super) fn group_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let due = !refers_to_before_2027(note);
    let lacks = note.items.iter().filter(|item| item.imposto.IBSCBS.is_none());
    let lacks = lacks.filter(|item| fuel::find(text_in(item.prod.comb, "cProdANP")).is_none());
    found.extend(lacks.filter(|_| due).map(|item| item.broken("imposto/IBSCBS")));
}

fn refers_to_before_2027(note: &NfeView<'_>) -> bool {
    let old = |key: &str| key.get(2..4).is_some_and(|year| year < "27");
    let by_note = note.each("ide", "NFref").iter().any(|(_, one)| one.text_at("refNFe").is_some_and(old));
    let by_item = note.items.iter().any(|item| old(item.text("DFeReferenciado/chaveAcesso")));
    matches!(note.ide.finNFe, "2" | "4") && (by_note || by_item)
}

/// UB13-10.
pub(in super::super) fn cst_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "CST", |taxed| taxed.cst.is_none());
}

/// UB13-20.
pub(in super::super) fn exempt_has_no_tax(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gIBSCBS", |taxed| taxed.cst_lacks(cst::TRIBUTA) && taxed.has("gIBSCBS"));
}

/// UB13-30: lost stock only reverses its credits, and a taxpayer that owes IBS and CBS within the Simples states them
/// in `gTribSN` alone (NT 2026.005; the requirements for a MEI are unknown).
pub(in super::super) fn taxed_has_its_tax(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lost = note.ide.tpNFDebito == "07";
    let of_the_simples = matches!(note.text("emit/CRT"), "1" | "4");
    each(note, found, "gIBSCBS", |taxed| {
        let within_the_simples = of_the_simples && taxed.has("gTribSN");
        taxed.cst_has(cst::TRIBUTA) && !taxed.has("gIBSCBS") && !within_the_simples && !lost
    });
}

/// UB13-39. UB13-40 (a single-phase CST requires the group) is a future rule in both environments.
pub(in super::super) fn mono_is_for_its_cst(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gIBSCBSMono", |taxed| taxed.cst_lacks(cst::MONO) && taxed.has("gIBSCBSMono"));
}

/// UB13-44.
pub(in super::super) fn transfer_is_for_its_cst(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gTransfCred", |taxed| taxed.cst_lacks(cst::TRANSFERE) && taxed.has("gTransfCred"));
}

/// UB13-45.
pub(in super::super) fn transfer_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gTransfCred", |taxed| taxed.cst_has(cst::TRANSFERE) && !taxed.has("gTransfCred"));
}

/// UB14-10.
pub(in super::super) fn class_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "cClassTrib", |taxed| taxed.class.is_none());
}

/// UB14-20.
pub(in super::super) fn class_is_of_its_cst(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "cClassTrib", |taxed| !taxed.text("cClassTrib").starts_with(taxed.text("CST")));
}

/// UB14-25.
pub(in super::super) fn class_is_for_this_model(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let model = if note.is_55() { class::NFE } else { class::NFCE };
    each(note, found, "cClassTrib", |taxed| taxed.class_lacks(model));
}

/// cClassTrib with the only kind of debit or credit note it is for (table of UB14-60).
const OF_ONE_NOTE: [(&str, &str, &str); 7] = [
    ("410030", "07", ""),
    ("800001", "05", "05"),
    ("800002", "01", ""),
    ("810001", "", "02"),
    ("811001", "02", ""),
    ("811002", "03", ""),
    ("811003", "08", ""),
];

/// UB14-60.
pub(in super::super) fn class_has_its_note(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let (debit, credit) = (note.ide.tpNFDebito, note.ide.tpNFCredito);
    each(note, found, "cClassTrib", |taxed| {
        let row = OF_ONE_NOTE.iter().find(|(class, ..)| *class == taxed.text("cClassTrib"));
        let fits = |right: &str, stated: &str| !right.is_empty() && right == stated;
        row.is_some_and(|(_, of_debit, of_credit)| !fits(of_debit, debit) && !fits(of_credit, credit))
    });
}

/// UB14-70.
pub(in super::super) fn debit_has_its_class(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let right = OF_ONE_NOTE.iter().find(|(_, debit, _)| !debit.is_empty() && *debit == note.ide.tpNFDebito);
    each(note, found, "cClassTrib", |taxed| right.is_some_and(|(class, ..)| *class != taxed.text("cClassTrib")));
}

/// UB14-80.
pub(in super::super) fn credit_has_its_class(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let right = OF_ONE_NOTE.iter().find(|(_, _, credit)| !credit.is_empty() && *credit == note.ide.tpNFCredito);
    each(note, found, "cClassTrib", |taxed| right.is_some_and(|(class, ..)| *class != taxed.text("cClassTrib")));
}

/// UB14-90: only its condition is known, not its text (NT 2026.005).
pub(in super::super) fn untaxed_activity_declares_no_revenue(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, "cClassTrib", |taxed| {
        let declares = simples::tpRBSN(taxed.text("cClassTrib")).is_some_and(|tpRBSN| (1..=5).contains(&tpRBSN));
        declares && simples::is_untaxed(taxed.item.prod.cAtivSN)
    });
}

/// LA01-30.
pub(in super::super) fn fuel_class_has_a_fuel(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "cClassTrib", |taxed| {
        let fuel = taxed.text("cClassTrib") == "410013" || taxed.text("cClassTrib").starts_with("620");
        fuel && taxed.item.prod.comb.is_none()
    });
}
