//! The value that a document moves, for value ceilings. Its stated total alone would let other goods pass uncounted.
//!
//! Law: MOC 7.0, anexo I, groups I (`indTot`, `vProd`) and W (W16-10). Must not know the ceilings and their owners.

use super::rules::{NfeItem, NfeView};
use crate::value::amount;
use crate::xml::{self, ElementView, FlatDocument};
use rust_decimal::prelude::ToPrimitive as _;
use rust_decimal::{Decimal, RoundingStrategy};

/// Returns the value in hundredths, rounded up. A text that is no NF-e, or a value beyond any total, counts as
/// `i64::MAX`.
pub fn moved_hundredths(built_xml: &str) -> i64 {
    greatest_value(built_xml).map_or(i64::MAX, hundredths)
}

fn hundredths(amount: Decimal) -> i64 {
    amount.checked_mul(Decimal::ONE_HUNDRED).and_then(|cents| cents.ceil().to_i64()).unwrap_or(i64::MAX)
}

/// Returns the greatest of the stated totals, the sum of the stated parts and the sum of the items. Items with `indTot`
/// 0 count like any other.
fn greatest_value(built_xml: &str) -> Option<Decimal> {
    let nfe = xml::read(built_xml.as_bytes()).ok()?;
    let document = FlatDocument::of(&nfe);
    let note = NfeView::of(document.root())?;
    let stated = ["total/ICMSTot/vNF", "total/vNFTot"].map(|path| amount(note.text(path)).unwrap_or_default());
    let by_totals = stated_parts(&note);
    let by_items = note.items.iter().map(item_value).fold(Decimal::ZERO, Decimal::saturating_add);
    stated.into_iter().chain([by_totals, by_items]).max()
}

/// Returns the total of the stated parts.
fn stated_parts(note: &NfeView<'_>) -> Decimal {
    let services = amount(note.text("total/ISSQNtot/vServ")).unwrap_or_default();
    let parts = TOTALS.iter().map(|tag| note.total(tag)).fold(services, Decimal::saturating_add);
    parts - note.total("vDesc") - note.total("vICMSDeson")
}

/// Returns the value of an item with its charges. A discount lowers only its own item, and not below zero.
fn item_value(item: &NfeItem<'_>) -> Decimal {
    let prod = &item.prod;
    let goods = [(prod.qCom, prod.vUnCom), (prod.qTrib, prod.vUnTrib)]
        .into_iter()
        .map(|(quantity, price)| priced(quantity, price, prod.vProd))
        .fold(prod.vProd, Decimal::max);
    let deduced = item.icms.is_some_and(|icms| icms.text_at("indDeduzDeson") == Some("1"));
    let exempted = if deduced { item.icms("vICMSDeson") } else { Decimal::ZERO };
    let kept = (goods - prod.vDesc - exempted).max(Decimal::ZERO);
    let of_icms = ["vICMSMonoReten"].iter().chain(if is_direct_sale(item) { &[] } else { SUBSTITUTION });
    let charged = of_icms.map(|tag| item.icms(tag)).chain(CHARGES.iter().map(|path| item.decimal(path)));
    let added = ADDED_IF_SO.iter().filter(|(_, flag)| item.text(flag) == "1").map(|(path, _)| item.decimal(path));
    charged.chain(added).chain([prod.vFrete, prod.vSeg, prod.vOutro]).fold(kept, Decimal::saturating_add)
}

/// Returns quantity by price if it exceeds `vProd` by more than a cent of rounding, else `vProd`.
fn priced(quantity: Decimal, price: Decimal, vProd: Decimal) -> Decimal {
    let product = quantity.saturating_mul(price).round_dp_with_strategy(2, RoundingStrategy::ToZero);
    if product > vProd.saturating_add(CENT) { product } else { vProd }
}

/// True for a vehicle invoiced directly to its buyer: another taxpayer owes the tax substitution.
fn is_direct_sale(item: &NfeItem<'_>) -> bool {
    item.prod.veicProd.and_then(|vehicle: ElementView<'_>| vehicle.text_at("tpOp")) == Some("2")
}

const TOTALS: [&str; 10] =
    ["vProd", "vFrete", "vSeg", "vOutro", "vII", "vIPI", "vIPIDevol", "vST", "vFCPST", "vICMSMonoReten"];
const SUBSTITUTION: &[&str] = &["vICMSST", "vFCPST"];
const CHARGES: [&str; 3] = ["imposto/II/vII", "imposto/IPI/IPITrib/vIPI", "impostoDevol/IPI/vIPIDevol"];
/// Contributions by substitution, with the flag that adds them to the total.
const ADDED_IF_SO: [(&str, &str); 2] = [
    ("imposto/PISST/vPIS", "imposto/PISST/indSomaPISST"),
    ("imposto/COFINSST/vCOFINS", "imposto/COFINSST/indSomaCOFINSST"),
];
const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a document of these items and totals.
    fn check(items: &str, total: &str, expected: &str) {
        let xml = format!("<NFe><infNFe><ide><mod>55</mod></ide>{items}<total>{total}</total></infNFe></NFe>");
        assert_eq!(greatest_value(&xml), Some(expected.parse().unwrap()), "{xml}");
    }

    fn item(prod: &str, imposto: &str) -> String {
        format!("<det nItem=\"1\"><prod>{prod}</prod><imposto>{imposto}</imposto></det>")
    }

    fn vNF(value: &str) -> String {
        format!("<ICMSTot><vNF>{value}</vNF></ICMSTot>")
    }

    const GOODS: &str = "<qCom>10.0000</qCom><vUnCom>10.00</vUnCom><vProd>100.00</vProd><qTrib>10.0000</qTrib>\
                         <vUnTrib>10.00</vUnTrib>";

    #[test]
    fn an_honest_note_moves_its_total() {
        check(&item(&format!("{GOODS}<indTot>1</indTot>"), ""), &vNF("100.00"), "100.00");
        let charged = format!("{GOODS}<vFrete>5.00</vFrete><vSeg>1.00</vSeg><vDesc>10.00</vDesc><vOutro>2.00</vOutro>");
        let taxes = "<ICMS><ICMS10><vICMSST>4.00</vICMSST><vFCPST>0.50</vFCPST></ICMS10></ICMS>\
                     <IPI><IPITrib><vIPI>3.00</vIPI></IPITrib></IPI>";
        check(&item(&charged, taxes), &vNF("105.50"), "105.50");
        // a third of a cent is rounded off and adds nothing
        let thirds = "<qCom>3.0000</qCom><vUnCom>33.3367</vUnCom><vProd>100.00</vProd>";
        check(&item(thirds, ""), &vNF("100.00"), "100.00");
    }

    #[test]
    fn goods_beside_the_total_count() {
        let beside = item(&format!("{GOODS}<indTot>0</indTot>"), "");
        check(&beside, &vNF("0.00"), "100.00");
        check(&format!("{beside}{beside}"), &vNF("1.00"), "200.00");
    }

    #[test]
    fn a_stated_value_below_its_parts_does_not_count() {
        check(&item(GOODS, ""), &vNF("1.00"), "100.00");
        let cheap = "<qCom>1000.0000</qCom><vUnCom>10.00</vUnCom><vProd>0.01</vProd>";
        check(&item(cheap, ""), &vNF("0.01"), "10000.00");
        let taxed =
            "<qCom>1.0000</qCom><vUnCom>0.01</vUnCom><vProd>0.01</vProd><qTrib>500.0000</qTrib><vUnTrib>2.00</vUnTrib>";
        check(&item(taxed, ""), &vNF("0.01"), "1000.00");
        let totals = "<ICMSTot><vProd>100.00</vProd><vFrete>900.00</vFrete><vNF>1.00</vNF></ICMSTot>";
        check(&item(GOODS, ""), totals, "1000.00");
    }

    #[test]
    fn the_greatest_stated_total_counts() {
        check(&item(GOODS, ""), &vNF("700.00"), "700.00");
        check(&item(GOODS, ""), &format!("{}<vNFTot>900.00</vNFTot>", vNF("100.00")), "900.00");
    }

    #[test]
    fn a_discount_of_one_item_does_not_lower_another() {
        let lowering = item("<vProd>0.01</vProd><vDesc>99.00</vDesc>", "");
        check(&format!("{}{lowering}", item(GOODS, "")), &vNF("1.01"), "100.00");
    }

    #[test]
    fn numbers_beyond_any_total_are_counted_and_not_lost() {
        let vast = "<qCom>99999999999.9999</qCom><vUnCom>99999999999.9999</vUnCom><vProd>0.01</vProd>";
        let xml = format!("<NFe><infNFe>{}{}</infNFe></NFe>", item(vast, ""), item(vast, ""));
        assert!(greatest_value(&xml).unwrap() > Decimal::from(10_i64.pow(18)));
        assert_eq!(
            (moved_hundredths(&xml), moved_hundredths("<CTe/>"), moved_hundredths("?")),
            (i64::MAX, i64::MAX, i64::MAX)
        );
    }

    #[test]
    fn an_amount_is_counted_in_hundredths() {
        let of = |text: &str| hundredths(text.parse().unwrap());
        assert_eq!((of("100.00"), of("9999999999999.99")), (10_000, 999_999_999_999_999));
        assert_eq!((of("0.01"), of("7"), of("7.5"), of("7.501")), (1, 700, 750, 751));
        assert_eq!((of("9999999999999999999999"), hundredths(Decimal::MAX)), (i64::MAX, i64::MAX));
    }
}
