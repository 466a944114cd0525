//! Unpaid or postponed ICMS: the fields of an exemption (`motDesICMS`) and of a deferral (CST 51).
//!
//! Law: MOC 7.0, anexo I, N28; NT 2019.001 v1.70 (N07-10, N12-97 and its states in 3.6.1, N28-20).

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::items::each;
use super::nfe_view::{NfeItem, NfeView};
use super::options::StateChoice;
use rust_decimal::Decimal;

/// N28-10: an addressee that buys untaxed for the Zona Franca is registered there. Entries (CFOP 1 and 2) are excepted.
pub(super) fn zone_has_its_registration(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let bought = |item: &&NfeItem<'_>| is_for_the_zone(item) && !item.prod.CFOP.starts_with(['1', '2']);
    if let Some(item) = note.items.iter().find(bought).filter(|_| note.text("dest/ISUF").is_empty()) {
        found.push(BrokenField { path: "infNFe/dest/ISUF".to_owned(), ..item.broken("imposto/ICMS") });
    }
}

/// N28-20.
pub(super) fn zone_has_its_cfop(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CFOP", |item| is_for_the_zone(item) && !ZONE.contains(&item.prod.CFOP));
}

const ZONE: [&str; 36] = [
    "1203", "1204", "1208", "1209", "2203", "2204", "2208", "2209", "5109", "5110", "5120", "5151", "5152", "5651",
    "5652", "5654", "5655", "5658", "5659", "5910", "6905", "6109", "6110", "6120", "6122", "6123", "6151", "6152",
    "6651", "6652", "6654", "6655", "6658", "6659", "6910", "6923",
];

fn is_for_the_zone(item: &NfeItem<'_>) -> bool {
    reason(item) == Some("7")
}

fn reason<'a>(item: &NfeItem<'a>) -> Option<&'a str> {
    item.icms?.text_at("motDesICMS")
}

/// N28-30.
pub(super) fn exemption_has_its_value(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    for item in note.items.iter().filter(|item| reason(item).is_some() && item.icms("vICMSDeson") <= Decimal::ZERO) {
        let group = item.icms.map_or("", |icms| icms.name());
        found.push(item.broken(&format!("imposto/ICMS/{group}/vICMSDeson")));
    }
}

/// N07-10.
pub(super) fn deferral_is_always_told(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    if facts.options(note).has(StateChoice::ExigeDiferimentoSempre) {
        deferral_is_complete(note, found);
    }
}

/// N12-97: returns to other states are excepted everywhere; returns, adjustments and entries by the state's choice.
pub(super) fn deferral_is_told(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let options = facts.options(note);
    let excepted = match note.ide.finNFe {
        "4" => note.ide.idDest != "1" || options.has(StateChoice::DiferimentoLivreEmDevolucao),
        "3" => options.has(StateChoice::DiferimentoLivreEmDevolucao),
        _ => false,
    };
    let entry = note.ide.tpNF == "0" && options.has(StateChoice::DiferimentoLivreEmEntrada);
    if options.has(StateChoice::ExigeDiferimento) && !excepted && !entry {
        deferral_is_complete(note, found);
    }
}

/// Requires the fields of a deferral. The texts also name `pRedBC`, which only an operation with a reduction has.
fn deferral_is_complete(note: &NfeView<'_>, found: &mut BrokenFields) {
    for item in note.items.iter().filter(|item| item.cst() == "51") {
        let lacks = |tag: &&&str| item.icms.is_some_and(|icms| icms.child(tag).is_none());
        found.extend(DEFERRAL.iter().find(lacks).map(|tag| item.broken(&format!("imposto/ICMS/ICMS51/{tag}"))));
    }
}

const DEFERRAL: [&str; 7] = ["modBC", "vBC", "pICMS", "vICMSOp", "pDif", "vICMSDif", "vICMS"];
