//! Group YA: payments of the document.
//!
//! Law: MOC 7.0, anexo I; NT 2020.006 v1.31 (YA02-60, YA02a, YA06-10); NT 2023.004 v1.20 (YA03a to YA09-20); NT
//! 2025.001 v1.03.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeView, decimal, text};
use super::parties::wrong_cnpj;
use crate::reference::{tband, tpag};
use crate::value::amount;
use crate::xml::ElementView;
use jiff::civil::Date;
use rust_decimal::Decimal;

/// YA02-04: adjustments and returns have no payment.
pub(super) fn returns_are_not_paid(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = matches!(note.ide.finNFe, "3" | "4");
    each(note, found, "tPag", |payment| applies && text(payment, "tPag") != "90");
}

/// YA02-60: a means of payment of the portal's table.
pub(super) fn payment_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(day) = note.day() else { return };
    each(note, found, "tPag", |payment| tpag::find(text(payment, "tPag"), day).is_none());
}

/// YA02a-10 (NT 2020.006): payment "other" has a description.
pub(super) fn other_payment_is_described(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "xPag", |payment| text(payment, "tPag") == "99" && text(payment, "xPag").is_empty());
}

/// YA02a-20 (NT 2020.006): no other means of payment has a description.
pub(super) fn known_payment_is_not_described(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "xPag", |payment| text(payment, "tPag") != "99" && payment.child("xPag").is_some());
}

/// YA03-20.
pub(super) fn overpayment_has_change(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let above = paid(note) > note.total("vNF");
    found.extend((above && !note.has("pag/vTroco")).then(|| BrokenField::at("pag/vTroco")));
}

/// YA03-30.
pub(super) fn unpaid_has_no_value(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let unpaid = |payment: ElementView<'_>| matches!(text(payment, "tPag"), "90" | "91");
    each(note, found, "vPag", |payment| unpaid(payment) && !decimal(payment, "vPag").is_zero());
}

/// YA03a-10: the day of payment is not in the future.
pub(super) fn payment_day_has_come(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "dPag", |payment| text(payment, "dPag").parse::<Date>().is_ok_and(|day| day > facts.today()));
}

/// YA03c-10.
pub(super) fn paying_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "CNPJPag", |payment| wrong_cnpj(text(payment, "CNPJPag")));
}

/// YA04-20: other means of payment have no card group.
pub(super) fn card_is_of_its_payments(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let fits = ["03", "04", "10", "11", "12", "13", "15", "17", "18"];
    each(note, found, "card", |payment| payment.child("card").is_some() && !fits.contains(&text(payment, "tPag")));
}

/// YA05-10.
pub(super) fn integrated_card_is_identified(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = |payment: ElementView<'_>| {
        let integrated = payment.text_at("card/tpIntegra") == Some("1");
        integrated && (text(payment, "card/CNPJ").is_empty() || text(payment, "card/cAut").is_empty())
    };
    each(note, found, "card", lacks);
}

/// YA05-20.
pub(super) fn payment_institution_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "card/CNPJ", |payment| wrong_cnpj(text(payment, "card/CNPJ")));
}

/// YA06-10: a card operator of the portal's table.
pub(super) fn card_operator_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "card/tBand", |payment| {
        payment.at("card/tBand").is_some_and(|tBand| !tband::exists(tBand.text()))
    });
}

/// YA07a.
pub(super) fn receiving_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "card/CNPJReceb", |payment| wrong_cnpj(text(payment, "card/CNPJReceb")));
}

/// YA09-10.
pub(super) fn change_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let stated = note.inf().at("pag").filter(|pag| pag.child("vTroco").is_some()).map(|pag| decimal(pag, "vTroco"));
    let wrong = stated.is_some_and(|change| change != paid(note) - note.total("vNF"));
    found.extend(wrong.then(|| BrokenField::at("pag/vTroco")));
}

/// YA09-20.
pub(super) fn change_is_below_the_limit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let change = note.inf().at("pag/vTroco").and_then(|vTroco| amount(vTroco.text()));
    found.extend(change.is_some_and(|change| change > MOST_CHANGE).then(|| BrokenField::at("pag/vTroco")));
}

fn paid(note: &NfeView<'_>) -> Decimal {
    note.each("pag", "detPag").iter().map(|(_, payment)| decimal(*payment, "vPag")).sum()
}

/// Adds each payment that breaks a condition.
pub(super) fn each(note: &NfeView<'_>, found: &mut BrokenFields, tag: &str, breaks: impl Fn(ElementView<'_>) -> bool) {
    let payments = note.inf().child("pag").into_iter().flat_map(ElementView::children);
    let payments = payments.filter(|child| child.name() == "detPag").enumerate();
    let bad = payments.filter(|(_, payment)| breaks(*payment));
    found.extend(bad.map(|(index, _)| BrokenField::at(&format!("pag/detPag[{index}]/{tag}"))));
}

/// R$ 300.000,00 (NT 2023.004 v1.11).
const MOST_CHANGE: Decimal = Decimal::from_parts(300_000, 0, 0, false, 0);
