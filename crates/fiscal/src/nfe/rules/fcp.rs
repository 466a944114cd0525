//! The Fundo de Combate à Pobreza of an item: the state accepts its percentage, and its value follows from the base.
//!
//! Law: MOC 7.0, anexo I, N17b to N27d; NT 2020.005 v1.21 (N17c-10); table of the portal in `crate::reference::fcp`.

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::items::each;
use super::nfe_view::{NfeItem, NfeView, decimal};
use super::options::StateChoice;
use super::taxes::{differs, percent};
use crate::reference::fcp;
use crate::value::Uf;
use rust_decimal::Decimal;

/// N17b-10.
pub(super) fn rate_is_not_zero(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS", |item| rate(item, "pFCP").is_some_and(|rate| rate.is_zero()));
}

/// N17b-20: a percentage of the issuer's state. Zero has its own rule.
pub(super) fn rate_is_of_the_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_rate(note, found, "pFCP", &[note.text("emit/enderEmit/UF")]);
}

/// N17c-10: except for CST 51, since NT 2020.005 v1.21.
pub(super) fn value_is_base_times_rate(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let normal = note.ide.finNFe == "1";
    each(note, found, "imposto/ICMS", |item| {
        let Some(icms) = item.icms.filter(|icms| normal && icms.child("vFCP").is_some()) else { return false };
        let base = match item.cst() {
            "00" => decimal(icms, "vBC"),
            "10" | "20" | "70" | "90" => decimal(icms, "vBCFCP"),
            _ => return false,
        };
        differs(decimal(icms, "vFCP"), percent(base, decimal(icms, "pFCP")))
    });
}

/// N17c-20: in a sale to a consumer of another state the fund belongs to the destination.
pub(super) fn goes_to_the_destination(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let elsewhere = note.ide.idDest == "2" && note.ide.indFinal == "1" && note.text("dest/indIEDest") == "9";
    each(note, found, "imposto/ICMS", |item| elsewhere && item.icms.is_some_and(|icms| icms.child("vFCP").is_some()));
}

/// N23b-10.
pub(super) fn substituted_rate_is_not_zero(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS", |item| rate(item, "pFCPST").is_some_and(|rate| rate.is_zero()));
}

/// N27b-10.
pub(super) fn withheld_rate_is_not_zero(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS", |item| rate(item, "pFCPSTRet").is_some_and(|rate| rate.is_zero()));
}

/// N23b-20: a percentage of the destination state.
pub(super) fn substituted_rate_is_of_the_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_rate(note, found, "pFCPST", &destinations(note));
}

/// N27b-20. A retail document without an address has an unknown destination and is not checked.
pub(super) fn withheld_rate_is_of_the_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_rate(note, found, "pFCPSTRet", &destinations(note));
}

/// N23d-10, where the state demands it.
pub(super) fn substituted_value_is_base_times_rate(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let applies = note.ide.finNFe == "1" && facts.options(note).has(StateChoice::ConfereFcpSt);
    each(note, found, "imposto/ICMS", |item| {
        let of_substitution =
            matches!(item.cst(), "10" | "30" | "70" | "90") || matches!(item.csosn(), "201" | "202" | "203" | "900");
        let Some(icms) = item.icms.filter(|icms| applies && icms.child("vFCPST").is_some()) else { return false };
        let whole = percent(decimal(icms, "vBCFCPST"), decimal(icms, "pFCPST"));
        of_substitution && differs(decimal(icms, "vFCPST"), whole - decimal(icms, "vFCP"))
    });
}

/// States of the addressee and of the delivery: a percentage of either is accepted. Empty for an addressee abroad,
/// where there is no fund.
fn destinations<'a>(note: &NfeView<'a>) -> [&'a str; 2] {
    match note.text("dest/enderDest/UF") {
        "EX" => ["", ""],
        uf => [uf, note.text("entrega/UF")],
    }
}

/// Adds items with a percentage that none of the states accepts. Without a state nothing is checked.
fn each_rate(note: &NfeView<'_>, found: &mut BrokenFields, tag: &str, states: &[&str]) {
    let told = |item: &NfeItem<'_>| rate(item, tag).filter(|rate| !rate.is_zero());
    each(note, found, "imposto/ICMS", |item| {
        let Some((rate, day)) = told(item).zip(note.day()) else { return false };
        let mut known = states.iter().filter_map(|uf| Uf::from_sigla(uf)).peekable();
        known.peek().is_some() && !known.any(|uf| fcp::accepts_rate(uf, rate, day))
    });
}

fn rate(item: &NfeItem<'_>, tag: &str) -> Option<Decimal> {
    let icms = item.icms?;
    icms.child(tag).map(|_| decimal(icms, tag))
}
