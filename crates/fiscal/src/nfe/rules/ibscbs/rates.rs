//! `gIBSCBS`: rates, deferral, reduction, tax due (UB18 to UB67). Rules common to the three parts are written once.

use super::{NfeView, TaxedItem, differs, each, percent};
use crate::nfe::rules::NfeRuleContext;
use crate::nfe::rules::broken_field::BrokenFields;
use crate::reference::ibscbs::{ClassTrib, REFORM_IN_FULL, ReformRates, class, cst, find_credit};
use crate::value::{amount, product};
use rust_decimal::{Decimal, RoundingStrategy};

/// A part of the tax: its group, its fields, its column in the tables.
pub(in super::super) trait RatePart {
    const GROUP: &'static str;
    const RATE: &'static str;
    const VALUE: &'static str;
    fn due(rates: &ReformRates) -> Option<Decimal>;
    fn reduction(class: &ClassTrib) -> Decimal;
}

/// IBS of the state.
pub(in super::super) struct StatePart;
/// IBS of the município.
pub(in super::super) struct MunicipalPart;
/// CBS.
pub(in super::super) struct CbsPart;

impl RatePart for StatePart {
    const GROUP: &'static str = "gIBSCBS/gIBSUF";
    const RATE: &'static str = "gIBSCBS/gIBSUF/pIBSUF";
    const VALUE: &'static str = "gIBSCBS/gIBSUF/vIBSUF";
    fn due(rates: &ReformRates) -> Option<Decimal> {
        Some(rates.ibs_uf)
    }
    fn reduction(class: &ClassTrib) -> Decimal {
        class.reduction_of_ibs()
    }
}

impl RatePart for MunicipalPart {
    const GROUP: &'static str = "gIBSCBS/gIBSMun";
    const RATE: &'static str = "gIBSCBS/gIBSMun/pIBSMun";
    const VALUE: &'static str = "gIBSCBS/gIBSMun/vIBSMun";
    fn due(rates: &ReformRates) -> Option<Decimal> {
        Some(rates.ibs_mun)
    }
    fn reduction(class: &ClassTrib) -> Decimal {
        class.reduction_of_ibs()
    }
}

impl RatePart for CbsPart {
    const GROUP: &'static str = "gIBSCBS/gCBS";
    const RATE: &'static str = "gIBSCBS/gCBS/pCBS";
    const VALUE: &'static str = "gIBSCBS/gCBS/vCBS";
    fn due(rates: &ReformRates) -> Option<Decimal> {
        rates.cbs
    }
    fn reduction(class: &ClassTrib) -> Decimal {
        class.reduction_of_cbs()
    }
}

fn below<P: RatePart>(path: &str) -> String {
    format!("{}/{path}", P::GROUP)
}

/// UB18-10, UB37-10: the rate of the year; zero for a class with a regular taxation (`gTribRegular`); free in returns
/// and reductions of value. A purchase of the government moves the rates between the parts from 2027 on (UB BB02-10)
/// and is skipped then. Above the sublimit of the Simples (CRT 2 with `gTribSN`, NT 2026.005) the rates are zero; it is
/// unknown whether the text excepts them.
pub(in super::super) fn rate_is_of_the_year<P: RatePart>(
    note: &NfeView<'_>,
    facts: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, P::RATE, |taxed| wrong_rate::<P>(note, facts, taxed));
}

fn wrong_rate<P: RatePart>(note: &NfeView<'_>, facts: &NfeRuleContext, taxed: &TaxedItem<'_, '_>) -> bool {
    let free = note.ide.finNFe == "4" || matches!(note.ide.tpNFCredito, "03" | "04" | "06");
    let moved = note.has("ide/gCompraGov") && note.day().is_some_and(|day| day >= REFORM_IN_FULL);
    let within_the_simples = note.text("emit/CRT") == "2" && taxed.has("gTribSN");
    if free || moved || within_the_simples || !taxed.has(P::GROUP) {
        return false;
    }
    if taxed.class_has(class::REGULAR) {
        return !taxed.decimal(P::RATE).is_zero();
    }
    let right = note.day().and_then(|day| facts.law.rates(day)).and_then(|rates| P::due(&rates));
    right.is_some_and(|right| taxed.decimal(P::RATE) != right)
}

/// UB56-10, UB56-20: as UB18-10. Inside an incentive area zero is accepted as well.
pub(in super::super) fn cbs_rate_is_of_the_year(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, CbsPart::RATE, |taxed| {
        let incentive = taxed.has("gIBSCBS/gCBS/gALCZFMCBS") || has_incentive(note, taxed);
        let nothing = taxed.decimal(CbsPart::RATE).is_zero();
        wrong_rate::<CbsPart>(note, facts, taxed) && !(incentive && nothing)
    });
}

/// Municípios of the Zona Franca de Manaus, and of each Área de Livre Comércio.
const AREAS: [&[&str]; 6] = [
    &["1301902", "1302603", "1303569"],
    &["1304062"],
    &["1100106"],
    &["1400100", "1400159"],
    &["1600303", "1600600"],
    &["1200104", "1200203", "1200252"],
];

/// True for a município of an incentive area (C22-10).
pub(super) fn is_incentive_area(cMun: &str) -> bool {
    AREAS.iter().any(|area| area.contains(&cMun))
}

/// True when both parties are in one area, and arts. 451 and 466 of LC 214 do not exclude the goods.
fn has_incentive(note: &NfeView<'_>, taxed: &TaxedItem<'_, '_>) -> bool {
    let (from, to) = (note.text("emit/enderEmit/cMun"), note.text("dest/enderDest/cMun"));
    let ncm = taxed.item.prod.NCM;
    let position = ncm.get(..4).and_then(|digits| digits.parse().ok()).unwrap_or(0_u16);
    let (chapter, drinks) = (position / 100, (2203..=2208).contains(&position));
    let perfumes = chapter == 33 && !(3303..=3307).contains(&position);
    let excluded = perfumes || drinks || matches!(chapter, 24 | 93) || position == 8703;
    !excluded && AREAS.iter().any(|area| area.contains(&from) && area.contains(&to))
}

/// UB66a-10: zero CBS in an incentive area requires a registration there.
pub(in super::super) fn incentive_has_a_registration(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = !note.has("emit/ISUFEmit");
    each(note, found, "gIBSCBS/gCBS/gALCZFMCBS", |taxed| lacks && taxed.has("gIBSCBS/gCBS/gALCZFMCBS"));
}

/// UB66a-20.
pub(in super::super) fn incentive_stays_in_its_area(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gIBSCBS/gCBS/gALCZFMCBS", |taxed| {
        taxed.has("gIBSCBS/gCBS/gALCZFMCBS") && !has_incentive(note, taxed)
    });
}

/// UB66c-10.
pub(in super::super) fn incentive_has_a_process(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gIBSCBS/gCBS/gALCZFMCBS/nProcSuframa", |taxed| {
        let process = taxed.text("gIBSCBS/gCBS/gALCZFMCBS/nProcSuframa");
        taxed.text("gIBSCBS/gCBS/gALCZFMCBS/tpALCZFMCBS") == "2" && process.trim_matches('0').is_empty()
    });
}

/// UB66e-10.
pub(in super::super) fn incentive_tells_what_it_saves(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, "gIBSCBS/gCBS/gALCZFMCBS/vTribRegCBS", |taxed| {
        let group = "gIBSCBS/gCBS/gALCZFMCBS";
        let right = percent(taxed.decimal("gIBSCBS/vBC"), taxed.decimal(&format!("{group}/pAliqEfetRegCBS")));
        taxed.has(group) && differs(taxed.decimal(&format!("{group}/vTribRegCBS")), right)
    });
}

/// UB22-10, UB40-20, UB59-20.
pub(in super::super) fn deferral_is_for_its_cst<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &below::<P>("gDif"), |taxed| taxed.cst_lacks(cst::DIFERE) && taxed.has(&below::<P>("gDif")));
}

/// UB22-20, UB40-10, UB59-10.
pub(in super::super) fn deferral_is_told<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &below::<P>("gDif"), |taxed| {
        taxed.has("gIBSCBS") && taxed.cst_has(cst::DIFERE) && !taxed.has(&below::<P>("gDif"))
    });
}

/// UB23-10, UB42-10, UB61-10.
pub(in super::super) fn deferral_is_right<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &below::<P>("gDif/vDif"), |taxed| {
        let whole = taxed.decimal("gIBSCBS/vBC") * rate::<P>(taxed) / Decimal::ONE_HUNDRED;
        let right = percent(whole, taxed.decimal(&below::<P>("gDif/pDif")));
        taxed.has(&below::<P>("gDif")) && differs(taxed.decimal(&below::<P>("gDif/vDif")), right)
    });
}

/// UB24-10, UB43-10: a document refunds no IBS.
pub(in super::super) fn ibs_is_not_given_back<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &below::<P>("gDevTrib"), |taxed| taxed.has(&below::<P>("gDevTrib")));
}

/// UB62-10.
pub(in super::super) fn nfce_gives_no_cbs_back(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gIBSCBS/gCBS/gDevTrib", |taxed| taxed.has("gIBSCBS/gCBS/gDevTrib"));
}

/// UB62a-10.
pub(in super::super) fn what_is_given_back_has_a_rate(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, "gIBSCBS/gCBS/gDevTrib/pDevTrib", |taxed| {
        taxed.has("gIBSCBS/gCBS/gDevTrib") && !taxed.has("gIBSCBS/gCBS/gDevTrib/pDevTrib")
    });
}

/// UB63-10.
pub(in super::super) fn what_is_given_back_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gIBSCBS/gCBS/gDevTrib/vDevTrib", |taxed| {
        let whole = taxed.decimal("gIBSCBS/vBC") * rate::<CbsPart>(taxed) / Decimal::ONE_HUNDRED;
        let right = percent(whole, taxed.decimal("gIBSCBS/gCBS/gDevTrib/pDevTrib"));
        taxed.has("gIBSCBS/gCBS/gDevTrib/pDevTrib") && differs(taxed.decimal("gIBSCBS/gCBS/gDevTrib/vDevTrib"), right)
    });
}

/// UB26-10, UB45-10, UB64-10: a purchase of the government has the group without a reduction of its own.
pub(in super::super) fn reduction_is_for_its_cst<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &below::<P>("gRed"), |taxed| {
        let bought = is_government(note) && taxed.decimal(&below::<P>("gRed/pRedAliq")).is_zero();
        taxed.cst_lacks(cst::REDUZ) && taxed.has(&below::<P>("gRed")) && !bought
    });
}

/// UB26-20, UB45-20, UB64-20.
pub(in super::super) fn reduction_is_told<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &below::<P>("gRed"), |taxed| {
        let due = taxed.cst_has(cst::REDUZ) || is_government(note);
        taxed.has("gIBSCBS") && taxed.cst_has(cst::TRIBUTA) && due && !taxed.has(&below::<P>("gRed"))
    });
}

/// UB27-10, UB46-10, UB65-10: the percentage is that of the cClassTrib.
pub(in super::super) fn reduction_is_of_the_class<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    each(note, found, &below::<P>("gRed/pRedAliq"), |taxed| {
        let right = taxed.class.filter(|_| taxed.cst_has(cst::REDUZ)).map(P::reduction);
        let stated = taxed.decimal(&below::<P>("gRed/pRedAliq"));
        taxed.has(&below::<P>("gRed")) && right.is_some_and(|right| stated != right)
    });
}

/// UB28-10, UB47-10, UB66-10: four decimals, rounded at the last.
pub(in super::super) fn effective_rate_is_right<P: RatePart>(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let left = |percentage: Decimal| (Decimal::ONE_HUNDRED - percentage) / Decimal::ONE_HUNDRED;
    let government = amount(note.text("ide/gCompraGov/pRedutor")).unwrap_or_default();
    each(note, found, &below::<P>("gRed/pAliqEfet"), |taxed| {
        let reduction = taxed.decimal(&below::<P>("gRed/pRedAliq"));
        let reduced = product(&[taxed.decimal(P::RATE), left(reduction), left(government)]);
        let right = reduced.round_dp_with_strategy(4, RoundingStrategy::MidpointAwayFromZero);
        taxed.has(&below::<P>("gRed")) && taxed.decimal(&below::<P>("gRed/pAliqEfet")) != right
    });
}

/// UB35-10, UB54-10, UB67-10.
pub(in super::super) fn value_is_right<P: RatePart>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, P::VALUE, |taxed| {
        let whole = taxed.decimal("gIBSCBS/vBC") * rate::<P>(taxed) / Decimal::ONE_HUNDRED;
        let less = taxed.decimal(&below::<P>("gDif/vDif")) + taxed.decimal(&below::<P>("gDevTrib/vDevTrib"));
        taxed.has(P::GROUP) && differs(taxed.decimal(P::VALUE), super::cents(whole - less))
    });
}

/// Returns the applicable rate: the effective one where there is a reduction.
fn rate<P: RatePart>(taxed: &TaxedItem<'_, '_>) -> Decimal {
    let effective = below::<P>("gRed/pAliqEfet");
    if taxed.has(&effective) { taxed.decimal(&effective) } else { taxed.decimal(P::RATE) }
}

/// UB54a-10: both parts, minus the presumptive credit that its code deducts.
pub(in super::super) fn ibs_is_the_sum(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "gIBSCBS/vIBS", |taxed| {
        let deducts = find_credit(taxed.text("gCredPresOper/cCredPres")).is_some_and(|credit| credit.deduz);
        let credit = taxed.decimal("gCredPresOper/gIBSCredPres/vCredPres");
        let sum = taxed.decimal(StatePart::VALUE) + taxed.decimal(MunicipalPart::VALUE)
            - if deducts { credit } else { Decimal::ZERO };
        taxed.has("gIBSCBS") && taxed.decimal("gIBSCBS/vIBS") != sum
    });
}

pub(super) fn is_government(note: &NfeView<'_>) -> bool {
    note.has("ide/gCompraGov")
}
