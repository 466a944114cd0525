//! Groups O, Q, S and UA: IPI, PIS, COFINS, and tax refunds.
//!
//! Law: MOC 7.0, anexo I, O and UA; NT 2025.002 v1.51 for Q01-20 and S01-20; table of `cEnq` in
//! `crate::reference::ipi`.

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::items::each;
use super::nfe_view::NfeView;
use super::options::StateChoice;
use crate::reference::ipi;

/// O06-10. The table is of 2020. In a state whose authority accepts newer codes the rule is skipped.
pub(super) fn framing_exists(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let asked = !facts.options(note).has(StateChoice::AceitaCEnqForaDaTabela);
    each(note, found, "imposto/IPI/cEnq", |item| {
        asked && item.imposto.IPI.and_then(|group| group.at("cEnq")).is_some_and(|cEnq| !ipi::exists(cEnq.text()))
    });
}

/// O09-10.
pub(super) fn framing_suits_the_cst(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/IPI/cEnq", |item| {
        let Some(ipi) = item.imposto.IPI else { return false };
        let cst = ipi.text_at("IPINT/CST").unwrap_or_default();
        !ipi::suits(ipi.text_at("cEnq").unwrap_or_default(), cst)
    });
}

/// Q01-20.
pub(super) fn pis_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = has_contributions(note);
    each(note, found, "imposto/PIS", |item| applies && item.imposto.PIS.is_none());
}

/// S01-20.
pub(super) fn cofins_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = has_contributions(note);
    each(note, found, "imposto/COFINS", |item| applies && item.imposto.COFINS.is_none());
}

/// False for credit and debit notes, and for receipts of a government's payment: they carry IBS and CBS only.
fn has_contributions(note: &NfeView<'_>) -> bool {
    !matches!(note.ide.finNFe, "5" | "6") && note.text("ide/gCompraGov/tpOperGov") != "2"
}

/// UA01-10.
pub(super) fn only_returns_give_back(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = note.ide.finNFe != "4";
    each(note, found, "impostoDevol", |item| other && item.has("impostoDevol"));
}
