//! Net values of items, and the expected ICMS when the price is paid in advance (I11c, NB01, W01a).
//!
//! Law: NT 2026.008 v1.00. I11c-10 (1278: every item has a net value) is a future rule.

use super::nfe_view::{NfeItem, NfeView};
use super::{BrokenField, NfeRuleContext, items};
use crate::value::amount;
use rust_decimal::Decimal;

/// ICMS group of a payment in advance.
const FORESEEN: &str = "ICMSPrevistoPagtoAntecip";

fn net(item: &NfeItem<'_>) -> Option<Decimal> {
    item.prod.vProdLiq.map(|element| amount(element.text()).unwrap_or_default())
}

/// I11c-20.
pub(super) fn net_value_is_net_price_times_quantity(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut Vec<BrokenField>,
) {
    let differs = |item: &&NfeItem<'_>| {
        net(item).is_some_and(|stated| items::value_differs(stated, item.prod.qCom, item.prod.vUnComLiq))
    };
    let wrong = note.items.iter().filter(differs).filter(|_| note.ide.finNFe == "1");
    found.extend(wrong.map(|item| item.broken("prod/vProdLiq")));
}

/// True when the ICMS of an item is only expected.
pub(super) fn has_foreseen_icms(item: &NfeItem<'_>) -> bool {
    item.icms.is_some_and(|icms| icms.name() == FORESEEN)
}

/// True for a document about a price that is paid before the goods are handed over.
fn is_of_an_advance(note: &NfeView<'_>) -> bool {
    note.ide.tpNFDebito == "06" || note.text("ide/gCompraGov/tpOperGov") == "4"
}

fn tell_foreseen(note: &NfeView<'_>, found: &mut Vec<BrokenField>) {
    let told = note.items.iter().filter(|item| has_foreseen_icms(item));
    found.extend(told.map(|item| item.broken(&format!("imposto/ICMS/{FORESEEN}"))));
}

/// NB01-10.
pub(super) fn nfce_has_no_foreseen_icms(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut Vec<BrokenField>) {
    tell_foreseen(note, found);
}

/// NB01-20.
pub(super) fn foreseen_icms_is_for_advances(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut Vec<BrokenField>) {
    if !is_of_an_advance(note) {
        tell_foreseen(note, found);
    }
}

/// NB01-30.
pub(super) fn advance_tells_its_foreseen_icms(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut Vec<BrokenField>) {
    let lacks = note.items.iter().filter(|item| is_of_an_advance(note) && !has_foreseen_icms(item));
    found.extend(lacks.map(|item| item.broken("imposto/ICMS")));
}

/// W01a-10.
pub(super) fn net_total_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut Vec<BrokenField>) {
    let is_net = note.items.iter().any(|item| item.prod.vProdLiq.is_some());
    found.extend((is_net && !note.has("total/vProdLiqTot")).then(|| BrokenField::at("total/vProdLiqTot")));
}

/// W01a-20.
pub(super) fn net_total_is_the_sum(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut Vec<BrokenField>) {
    let Some(stated) = note.inf().at("total/vProdLiqTot") else { return };
    let stated = amount(stated.text()).unwrap_or_default();
    let sum = note.sum(|item| net(item).unwrap_or_default());
    found.extend((stated != sum).then(|| BrokenField::at("total/vProdLiqTot")));
}
