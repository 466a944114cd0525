//! Groups beside the tax: transfer, adjustment, reversal, presumptive credit (UB106 to UB133).

use super::{NfeView, TaxedItem, each};
use crate::nfe::rules::broken_field::BrokenFields;
use crate::nfe::rules::nfe_view::text_in;
use crate::nfe::rules::{BrokenField, NfeRuleContext};
use crate::reference::ibscbs::{CredPres, REFORM_IN_FULL, class, cst, find_credit};

const OPERATION: &str = "gCredPresOper";
const IBS_CREDIT: &str = "gCredPresOper/gIBSCredPres";
const CBS_CREDIT: &str = "gCredPresOper/gCBSCredPres";
const ZFM: &str = "gCredPresIBSZFM";

/// UB106-30.
pub(in super::super) fn transfer_is_a_debit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = note.ide.finNFe != "6";
    each(note, found, "gTransfCred", |taxed| other && taxed.has("gTransfCred"));
}

/// UB106-31: to the members of a cooperative, or to a successor.
pub(in super::super) fn transfer_has_its_debit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = !matches!(note.ide.tpNFDebito, "01" | "05");
    each(note, found, "gTransfCred", |taxed| other && taxed.has("gTransfCred"));
}

/// UB106-40.
pub(in super::super) fn transfer_has_a_value(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gTransfCred", |taxed| is_worthless(taxed, "gTransfCred", "vIBS", "vCBS"));
}

/// True when the group exists and neither value is above zero.
fn is_worthless(taxed: &TaxedItem<'_, '_>, group: &str, ibs: &str, cbs: &str) -> bool {
    let nothing = |tag: &str| taxed.decimal(&format!("{group}/{tag}")).is_zero();
    taxed.has(group) && nothing(ibs) && nothing(cbs)
}

/// UB112-10.
pub(in super::super) fn adjustment_is_for_its_cst(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gAjusteCompet", |taxed| taxed.cst_lacks(cst::AJUSTA) && taxed.has("gAjusteCompet"));
}

/// UB112-20.
pub(in super::super) fn adjustment_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gAjusteCompet", |taxed| taxed.cst_has(cst::AJUSTA) && !taxed.has("gAjusteCompet"));
}

/// UB112-30.
pub(in super::super) fn adjustment_has_a_value(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gAjusteCompet", |taxed| is_worthless(taxed, "gAjusteCompet", "vIBS", "vCBS"));
}

/// UB116-10.
pub(in super::super) fn reversal_is_for_its_class(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lost = note.ide.tpNFDebito == "07";
    each(note, found, "gEstornoCred", |taxed| !lost && taxed.class_lacks(class::ESTORNA) && taxed.has("gEstornoCred"));
}

/// UB116-20.
pub(in super::super) fn reversal_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lost = note.ide.tpNFDebito == "07";
    each(note, found, "gEstornoCred", |taxed| (lost || taxed.class_has(class::ESTORNA)) && !taxed.has("gEstornoCred"));
}

/// UB116-30.
pub(in super::super) fn reversal_has_a_value(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lost = note.ide.tpNFDebito == "07";
    each(note, found, "gEstornoCred", |taxed| {
        !lost && is_worthless(taxed, "gEstornoCred", "vIBSEstCred", "vCBSEstCred")
    });
}

/// UB120-10.
pub(in super::super) fn nfce_has_no_credit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, OPERATION, |taxed| taxed.has(OPERATION));
}

/// UB120-20: permitted by the class, or for used goods.
pub(in super::super) fn credit_is_for_its_class(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, OPERATION, |taxed| {
        let used = taxed.item.prod.indBemMovelUsado == "1";
        taxed.class_lacks(class::CRED_PRES) && taxed.has(OPERATION) && !used
    });
}

/// UB122-10.
pub(in super::super) fn credit_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gCredPresOper/cCredPres", |taxed| taxed.has(OPERATION) && credit(taxed).is_none());
}

fn credit(taxed: &TaxedItem<'_, '_>) -> Option<&'static CredPres> {
    find_credit(taxed.text("gCredPresOper/cCredPres"))
}

/// UB123-10.
pub(in super::super) fn ibs_credit_is_for_its_code(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let not = |taxed: &TaxedItem<'_, '_>| credit(taxed).is_some_and(|credit| credit.ibs == Some(false));
    each(note, found, IBS_CREDIT, |taxed| not(taxed) && taxed.has(IBS_CREDIT));
}

/// UB123-20.
pub(in super::super) fn ibs_credit_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let due = |taxed: &TaxedItem<'_, '_>| credit(taxed).is_some_and(|credit| credit.ibs == Some(true));
    each(note, found, IBS_CREDIT, |taxed| due(taxed) && !taxed.has(IBS_CREDIT));
}

/// UB127-10.
pub(in super::super) fn cbs_credit_is_for_its_code(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let not = |taxed: &TaxedItem<'_, '_>| credit(taxed).is_some_and(|credit| credit.cbs == Some(false));
    each(note, found, CBS_CREDIT, |taxed| not(taxed) && taxed.has(CBS_CREDIT));
}

/// UB127-20.
pub(in super::super) fn cbs_credit_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let due = |taxed: &TaxedItem<'_, '_>| credit(taxed).is_some_and(|credit| credit.cbs == Some(true));
    each(note, found, CBS_CREDIT, |taxed| due(taxed) && !taxed.has(CBS_CREDIT));
}

/// True for used goods bought from a natural person for resale.
fn is_of_used_goods(taxed: &TaxedItem<'_, '_>) -> bool {
    credit(taxed).is_some_and(|credit| credit.codigo == 4)
}

/// UB125-10.
pub(in super::super) fn ibs_credit_is_within_the_price(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, "gCredPresOper/gIBSCredPres/vCredPres", |taxed| {
        is_of_used_goods(taxed) && taxed.decimal("gCredPresOper/gIBSCredPres/vCredPres") > taxed.item.prod.vProd
    });
}

/// UB129-10.
pub(in super::super) fn cbs_credit_is_within_the_price(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, "gCredPresOper/gCBSCredPres/vCredPres", |taxed| {
        is_of_used_goods(taxed) && taxed.decimal("gCredPresOper/gCBSCredPres/vCredPres") > taxed.item.prod.vProd
    });
}

/// UB126-10: from 2033 on, for used goods.
pub(in super::super) fn suspended_ibs_credit_is_of_its_year(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let early = note.day().is_some_and(|day| day.year() < 2033);
    let path = "gCredPresOper/gIBSCredPres/vCredPresCondSus";
    each(note, found, path, |taxed| taxed.has(path) && (early || !is_of_used_goods(taxed)));
}

/// UB130-10: from 2027 on, for used goods.
pub(in super::super) fn suspended_cbs_credit_is_of_its_year(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let early = note.day().is_some_and(|day| day < REFORM_IN_FULL);
    let path = "gCredPresOper/gCBSCredPres/vCredPresCondSus";
    each(note, found, path, |taxed| taxed.has(path) && (early || !is_of_used_goods(taxed)));
}

/// UB131-10.
pub(in super::super) fn nfce_has_no_zfm_credit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, ZFM, |taxed| taxed.has(ZFM));
}

/// UB131-20.
pub(in super::super) fn zfm_credit_is_for_its_cst(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, ZFM, |taxed| taxed.cst_lacks(cst::ZFM) && taxed.has(ZFM));
}

/// UB131-30.
pub(in super::super) fn zfm_credit_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, ZFM, |taxed| taxed.cst_has(cst::ZFM) && !taxed.has(ZFM));
}

/// UB131-40.
pub(in super::super) fn zfm_credit_is_a_credit_note(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = note.ide.tpNFCredito != "02";
    each(note, found, ZFM, |taxed| other && taxed.has(ZFM));
}

/// UB131-50.
pub(in super::super) fn zfm_credit_note_has_its_group(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let due = note.ide.tpNFCredito == "02";
    each(note, found, ZFM, |taxed| due && !taxed.has(ZFM));
}

/// UB132-10.
pub(in super::super) fn zfm_credit_is_of_the_past(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let now = facts.today();
    let month = format!("{:04}-{:02}", now.year(), now.month());
    each(note, found, "gCredPresIBSZFM/competApur", |taxed| taxed.text("gCredPresIBSZFM/competApur") > month.as_str());
}

/// UB133-10: each kind once.
pub(in super::super) fn zfm_credit_stands_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mut seen = Vec::new();
    for item in &note.items {
        let kind = text_in(item.imposto.IBSCBS, "gCredPresIBSZFM/tpCredPresIBSZFM");
        let again = !kind.is_empty() && seen.contains(&kind);
        let place = || -> BrokenField { item.broken("imposto/IBSCBS/gCredPresIBSZFM/tpCredPresIBSZFM") };
        found.extend(again.then(place));
        seen.push(kind);
    }
}
