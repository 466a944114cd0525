//! Groups LA, N and W of fuels: product, composition, and single-phase ICMS.
//!
//! Law: NT 2023.001 v1.60 and, for 908 and 909, NT 2026.002 v1.00; MOC 7.0, anexo I (461, 855, 379, 380, 858, 362; NT
//! 2022.002 v1.30a for the last). LA18-10 (origin of every fuel) is "implementação futura" in the newest text and
//! therefore absent.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::ibscbs::cents;
use super::items::{CENT, each};
use super::nfe_view::{NfeItem, NfeView, decimal, text, text_in};
use super::official_tables::cfop;
use super::products::goes_abroad;
use crate::reference::cfop::Cfop;
use crate::reference::fuel::{self, MonophasicFuel};
use crate::value::product;
use crate::xml::ElementView;
use rust_decimal::Decimal;

/// I13-20: a single-phase fuel is counted in the unit of its table, unless it is exported. Case is ignored.
pub(super) fn fuel_has_its_unit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "prod/uTrib", |item| {
        let wrong = |fuel: &MonophasicFuel| !fuel.uTrib.eq_ignore_ascii_case(item.prod.uTrib);
        monophasic(item).is_some_and(wrong) && !goes_abroad(note, item)
    });
}

/// LA03c-10: only GLP has these parts.
pub(super) fn parts_are_of_glp(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "cProdANP", |_, comb| {
        text(comb, "cProdANP") != GLP && ["pGLP", "pGNn", "pGNi"].iter().any(|tag| comb.child(tag).is_some())
    });
}

/// LA03c-20: the parts of GLP sum to 100 %.
pub(super) fn parts_make_the_whole(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "pGLP", |_, comb| {
        let sum: Decimal = ["pGLP", "pGNn", "pGNi"].iter().map(|tag| decimal(comb, tag)).sum();
        text(comb, "cProdANP") == GLP && sum != Decimal::ONE_HUNDRED
    });
}

/// LA11-20: in an NF-e pump data belong to a sale to the user of the fuel.
pub(super) fn pump_is_of_a_sale(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "encerrante", |item, comb| {
        comb.child("encerrante").is_some() && !matches!(item.prod.CFOP, "5656" | "5667")
    });
}

/// LA16-10.
pub(super) fn pump_counts_forward(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "encerrante/vEncFin", |_, comb| {
        let pump = comb.child("encerrante");
        pump.is_some_and(|pump| decimal(pump, "vEncFin") <= decimal(pump, "vEncIni"))
    });
}

/// LA17-10: only mixtures of the table state their proportion.
pub(super) fn mixture_is_of_a_mixture(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "pBio", |item, comb| {
        comb.child("pBio").is_some() && !monophasic(item).is_some_and(|fuel| fuel.pBio)
    });
}

/// LA17-20: a mixture of the table states its proportion.
pub(super) fn mixture_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "pBio", |item, comb| {
        let lacks = comb.child("pBio").is_none() && monophasic(item).is_some_and(|fuel| fuel.pBio);
        lacks && !is_excepted(note, item)
    });
}

/// LA18-20: natural gas in GLP states its origin.
pub(super) fn natural_gas_has_its_origin(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "origComb", |item, comb| {
        let natural = ["pGNn", "pGNi"].iter().any(|tag| !decimal(comb, tag).is_zero());
        natural && comb.child("origComb").is_none() && !is_excepted(note, item)
    });
}

/// Exceptions of LA17-20 and LA18-20: complements, returns, sales to consumers, later deliveries, the DANFE
/// simplificado tipo 2.
fn is_excepted(note: &NfeView<'_>, item: &NfeItem<'_>) -> bool {
    matches!(note.ide.finNFe, "2" | "4")
        || note.ide.indFinal == "1"
        || note.ide.tpImp == "6"
        || matches!(item.prod.CFOP, "5922" | "6922")
}

/// LA18-30.
pub(super) fn origin_is_of_a_monophasic_fuel(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "origComb", |item, comb| comb.child("origComb").is_some() && monophasic(item).is_none());
}

/// LA21-10: the origins sum to 100 %.
pub(super) fn origins_make_the_whole(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "origComb", |_, comb| !is_gas(comb) && origins(comb, None).is_some_and(is_not_all));
}

/// LA21-20: the origins of a gas sum to 100 % in Brazil and to 100 % abroad, where there are any (NT 2023.001, 2.4.7).
pub(super) fn origins_of_a_gas_make_the_whole(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    fuels(note, found, "origComb", |_, comb| {
        is_gas(comb) && ["0", "1"].iter().any(|home| origins(comb, Some(home)).is_some_and(is_not_all))
    });
}

/// Returns the sum of the origins; `None` without any.
fn origins(comb: ElementView<'_>, indImport: Option<&str>) -> Option<Decimal> {
    let all = comb.children().filter(|child| child.name() == "origComb");
    let asked = all.filter(|origin| indImport.is_none_or(|kind| text(*origin, "indImport") == kind));
    asked.map(|origin| decimal(origin, "pOrig")).reduce(|sum, part| sum + part)
}

/// True for a sum that differs from 100 % by more than a tenth of a point.
fn is_not_all(sum: Decimal) -> bool {
    (sum - Decimal::ONE_HUNDRED).abs() > Decimal::new(1, 1)
}

fn is_gas(comb: ElementView<'_>) -> bool {
    matches!(text(comb, "cProdANP"), GLP | "210203003" | "210203004" | "210203005")
}

/// Adds the items with `comb` that break a condition, at a path below it.
fn fuels(
    note: &NfeView<'_>,
    found: &mut BrokenFields,
    tag: &str,
    breaks: impl Fn(&NfeItem<'_>, ElementView<'_>) -> bool,
) {
    for item in &note.items {
        if let Some(comb) = item.prod.comb
            && breaks(item, comb)
        {
            found.push(item.broken(&format!("prod/comb/{tag}")));
        }
    }
}

/// Returns the table row of the item's product, if it is a single-phase fuel.
fn monophasic(item: &NfeItem<'_>) -> Option<&'static MonophasicFuel> {
    item.prod.comb.and_then(|comb| fuel::find(text(comb, "cProdANP")))
}

/// N08-10: for these fuels the withheld tax is passed on between states, so CST 60 uses ICMSST.
pub(super) fn withheld_fuel_has_its_group(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS/ICMS60", |item| {
        let withheld = item.icms.is_some_and(|icms| icms.name() == "ICMS60");
        withheld && item.prod.comb.is_some_and(|comb| is_one_of(&REPASSED, comb))
    });
}

/// N12-100.
pub(super) fn monophasic_cst_is_of_such_a_fuel(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "imposto/ICMS", |item| is_monophasic_cst(item) && monophasic(item).is_none());
}

/// N12-110: exempt, untaxed, suspended and other situations are accepted as well. Credit and debit notes have no ICMS.
pub(super) fn monophasic_fuel_has_its_cst(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let excepted = || matches!(note.ide.finNFe, "5" | "6");
    each(note, found, "imposto/ICMS", |item| {
        let taken = || is_monophasic_cst(item) || matches!(item.cst(), "40" | "41" | "50" | "90");
        item.icms.is_some() && monophasic(item).is_some() && !taken() && !excepted()
    });
}

fn is_monophasic_cst(item: &NfeItem<'_>) -> bool {
    matches!(item.cst(), "02" | "15" | "53" | "61")
}

/// N37a-10.
pub(super) fn quantity_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    once(note, found, "qBCMono", |icms| matches!(text(icms, "CST"), "02" | "15" | "53") && lacks(icms, "qBCMono"));
}

/// N39a-10.
pub(super) fn withheld_quantity_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    once(note, found, "qBCMonoReten", |icms| text(icms, "CST") == "15" && lacks(icms, "qBCMonoReten"));
}

/// N43a-10.
pub(super) fn quantity_withheld_before_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    once(note, found, "qBCMonoRet", |icms| text(icms, "CST") == "61" && lacks(icms, "qBCMonoRet"));
}

fn lacks(icms: ElementView<'_>, tag: &str) -> bool {
    icms.child(tag).is_none()
}

/// N39-10.
pub(super) fn tax_is_quantity_times_rate(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    once(note, found, "vICMSMono", |icms| {
        let told = matches!(text(icms, "CST"), "02" | "15") && !lacks(icms, "qBCMono");
        told && note.ide.finNFe == "1" && differs(icms, "vICMSMono", &["qBCMono", "adRemICMS"], Decimal::ONE)
    });
}

/// N41-10, except for diesel, of which only the biodiesel's part remains to be withheld.
pub(super) fn withheld_tax_is_quantity_times_rate(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    withheld(note, found, false, Decimal::ONE);
}

/// N41-20: a third, for diesel.
pub(super) fn withheld_tax_of_diesel_is_a_third(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    withheld(note, found, true, Decimal::new(3333, 4));
}

fn withheld(note: &NfeView<'_>, found: &mut BrokenFields, of_diesel: bool, part: Decimal) {
    each(note, found, "imposto/ICMS/ICMS15/vICMSMonoReten", |item| {
        let diesel = || item.prod.comb.is_some_and(|comb| is_one_of(&DIESEL, comb));
        let told = item.icms.filter(|icms| text(*icms, "CST") == "15" && !lacks(*icms, "qBCMonoReten"));
        let wrong = |icms| differs(icms, "vICMSMonoReten", &["qBCMonoReten", "adRemICMSReten"], part);
        told.is_some_and(wrong) && diesel() == of_diesel && note.ide.finNFe == "1"
    });
}

/// True when a value differs by more than a cent from the rounded product of two fields and a part.
fn differs(icms: ElementView<'_>, value: &str, factors: &[&str; 2], part: Decimal) -> bool {
    let [quantity, rate] = factors.map(|tag| decimal(icms, tag));
    (decimal(icms, value) - cents(product(&[quantity, rate, part]))).abs() > CENT
}

/// Adds the items whose ICMS breaks a condition, at a field of the group.
fn once(note: &NfeView<'_>, found: &mut BrokenFields, tag: &str, breaks: impl Fn(ElementView<'_>) -> bool) {
    for item in &note.items {
        if let Some(icms) = item.icms.filter(|icms| breaks(*icms)) {
            found.push(item.broken(&format!("imposto/ICMS/{}/{tag}", icms.name())));
        }
    }
}

/// Defines one rule per total: name, field, tolerance. Absent counts as zero.
macro_rules! totals {
    ($($(#[$doc:meta])* $name:ident $tag:literal within $tolerated:expr;)*) => {
        $($(#[$doc])* pub(super) fn $name(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
            let sum = note.sum(|item: &NfeItem<'_>| item.icms($tag));
            let apart = (note.total($tag) - cents(sum)).abs();
            found.extend((apart > $tolerated).then(|| BrokenField::at(concat!("total/ICMSTot/", $tag))));
        })*
    };
}

totals! {
    /// W06b.1-10.
    quantity_is_the_sum "qBCMono" within CENT;
    /// W06c-10.
    tax_is_the_sum "vICMSMono" within Decimal::ZERO;
    /// W06c.1-10.
    withheld_quantity_is_the_sum "qBCMonoReten" within CENT;
    /// W06d-10.
    withheld_tax_is_the_sum "vICMSMonoReten" within Decimal::ZERO;
    /// W06d.1-10.
    quantity_withheld_before_is_the_sum "qBCMonoRet" within CENT;
    /// W06e-10.
    tax_withheld_before_is_the_sum "vICMSMonoRet" within Decimal::ZERO;
}

/// X04-10: a carrier of fuel is identified in normal documents with a CFOP of `indComb` 2. Excepted are products
/// outside the manual's table 8-7, carriers from abroad, and refuelling of ships and aircraft (7667).
pub(super) fn fuel_names_its_carrier(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let carried = |item: &NfeItem<'_>| {
        let product = item.prod.comb.is_some_and(|comb| is_one_of(&CARRIED, comb));
        product && item.prod.CFOP != "7667" && cfop(item).is_some_and(Cfop::names_its_carrier)
    };
    let named = || note.has("transp/transporta/CNPJ") || note.has("transp/transporta/CPF");
    let excepted = || note.ide.finNFe != "1" || note.text("transp/transporta/UF") == "EX";
    let wrong = note.items.iter().any(carried) && !named() && !excepted();
    found.extend(wrong.then(|| BrokenField::at("transp/transporta/CNPJ")));
}

fn is_one_of(list: &[u32], comb: ElementView<'_>) -> bool {
    text(comb, "cProdANP").parse().is_ok_and(|codigo| list.binary_search(&codigo).is_ok())
}

const GLP: &str = "210203001";

/// Products of N08-10.
#[rustfmt::skip]
static REPASSED: [u32; 62] = [
    210203001, 220102001, 320101001, 320101002, 320102001, 320102002, 320102003, 320102005, 320103001, 320103002, 320201001,
    320301001, 410101001, 410102001, 410103001, 420101004, 420101005, 420102004, 420102005, 420104001, 420105001, 420106001,
    420106002, 420202001, 420301001, 420301002, 420301004, 430101004, 510101001, 510101002, 510102001, 510102002, 510103001,
    510201001, 510201003, 510301001, 510301003, 820101003, 820101004, 820101005, 820101006, 820101011, 820101012, 820101013,
    820101014, 820101015, 820101016, 820101017, 820101018, 820101019, 820101020, 820101021, 820101022, 820101025, 820101026,
    820101027, 820101030, 820101031, 820101032, 820101033, 820101034, 830101001,
];

/// Products of N41-20.
#[rustfmt::skip]
static DIESEL: [u32; 12] = [
    420102004, 420102005, 420105001, 820101003, 820101011, 820101012, 820101013, 820101026, 820101027, 820101032, 820101033,
    820101034,
];

/// Products of MOC 7.0, visão geral, table 8-7.
#[rustfmt::skip]
static CARRIED: [u32; 113] = [
    210101001, 210201001, 210201002, 210201003, 210202001, 210202002, 210202003, 210203001, 210203002, 210204001, 210204002,
    210301001, 210301002, 210302001, 210302002, 210302003, 210302004, 220101001, 220101002, 220101003, 220101004, 220101005,
    220101006, 220102001, 220102002, 320101001, 320101002, 320101003, 320102001, 320102002, 320102003, 320102004, 320103001,
    320103002, 320201001, 320201002, 320301001, 320301002, 410101001, 410101002, 410102001, 410102002, 410103001, 420101003,
    420101004, 420101005, 420102003, 420102004, 420102005, 420102006, 420104001, 420201001, 420201002, 420201003, 420202001,
    420301001, 420301002, 420301003, 510101001, 510101002, 510101003, 510102001, 510102002, 510102003, 510201001, 510201002,
    510201003, 510301001, 510301002, 510301003, 540101001, 540101002, 810101001, 810101002, 810101003, 810102001, 810102002,
    810102003, 810102004, 810201001, 810201002, 820101001, 820101002, 820101003, 820101004, 820101005, 820101006, 820101007,
    820101008, 820101009, 820101010, 820101011, 820101012, 820101013, 820101014, 820101015, 820101016, 820101017, 820101018,
    820101019, 820101020, 820101021, 820101022, 820101025, 820101026, 820101027, 820101028, 820101029, 820101030, 820101031,
    820101032, 820101033, 820101034,
];

/// True for fuels from petroleum: all except those that the text lists otherwise.
pub(super) fn is_petroleum(item: &NfeItem<'_>) -> bool {
    item.prod.comb.is_some() && !OF_OTHER_ORIGIN.contains(&text_in(item.prod.comb, "cProdANP"))
}

/// Products of ANP that are not petroleum (NA01-20, exception 6; NA01-30; N12-70, exception 5).
const OF_OTHER_ORIGIN: [&str; 16] = [
    "820101001",
    "820101010",
    "810102001",
    "810102004",
    "810102002",
    "810102003",
    "810101002",
    "810101001",
    "810101003",
    "220101003",
    "220101004",
    "220101002",
    "220101001",
    "220101005",
    "220101006",
    "560101001",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        for list in [&REPASSED[..], &DIESEL, &CARRIED] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
