//! Rules about IBS and CBS: one group for the document. Rates and tables are those of the date that `dhEmi` writes.
//!
//! Law: NT 2025.001 v1.13, NT 2026.002 v1.01 and NT 2026.004 v1.00, from public readings without the originals. Their
//! numbers in the tables of rules are not known, so they come after all others.

use super::case::CteCase;
use super::values::differs;
use super::{CteFinding, CteRule, both, breach_if};
use crate::reference::ibscbs::{self, ClassTrib, Cst, ReformRates, class as indicator};
use crate::value::{amount, product};
use rust_decimal::{Decimal, RoundingStrategy};

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    both("Z010", "Z010", 310, "imp/IBSCBS", |case| breach_if(case.text("emit/CRT") == "3" && case.ide("tpCTe") != "1" && !case.has(GROUP))),
    both("Z020", "Z020", 311, "imp/IBSCBS/CST", |case| breach_if(group_text(case, "CST").is_some() && cst(case).is_none())),
    both("Z030", "Z030", 312, "imp/IBSCBS/cClassTrib", |case| breach_if(group_text(case, "cClassTrib").is_some() && class(case).is_none())),
    both("Z040", "Z040", 313, "imp/IBSCBS/cClassTrib", |case| class(case).and_then(|class| breach_if(group_text(case, "CST") != class.codigo.get(..3)))),
    both("Z041", "Z041", 388, "imp/IBSCBS/cClassTrib", |case| class(case).and_then(|class| breach_if(!class.has(document_of(case))))),
    both("Z042", "Z042", 314, PART, |case| breach_if(taxes(case) == Some(false) && case.has(PART))),
    both("Z044", "Z044", 315, PART, |case| breach_if(taxes(case) == Some(true) && !case.has(PART))),
    both("Z050", "Z050", 316, "imp/IBSCBS/gIBSCBS/gIBSUF/pIBSUF", |case| rate(case, "gIBSUF/pIBSUF", |rates| Some(rates.ibs_uf))),
    both("Z060", "Z060", 318, "imp/IBSCBS/gIBSCBS/gIBSUF/vIBSUF", |case| miscalculated(case, "gIBSUF", "pIBSUF", "vIBSUF")),
    both("Z070", "Z070", 321, "imp/IBSCBS/gIBSCBS/gIBSMun/pIBSMun", |case| rate(case, "gIBSMun/pIBSMun", |rates| Some(rates.ibs_mun))),
    both("Z080", "Z080", 323, "imp/IBSCBS/gIBSCBS/gIBSMun/vIBSMun", |case| miscalculated(case, "gIBSMun", "pIBSMun", "vIBSMun")),
    both("Z090", "Z090", 317, "imp/IBSCBS/gIBSCBS/vIBS", another_sum),
    both("Z100", "Z100", 326, "imp/IBSCBS/gIBSCBS/gCBS/pCBS", cbs_rate),
    both("Z110", "Z110", 327, "imp/IBSCBS/gIBSCBS/gCBS/vCBS", |case| miscalculated(case, "gCBS", "pCBS", "vCBS")),
    both("Z111", "Z111", 389, "imp/IBSCBS/gIBSCBS/gIBSUF/gRed/pRedAliq", |case| another_reduction(case, "gIBSUF", ClassTrib::reduction_of_ibs)),
    both("Z112", "Z112", 391, "imp/IBSCBS/gIBSCBS/gIBSMun/gRed/pRedAliq", |case| another_reduction(case, "gIBSMun", ClassTrib::reduction_of_ibs)),
    both("Z113", "Z113", 393, "imp/IBSCBS/gIBSCBS/gCBS/gRed/pRedAliq", |case| another_reduction(case, "gCBS", ClassTrib::reduction_of_cbs)),
    both("Z114", "Z114", 390, "imp/IBSCBS/gIBSCBS/gIBSUF/gRed/pAliqEfet", |case| another_effective_rate(case, "gIBSUF", "pIBSUF")),
    both("Z115", "Z115", 392, "imp/IBSCBS/gIBSCBS/gIBSMun/gRed/pAliqEfet", |case| another_effective_rate(case, "gIBSMun", "pIBSMun")),
    both("Z116", "Z116", 394, "imp/IBSCBS/gIBSCBS/gCBS/gRed/pAliqEfet", |case| another_effective_rate(case, "gCBS", "pCBS")),
    both("Z120", "Z120", 360, "imp/vTotDFe", |case| breach_if(case.has(GROUP) && !case.has("imp/vTotDFe"))),
    both("Z130", "Z130", 365, "imp/vTotDFe", |case| breach_if(case.has("imp/vTotDFe") && case.amount("imp/vTotDFe") != case.amount("vPrest/vTPrest"))),
];

const GROUP: &str = "imp/IBSCBS";
pub(super) const PART: &str = "imp/IBSCBS/gIBSCBS";

/// Indicator of the classifications allowed in this model.
fn document_of(case: &CteCase<'_>) -> u16 {
    if case.document.name == "CTeOS" { indicator::CTE_OS } else { indicator::CTE }
}

fn group_text<'c>(case: &CteCase<'c>, tag: &str) -> Option<&'c str> {
    case.inf.at(GROUP)?.text_at(tag)
}

pub(super) fn cst(case: &CteCase<'_>) -> Option<&'static Cst> {
    ibscbs::find_cst(group_text(case, "CST")?, case.day()?)
}

pub(super) fn class(case: &CteCase<'_>) -> Option<&'static ClassTrib> {
    ibscbs::find_class(group_text(case, "cClassTrib")?, case.day()?)
}

/// The rates of the year that `dhEmi` writes. `cbs` is `None` from 2027 on, until the Senate fixes it or the
/// installation's law names it.
fn rates(case: &CteCase<'_>) -> Option<ReformRates> {
    case.facts.law.rates(case.day()?)
}

/// True when the CST has the group of the tax; `None` for an unknown CST (311).
pub(super) fn taxes(case: &CteCase<'_>) -> Option<bool> {
    Some(cst(case)?.has(ibscbs::cst::TRIBUTA))
}

pub(super) fn part(case: &CteCase<'_>, path: &str) -> Option<Decimal> {
    case.inf.at(GROUP)?.at("gIBSCBS")?.text_at(path).and_then(amount)
}

/// A rate that differs from the year's. An informative regular taxation and a sale to the government have other rates.
fn rate(case: &CteCase<'_>, path: &str, of: fn(&ReformRates) -> Option<Decimal>) -> Option<CteFinding> {
    let apart = case.has("imp/IBSCBS/gIBSCBS/gTribRegular") || case.has("ide/gCompraGov");
    let (told, due) = (part(case, path).filter(|_| !apart)?, of(&rates(case)?)?);
    breach_if(told != due)
}

/// Zero is allowed inside an area of incentive, where `gALCZFMCBS` holds the waived tax.
fn cbs_rate(case: &CteCase<'_>) -> Option<CteFinding> {
    let waived = case.has("imp/IBSCBS/gIBSCBS/gCBS/gALCZFMCBS") && part(case, "gCBS/pCBS")?.is_zero();
    if waived { None } else { rate(case, "gCBS/pCBS", |rates| rates.cbs) }
}

/// The tax must be base by rate (the effective one where it is reduced), less the deferred and the returned tax.
fn miscalculated(case: &CteCase<'_>, group: &str, rate: &str, tax: &str) -> Option<CteFinding> {
    let at = |path: &str| part(case, &format!("{group}/{path}"));
    let rate = at("gRed/pAliqEfet").or_else(|| at(rate))?;
    let less = at("gDif/vDif").unwrap_or_default() + at("gDevTrib/vDevTrib").unwrap_or_default();
    breach_if(differs(part(case, "vBC")? * rate / Decimal::ONE_HUNDRED - less, at(tax)?))
}

/// The percentage must be the classification's, when its CST reduces.
fn another_reduction(case: &CteCase<'_>, group: &str, of: fn(&ClassTrib) -> Decimal) -> Option<CteFinding> {
    let reduces = cst(case)?.has(ibscbs::cst::REDUZ);
    let (stated, class) = (part(case, &format!("{group}/gRed/pRedAliq"))?, class(case)?);
    breach_if(reduces && stated != of(class))
}

/// The effective rate must be the rate less its reduction and less the reduction of a sale to the government: four
/// decimals, rounded at the last.
fn another_effective_rate(case: &CteCase<'_>, group: &str, rate: &str) -> Option<CteFinding> {
    let at = |path: &str| part(case, &format!("{group}/{path}"));
    let left = |percentage: Decimal| (Decimal::ONE_HUNDRED - percentage) / Decimal::ONE_HUNDRED;
    let government = case.amount("ide/gCompraGov/pRedutor").unwrap_or_default();
    let right = product(&[at(rate)?, left(at("gRed/pRedAliq")?), left(government)]);
    breach_if(at("gRed/pAliqEfet")? != right.round_dp_with_strategy(4, RoundingStrategy::MidpointAwayFromZero))
}

fn another_sum(case: &CteCase<'_>) -> Option<CteFinding> {
    let sum = part(case, "gIBSUF/vIBSUF")? + part(case, "gIBSMun/vIBSMun")?;
    breach_if(sum != part(case, "vIBS")?)
}
