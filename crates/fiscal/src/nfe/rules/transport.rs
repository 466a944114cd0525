//! Group X: carrier of the goods, and the payer of the freight.
//!
//! Law: MOC 7.0, anexo I; NT 2021.004 v1.35 (X03-30, X04-30 to X04-80; X04-50, -60, -90 and -100 are suspended).

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeView, text};
use super::parties::{wrong_cnpj, wrong_cpf, wrong_ie};
use crate::xml::ElementView;

/// X02-20: an interstate transport states its vehicle in the MDF-e.
pub(super) fn interstate_has_no_vehicle(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let told = note.has("transp/veicTransp") || note.has("transp/reboque");
    found.extend((note.ide.idDest == "2" && told).then(|| BrokenField::at("transp/veicTransp")));
}

/// X03-30: without freight there is no carrier.
pub(super) fn nothing_has_no_carrier(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let told = note.text("transp/modFrete") == "9" && note.has("transp/transporta");
    found.extend(told.then(|| BrokenField::at("transp/transporta")));
}

/// X04-30: own transport by the sender of a sale: the issuer.
pub(super) fn sender_of_a_sale_carries(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    carries_itself(note, found, ["1", "3"], "emit");
}

/// X04-40: own transport by the sender of an entry: the other party.
pub(super) fn sender_of_an_entry_carries(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    carries_itself(note, found, ["0", "3"], "dest");
}

/// X04-70: own transport by the addressee of a sale: the other party.
pub(super) fn addressee_of_a_sale_carries(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    carries_itself(note, found, ["1", "4"], "dest");
}

/// X04-80: own transport by the addressee of an entry: the issuer.
pub(super) fn addressee_of_an_entry_carries(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    carries_itself(note, found, ["0", "4"], "emit");
}

/// Requires, for this `tpNF` and `modFrete`, that a carrier identified by CNPJ or CPF is the party.
fn carries_itself(note: &NfeView<'_>, found: &mut BrokenFields, [tpNF, modFrete]: [&str; 2], party: &str) {
    let Some(transp) = note.inf().child("transp") else { return };
    let Some(carrier) = transp.child("transporta") else { return };
    if note.ide.tpNF != tpNF || text(transp, "modFrete") != modFrete {
        return;
    }
    let Some((tag, who)) = company_or_person(carrier) else { return };
    let own = note.inf().child(party).and_then(company_or_person);
    let differs = own.is_none_or(|(_, party)| party != who);
    found.extend(differs.then(|| BrokenField::at(&format!("transp/transporta/{tag}"))));
}

/// Returns the base of the CNPJ, common to all establishments of a company, or the CPF.
fn company_or_person(party: ElementView<'_>) -> Option<(&'static str, &str)> {
    let base = party.text_at("CNPJ").and_then(|CNPJ| CNPJ.get(..8)).map(|base| ("CNPJ", base));
    base.or_else(|| party.text_at("CPF").filter(|CPF| !CPF.is_empty()).map(|CPF| ("CPF", CPF)))
}

/// X04-20.
pub(super) fn carrier_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cnpj(note.text("transp/transporta/CNPJ")).then(|| BrokenField::at("transp/transporta/CNPJ")));
}

/// X05-10.
pub(super) fn carrier_cpf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(wrong_cpf(note.text("transp/transporta/CPF")).then(|| BrokenField::at("transp/transporta/CPF")));
}

/// X07-10.
pub(super) fn carrier_ie_has_a_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = note.has("transp/transporta/IE") && !note.has("transp/transporta/UF");
    found.extend(lacks.then(|| BrokenField::at("transp/transporta/UF")));
}

/// X07-20.
pub(super) fn carrier_ie_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = wrong_ie(note.text("transp/transporta/UF"), note.text("transp/transporta/IE"));
    found.extend(wrong.then(|| BrokenField::at("transp/transporta/IE")));
}
