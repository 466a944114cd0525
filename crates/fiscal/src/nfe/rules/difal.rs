//! Group NA: the destination state's share of the ICMS in a sale to a consumer of another state (`ICMSUFDest`, EC
//! 87/2015).
//!
//! Law: MOC 7.0, anexo I, NA; NT 2020.005 v1.21 for the two amounts (NA15-10, NA17-10); NT 2025.002 v1.51 for NA01-20.

use super::NfeRuleContext;
use super::broken_field::BrokenFields;
use super::fuels::is_petroleum;
use super::items::each;
use super::nfe_view::{NfeItem, NfeView, decimal, text_in};
use super::taxes::{comes_back, differs, is_imported, is_sent, is_simples, percent};
use crate::value::product;
use crate::xml::ElementView;
use rust_decimal::{Decimal, RoundingStrategy};

/// NA01-20. CRT 1 and 4 are exempt (STF, ADI 5464).
pub(super) fn share_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = is_shared_sale(note) && note.ide.tpNF == "1" && !is_simples(note) && !is_excepted(note);
    each(note, found, "imposto/ICMSUFDest", |item| {
        applies && share(item).is_none() && !item.is_service() && !is_outside(item) && !is_untaxed(item)
    });
}

/// Exceptions 3, 7 and 11: returns of goods sold before the share existed, deliveries in the issuer's state, documents
/// of other purposes.
fn is_excepted(note: &NfeView<'_>) -> bool {
    let delivered_here = note.has("entrega") && note.text("entrega/UF") == note.text("emit/enderEmit/UF");
    let old = || note.ide.finNFe == "4" && referenced_years(note).any(|year| year < 16);
    let paid = note.text("ide/gCompraGov/tpOperGov") == "2";
    delivered_here || paid || matches!(note.ide.finNFe, "2" | "3" | "5" | "6") || old()
}

/// Exceptions 1, 4, 6, 8 and 9: shared by ICMSPart, petroleum, goods sent or returned.
fn is_outside(item: &NfeItem<'_>) -> bool {
    let shared = item.icms.is_some_and(|icms| icms.name() == "ICMSPart");
    let by_cfop = matches!(item.prod.CFOP, "6552" | "6922" | "6929");
    shared || by_cfop || is_petroleum(item) || comes_back(item) || is_sent(item)
}

/// Exception 10.
fn is_untaxed(item: &NfeItem<'_>) -> bool {
    matches!(item.cst(), "40" | "41") || matches!(item.csosn(), "103" | "300" | "400")
}

/// NA01-30. Goods delivered in another state than the issuer's may have the share in any case (exception 2).
pub(super) fn share_is_due(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let delivered = note.text("entrega/UF");
    let elsewhere = !delivered.is_empty() && delivered != note.text("emit/enderEmit/UF");
    let due = is_shared_sale(note);
    each(note, found, "imposto/ICMSUFDest", |item| {
        !elsewhere && share(item).is_some() && (!due || item.is_service() || is_petroleum(item))
    });
}

fn is_shared_sale(note: &NfeView<'_>) -> bool {
    note.ide.idDest == "2" && note.ide.indFinal == "1" && note.text("dest/indIEDest") == "9"
}

/// NA09-10 and NA09-20: 4 % for imported content, 7 or 12 % otherwise.
pub(super) fn interstate_rate_suits_the_origin(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMSUFDest/pICMSInter", |item| {
        let four = |share| decimal(share, "pICMSInter") == Decimal::from(4);
        share(item).is_some_and(|share| four(share) != is_imported(item))
    });
}

/// NA09-30: 7 or 12 %, by the two states.
pub(super) fn interstate_rate_suits_the_states(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let normal = note.ide.tpNF == "1" && note.ide.finNFe == "1";
    let right = interstate_ceiling(note);
    each(note, found, "imposto/ICMSUFDest/pICMSInter", |item| {
        let wrong = |share| {
            let rate = decimal(share, "pICMSInter");
            (rate == Decimal::from(7) || rate == Decimal::from(12)) && rate != right
        };
        normal && share(item).is_some_and(wrong) && !goes_elsewhere(note) && !comes_back(item)
    });
}

/// N16-20: 12 %, or 7 % from South and Southeast (without ES) to the other regions and ES.
pub(super) fn interstate_rate_is_at_most_12(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let normal = note.ide.idDest == "2" && note.ide.tpNF == "1" && note.ide.finNFe == "1";
    let applies = normal && !goes_elsewhere(note) && !sells_vehicles_directly(note);
    let ceiling = interstate_ceiling(note);
    each(note, found, "imposto/ICMS", |item| {
        let above = applies && item.icms("pICMS") > ceiling;
        above && !is_imported(item) && !is_on_order(item) && !comes_back(item) && !super::taxes::undoes(item)
    });
}

/// N16-04: 4 % for imported content between states (Senate Resolution 13/2012).
pub(super) fn imported_rate_is_at_most_4(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let sale = note.ide.idDest == "2" && note.ide.tpNF == "1" && note.ide.finNFe != "4";
    let applies = sale && !sells_vehicles_directly(note);
    each(note, found, "imposto/ICMS", |item| {
        let taxed = matches!(item.cst(), "00" | "10" | "20" | "70" | "90");
        let above = applies && taxed && is_imported(item) && item.icms("pICMS") > Decimal::from(4);
        above && !is_on_order(item) && !comes_back(item)
    });
}

fn is_on_order(item: &NfeItem<'_>) -> bool {
    matches!(item.prod.CFOP, "6118" | "6119" | "6122" | "6123")
}

fn sells_vehicles_directly(note: &NfeView<'_>) -> bool {
    note.items.iter().any(|item| matches!(text_in(item.prod.veicProd, "tpOp"), "2" | "3"))
}

/// True for goods delivered in another state than the issuer's, or collected in another than the addressee's. The texts
/// do not define which two states count then.
fn goes_elsewhere(note: &NfeView<'_>) -> bool {
    let (delivered, collected) = (note.text("entrega/UF"), note.text("retirada/UF"));
    let delivered_elsewhere = !delivered.is_empty() && delivered != note.text("emit/enderEmit/UF");
    delivered_elsewhere || (!collected.is_empty() && collected != note.text("dest/enderDest/UF"))
}

fn interstate_ceiling(note: &NfeView<'_>) -> Decimal {
    let rich = |uf: &str| matches!(uf, "SP" | "RJ" | "MG" | "PR" | "SC" | "RS");
    let seven = rich(note.text("emit/enderEmit/UF")) && !rich(note.text("dest/enderDest/UF"));
    Decimal::from(if seven { 7 } else { 12 })
}

/// NA11-10: the whole amount belongs to the destination since 2019. A document that refers to an older one may share as
/// in that year.
pub(super) fn destination_takes_its_part(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let of_year = |year: u8| match year {
        ..=16 => 40,
        17 => 60,
        18 => 80,
        _ => 100,
    };
    let other = note.ide.finNFe != "1";
    each(note, found, "imposto/ICMSUFDest/pICMSInterPart", |item| {
        let Some(part) = share(item).map(|share| decimal(share, "pICMSInterPart")) else { return false };
        let refers = || (other || comes_back(item)) && referenced_years(note).any(|year| part == of_year(year).into());
        part != Decimal::ONE_HUNDRED && !refers()
    });
}

/// Returns the years (two digits) of the keys that the document refers to.
fn referenced_years<'a>(note: &NfeView<'a>) -> impl Iterator<Item = u8> + use<'a> {
    let ide =
        note.inf().child("ide").into_iter().flat_map(ElementView::children).filter(|child| child.name() == "NFref");
    let whole = ide.filter_map(|one| one.text_at("refNFe"));
    let dets = note.inf().children().filter(|child| child.name() == "det");
    let by_item = dets.filter_map(|det| det.text_at("DFeReferenciado/chaveAcesso"));
    whole.chain(by_item).filter_map(|key| key.get(2..4)?.parse().ok())
}

/// NA13-10.
pub(super) fn fcp_is_base_times_rate(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMSUFDest/vFCPUFDest", |item| {
        share(item).is_some_and(|share| {
            let due = percent(decimal(share, "vBCFCPUFDest"), decimal(share, "pFCPUFDest"));
            differs(decimal(share, "vFCPUFDest"), due)
        })
    });
}

/// NA15-10, for fully taxed items: each state's rate has its own base ("base dupla"). A negative amount counts as zero.
pub(super) fn destination_has_its_part(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_amount(note, found, "vICMSUFDest", |difference, share| {
        product(&[difference, decimal(share, "pICMSInterPart")]) / Decimal::ONE_HUNDRED
    });
}

/// NA17-10: the rest belongs to the issuer's state; since 2019 it is zero.
pub(super) fn issuer_has_the_rest(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each_amount(note, found, "vICMSUFRemet", |difference, share| difference - decimal(share, "vICMSUFDest"));
}

/// Checks an amount computed from the difference of the two taxes. The authority's text contains the stated and the
/// computed amount.
fn each_amount(
    note: &NfeView<'_>,
    found: &mut BrokenFields,
    tag: &str,
    due: impl Fn(Decimal, ElementView<'_>) -> Decimal,
) {
    if note.ide.tpNF != "1" {
        return;
    }
    for item in note.items.iter().filter(|item| item.cst() == "00") {
        let Some(share) = share(item) else { continue };
        let computed = due(difference(item, share), share).max(Decimal::ZERO);
        let computed = computed.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
        let stated = decimal(share, tag);
        if differs(stated, computed) {
            let told = format!("(Valor Informado: {stated:.2}, Valor Calculado: {computed:.2})");
            found.push(item.broken(&format!("imposto/ICMSUFDest/{tag}")).about(told));
        }
    }
}

/// `(vBCUFDest × pICMSUFDest) − (vBC × pICMSInter)`, not rounded.
fn difference(item: &NfeItem<'_>, share: ElementView<'_>) -> Decimal {
    let there = product(&[decimal(share, "vBCUFDest"), decimal(share, "pICMSUFDest")]);
    let here = product(&[item.icms("vBC"), decimal(share, "pICMSInter")]);
    (there - here) / Decimal::ONE_HUNDRED
}

fn share<'a>(item: &NfeItem<'a>) -> Option<ElementView<'a>> {
    item.imposto.ICMSUFDest
}
