//! Groups H, I and L: products.

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::nfe_view::{NfeItem, NfeView, text_in};
use super::options::StateChoice;
use crate::reference::gs1;
use rust_decimal::Decimal;

/// H02-10, where the state demands it.
pub(super) fn items_are_numbered(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let wanted = facts.options(note).has(StateChoice::ExigeItensEmOrdem);
    let out_of_order = |item: &&NfeItem<'_>| item.det.attribute("nItem") != Some((item.index + 1).to_string().as_str());
    found.extend(note.items.iter().filter(|item| wanted && out_of_order(item)).map(|item| item.broken("@nItem")));
}

/// I03-10.
pub(super) fn gtin_check_digit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/cEAN", |item| wrong_gtin(item.prod.cEAN));
}

/// I03-30.
pub(super) fn gtin_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/cEAN", |item| item.prod.cEAN.is_empty());
}

/// I03-20.
pub(super) fn gtin_prefix_is_assigned(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/cEAN", |item| wrong_prefix(item.prod.cEAN));
}

/// I05-10.
pub(super) fn ncm_is_complete(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/NCM", |item| !matches!(item.prod.NCM, "00") && item.prod.NCM.len() != 8);
}

/// I05-24: NCM 00 is for services and adjustments.
pub(super) fn ncm_00_is_for_services(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let adjustment = note.ide.finNFe == "3";
    each(note, found, "prod/NCM", |item| item.prod.NCM == "00" && !adjustment && !item.is_service());
}

/// I08-10.
pub(super) fn sale_has_no_entry_cfop(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let sale = note.ide.tpNF == "1";
    each(note, found, "prod/CFOP", |item| sale && matches!(cfop_class(item), b'1'..=b'3'));
}

/// I08-20.
pub(super) fn entry_has_no_sale_cfop(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let entry = note.ide.tpNF == "0";
    each(note, found, "prod/CFOP", |item| entry && matches!(cfop_class(item), b'5'..=b'7'));
}

/// I08-30: fuel consumed abroad (`UFCons` EX) is the exception.
pub(super) fn foreign_cfop_goes_abroad(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let home = note.ide.idDest != "3";
    each(note, found, "prod/CFOP", |item| home && matches!(cfop_class(item), b'3' | b'7') && !consumed_abroad(item));
}

/// I08-40.
pub(super) fn interstate_cfop_is_interstate(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = note.ide.idDest != "2";
    each(note, found, "prod/CFOP", |item| other && matches!(cfop_class(item), b'2' | b'6'));
}

/// I08-50.
pub(super) fn internal_cfop_is_internal(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = note.ide.idDest != "1";
    each(note, found, "prod/CFOP", |item| other && matches!(cfop_class(item), b'1' | b'5'));
}

/// I08-60.
pub(super) fn foreign_cfop_has_a_foreign_address(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let home = note.text("dest/enderDest/UF") != "EX";
    each(note, found, "prod/CFOP", |item| home && matches!(cfop_class(item), b'3' | b'7') && !consumed_abroad(item));
}

/// I08-110.
pub(super) fn import_has_its_declaration(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let free = |cfop: &str| matches!(cfop, "3201" | "3202" | "3503" | "3553");
    each(note, found, "prod/DI", |item| is_import(item) && !free(item.prod.CFOP) && item.prod.DI.is_none());
}

/// I08-120.
pub(super) fn import_has_ipi(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/IPI", |item| is_taxed_import(item) && item.imposto.IPI.is_none());
}

/// I08-130.
pub(super) fn import_has_ii(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/II", |item| is_taxed_import(item) && item.imposto.II.is_none());
}

fn is_import(item: &NfeItem<'_>) -> bool {
    cfop_class(item) == b'3'
}

/// True for an import with tax. Returns and purchases sent back are excepted.
fn is_taxed_import(item: &NfeItem<'_>) -> bool {
    is_import(item) && !matches!(item.prod.CFOP, "3201" | "3202" | "3211" | "3503" | "3553")
}

/// I11-10.
pub(super) fn value_is_price_times_quantity(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let normal = note.ide.finNFe == "1";
    each(note, found, "prod/vProd", |item| normal && value_differs(item.prod.vProd, item.prod.qCom, item.prod.vUnCom));
}

/// I12-10.
pub(super) fn taxable_gtin_check_digit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/cEANTrib", |item| wrong_gtin(item.prod.cEANTrib));
}

/// I12-20.
pub(super) fn taxable_gtin_prefix_is_assigned(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/cEANTrib", |item| wrong_prefix(item.prod.cEANTrib));
}

/// I12-30.
pub(super) fn gtin_needs_the_taxable_one(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = |item: &NfeItem<'_>| is_gtin(item.prod.cEAN) && item.prod.cEANTrib == NO_GTIN;
    each(note, found, "prod/cEANTrib", lacks);
}

/// I12-40.
pub(super) fn taxable_gtin_needs_the_other(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = |item: &NfeItem<'_>| is_gtin(item.prod.cEANTrib) && item.prod.cEAN == NO_GTIN;
    each(note, found, "prod/cEAN", lacks);
}

/// I12-60.
pub(super) fn taxable_gtin_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/cEANTrib", |item| item.prod.cEANTrib.is_empty());
}

/// I14-20 in the manual's numbering, for the taxable unit.
pub(super) fn value_is_taxable_price_times_quantity(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let normal = note.ide.finNFe == "1";
    each(note, found, "prod/vProd", |item| {
        normal && value_differs(item.prod.vProd, item.prod.qTrib, item.prod.vUnTrib)
    });
}

/// I17-10.
pub(super) fn discount_is_not_above_the_value(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/vDesc", |item| item.prod.vDesc > item.prod.vProd);
}

/// Adds the items that break a rule.
pub(super) fn each(note: &NfeView<'_>, found: &mut BrokenFields, path: &str, breaks: impl Fn(&NfeItem<'_>) -> bool) {
    // compiled once for each of a hundred rules, so kept minimal
    for item in &note.items {
        if breaks(item) {
            found.push(item.broken(path));
        }
    }
}

/// First digit of the CFOP.
fn cfop_class(item: &NfeItem<'_>) -> u8 {
    item.prod.CFOP.bytes().next().unwrap_or_default()
}

fn consumed_abroad(item: &NfeItem<'_>) -> bool {
    text_in(item.prod.comb, "UFCons") == "EX"
}

/// True when a value differs by more than a cent from its price times its quantity.
pub(super) fn value_differs(value: Decimal, quantity: Decimal, price: Decimal) -> bool {
    let product = quantity.checked_mul(price);
    product.is_none_or(|product| (value - product.round_dp(2)).abs() > CENT)
}

fn is_gtin(text: &str) -> bool {
    !text.is_empty() && text != NO_GTIN
}

fn wrong_gtin(text: &str) -> bool {
    is_gtin(text) && !gtin_is_right(text)
}

fn wrong_prefix(text: &str) -> bool {
    is_gtin(text) && !gs1::has_a_known_prefix(text)
}

/// Checks a GTIN (GS1): weights 3 and 1 alternating from the right, modulo 10.
fn gtin_is_right(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(10)).collect();
    let Some((check, base)) = digits.split_last() else { return false };
    let weights = [3, 1].into_iter().cycle();
    let sum: u32 = base.iter().rev().zip(weights).map(|(digit, weight)| digit * weight).sum();
    matches!(digits.len(), 8 | 12 | 13 | 14) && digits.len() == text.len() && (10 - sum % 10) % 10 == *check
}

const NO_GTIN: &str = "SEM GTIN";

/// Tolerance of the authority for a recomputed value.
pub(super) const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);
