//! Groups I, I08, J and K: relevant scale, services, cupons, indirect exports, the unit of foreign trade, batches,
//! medicines, vehicles.
//!
//! Law: MOC 7.0 anexo I; NT 2019.001 v1.70 (374), NT 2021.004 v1.35 (841 to 843), NT 2026.002 v1.00 (375, 701, 873,
//! 953).

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::items::each;
use super::nfe_view::{NfeItem, NfeView, optional_text, text};
use super::parties::wrong_cnpj;
use crate::reference::{utrib, vehicle};
use crate::xml::ElementView;
use jiff::civil::Date;

/// I05e-10: goods not produced in relevant scale state their producer.
pub(super) fn small_scale_has_its_producer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CNPJFab", |item| item.prod.indEscala == "N" && item.prod.CNPJFab.is_none());
}

/// I05e-20.
pub(super) fn producer_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CNPJFab", |item| wrong_cnpj(optional_text(item.prod.CNPJFab)));
}

/// I08-160: a CFOP of services requires ISSQN in the item.
pub(super) fn service_cfop_has_issqn(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ISSQN", |item| has_service_cfop(item) && !item.is_service());
}

/// I08-170: an item with ISSQN has a CFOP of services.
pub(super) fn services_have_their_cfop(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/CFOP", |item| item.is_service() && !has_service_cfop(item));
}

fn has_service_cfop(item: &NfeItem<'_>) -> bool {
    matches!(item.prod.CFOP, "1933" | "2933" | "5933" | "6933")
}

/// I08-180: a sale recorded by a cupom is no NFC-e.
pub(super) fn cupom_is_no_nfce(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let nfce = |reference: &ElementView<'_>| text(*reference, "refNFe").get(20..22) == Some("65");
    each(note, found, "prod/CFOP", |item| is_of_a_cupom(item) && note.references.iter().any(nfce));
}

/// I08-190: an indirect export refers to the document of the purchase.
pub(super) fn indirect_export_is_referred_to(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let alone = note.references.is_empty();
    each(note, found, "prod/CFOP", |item| alone && matches!(item.prod.CFOP, "3503" | "7501"));
}

fn is_of_a_cupom(item: &NfeItem<'_>) -> bool {
    matches!(item.prod.CFOP, "5929" | "6929")
}

/// I14-10: exported goods are counted in the unit of their NCM. Case is ignored.
pub(super) fn exported_unit_suits_the_ncm(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/uTrib", |item| {
        let unit = || utrib::of(item.prod.NCM, note.day()?);
        goes_abroad(note, item) && unit().is_some_and(|unit| !unit.eq_ignore_ascii_case(item.prod.uTrib))
    });
}

/// True for an export, or an operation that leads to one.
pub(super) fn goes_abroad(note: &NfeView<'_>, item: &NfeItem<'_>) -> bool {
    let leads = matches!(
        item.prod.CFOP,
        "1501" | "2501" | "5501" | "5502" | "5504" | "5505" | "6501" | "6502" | "6504" | "6505"
    );
    leads || (note.ide.tpNF == "1" && note.ide.idDest == "3")
}

/// J19-10.
pub(super) fn vehicle_type_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    vehicles(note, found, "tpVeic", |tpVeic, _| !vehicle::type_exists(tpVeic));
}

/// J20-10.
pub(super) fn vehicle_species_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    vehicles(note, found, "espVeic", |_, espVeic| !vehicle::species_exists(espVeic));
}

/// J20-20.
pub(super) fn vehicle_species_suits_its_type(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    vehicles(note, found, "espVeic", |tpVeic, espVeic| {
        let known = vehicle::type_exists(tpVeic) && vehicle::species_exists(espVeic);
        known && !vehicle::is_compatible(tpVeic, espVeic)
    });
}

fn vehicles(note: &NfeView<'_>, found: &mut BrokenFields, tag: &str, breaks: impl Fn(&str, &str) -> bool) {
    let wrong = |sold: ElementView<'_>| breaks(text(sold, "tpVeic"), text(sold, "espVeic"));
    let items = note.items.iter().filter(|item| item.groups("veicProd").any(|(_, sold)| wrong(sold)));
    found.extend(items.map(|item| item.broken(&format!("prod/veicProd/{tag}"))));
}

/// I83-10: a day of manufacture in the future.
pub(super) fn batch_was_made(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let today = facts.today();
    batches(note, found, "dFab", |batch| day(batch, "dFab").is_some_and(|made| made > today));
}

/// I84-10: an expiry before the day of manufacture.
pub(super) fn batch_lasts(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    batches(note, found, "dVal", |batch| match (day(batch, "dFab"), day(batch, "dVal")) {
        (Some(made), Some(expires)) => expires < made,
        _ => false,
    });
}

fn batches(note: &NfeView<'_>, found: &mut BrokenFields, tag: &str, breaks: impl Fn(ElementView<'_>) -> bool) {
    for item in &note.items {
        let wrong = item.groups("rastro").filter(|(_, batch)| breaks(*batch));
        found.extend(wrong.map(|(at, _)| item.broken(&format!("prod/rastro[{at}]/{tag}"))));
    }
}

pub(super) fn day(element: ElementView<'_>, tag: &str) -> Option<Date> {
    text(element, tag).parse().ok()
}

/// K01-20: a sold medicine states its batch. Excepted are returns, distance sales, later deliveries and deliveries by
/// order of another company, entries and the DANFE simplificado tipo 2. NT 2021.004 v1.34 (1.8) also excepts
/// adjustments and complements.
pub(super) fn medicine_has_its_batch(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let excepted = || {
        matches!(note.ide.finNFe, "2" | "3" | "4")
            || matches!(note.ide.indPres, "2" | "3")
            || note.ide.tpNF == "0"
            || note.ide.tpImp == "6"
    };
    let later = |cfop: &str| matches!(cfop, "5922" | "6922" | "5118" | "5119" | "5120" | "6118" | "6119" | "6120");
    each(note, found, "prod/rastro", |item| {
        let lacks = item.groups("med").next().is_some() && item.groups("rastro").next().is_none();
        lacks && !excepted() && !later(item.prod.CFOP)
    });
}
