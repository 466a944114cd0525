//! Rules that need an official table on the document's day: CFOP, NCM, CEST, countries, products of ANP. Fuels are in
//! `fuels`.
//!
//! Law: MOC 7.0, anexo I, E14, I05, I08, LA, N23, X16; NT 2024.001 v1.20 and NT 2025.002 v1.51 for I08-140 to I08-144.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::identification::exists;
use super::nfe_view::{NfeItem, NfeView, has_in, text_in};
use super::options::StateChoice;
use crate::ncm;
use crate::reference::cfop::{self, Cfop};
use crate::reference::{anp, cest, pais};

/// E14-04: the country exists.
pub(super) fn country_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let cPais = note.text("dest/enderDest/cPais");
    found.extend((!cPais.is_empty() && pais::find(cPais).is_none()).then(|| BrokenField::at("dest/enderDest/cPais")));
}

/// E14-20: an address in Brazil has the country Brazil, unless a foreigner buys here.
pub(super) fn home_is_brazil(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let cPais = note.text("dest/enderDest/cPais");
    let applies = note.ide.idDest != "3" && !cPais.is_empty() && note.text("dest/idEstrangeiro").is_empty();
    found.extend((applies && !is_brazil(cPais)).then(|| BrokenField::at("dest/enderDest/cPais")));
}

/// E14-30: an address abroad is not in Brazil.
pub(super) fn abroad_is_not_brazil(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let abroad = note.text("dest/enderDest/UF") == "EX";
    found.extend(
        (abroad && is_brazil(note.text("dest/enderDest/cPais"))).then(|| BrokenField::at("dest/enderDest/cPais")),
    );
}

fn is_brazil(cPais: &str) -> bool {
    cPais.parse() == Ok(pais::BRASIL)
}

/// I05-20: the NCM exists on the document's day.
pub(super) fn ncm_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(day) = note.day() else { return };
    each(note, found, "prod/NCM", |item| {
        let ncm = item.prod.NCM;
        ncm.len() == 8 && ncm != "00000000" && !ncm::is_valid_on(ncm, day)
    });
}

/// I08-04: the CFOP exists, and is not of a service with a document of its own (`indNFe` 0).
pub(super) fn cfop_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CFOP", |item| !cfop(item).is_some_and(Cfop::is_for_a_note));
}

/// I08-140: a return has a CFOP of returns, 1949 or 2949 (NT 2026.009). Natural gas is excepted (Ajuste SINIEF 22/21).
pub(super) fn return_has_a_return_cfop(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = is_return(note);
    each(note, found, "prod/CFOP", |item| {
        let excepted = match item.prod.CFOP {
            "1949" | "2949" => true,
            "5949" | "6949" => item.prod.NCM == "27112100",
            _ => false,
        };
        applies && !excepted && cfop(item).is_some_and(|cfop| !cfop.is_devolucao())
    });
}

/// I08-141: returns of a MEI in Brazil.
pub(super) fn return_of_a_mei_has_its_cfop(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = note.text("emit/CRT") == "4" && note.ide.idDest != "3" && is_return(note);
    each(note, found, "prod/CFOP", |item| {
        applies && !matches!(item.prod.CFOP, "1202" | "1553" | "2202" | "2553" | "5202" | "6202")
    });
}

/// I08-144: only returns have such a CFOP.
pub(super) fn return_cfop_is_for_returns(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let reduction = note.ide.finNFe == "5" && note.ide.tpNFCredito == "04";
    let other = note.ide.finNFe != "2" && !is_return(note) && !reduction;
    each(note, found, "prod/CFOP", |item| other && cfop(item).is_some_and(Cfop::is_devolucao));
}

/// True for a return of goods, and for a credit note of a refused delivery (`tpNFCredito` 03, 06).
fn is_return(note: &NfeView<'_>) -> bool {
    let refused = note.ide.finNFe == "5" && matches!(note.ide.tpNFCredito, "03" | "06");
    note.ide.finNFe == "4" || refused
}

/// LA01-20: operations with fuel describe it; in retail where the state demands it.
pub(super) fn fuel_is_described(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let asked = || note.is_55() || facts.options(note).has(StateChoice::ExigeCombustivelNaNfce);
    each(note, found, "prod/comb", |item| item.prod.comb.is_none() && cfop(item).is_some_and(Cfop::is_fuel) && asked());
}

/// LA02-10: the product of ANP exists.
pub(super) fn anp_product_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/comb/cProdANP", |item| {
        has_in(item.prod.comb, "cProdANP") && !anp::exists(text_in(item.prod.comb, "cProdANP"))
    });
}

/// N23-10: goods under substitution state their CEST, where the convênio has one for their NCM.
pub(super) fn substitution_has_a_cest(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CEST", |item| {
        let withheld = !item.icms("vICMSST").is_zero();
        let substituted = matches!(item.cst(), "10" | "30" | "60" | "70")
            || matches!(item.csosn(), "201" | "202" | "203" | "500")
            || (withheld && (item.cst() == "90" || item.csosn() == "900"));
        let shared = item.icms.is_some_and(|icms| icms.name() == "ICMSPart");
        substituted && !shared && item.prod.CEST.is_none() && cest::covers(item.prod.NCM)
    });
}

/// X16-10: withheld ICMS of transport belongs to a transport service.
pub(super) fn transport_has_its_cfop(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let code = note.text("transp/retTransp/CFOP");
    let wrong = !code.is_empty() && !cfop::find(code).is_some_and(Cfop::is_transport);
    found.extend(wrong.then(|| BrokenField::at("transp/retTransp/CFOP")));
}

/// X17-10.
pub(super) fn transport_cmunfg_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let cMunFG = note.text("transp/retTransp/cMunFG");
    found.extend((!cMunFG.is_empty() && !exists(cMunFG)).then(|| BrokenField::at("transp/retTransp/cMunFG")));
}

pub(super) fn cfop(item: &NfeItem<'_>) -> Option<&'static Cfop> {
    cfop::find(item.prod.CFOP)
}

fn each(note: &NfeView<'_>, found: &mut BrokenFields, path: &str, breaks: impl Fn(&NfeItem<'_>) -> bool) {
    found.extend(note.items.iter().filter(|item| breaks(item)).map(|item| item.broken(path)));
}
