//! Rules about the groups of IBS and CBS that CST and classification require or forbid: deferral, reduction, regular
//! taxation, reversal of credits.
//!
//! Law: NT 2025.001 v1.13, from public lists of its codes without the original: 366, 369 and 383 require a reduction,
//! 367, 368, 381, 382, 384 and 385 refuse a group. The code of each pair that concerns the reduction is inferred from
//! their order.

use super::case::Case;
use super::reform::{PART, class, cst, part, taxes};
use super::values::differs;
use super::{Found, Rule, both, when};
use crate::reference::ibscbs::{self, class as of_class, cst as of_cst};
use rust_decimal::Decimal;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    both("Z051", "Z051", 319, "imp/IBSCBS/gIBSCBS/gIBSUF/gDif", |case| without_deferral(case, UF)),
    both("Z052", "Z052", 320, "imp/IBSCBS/gIBSCBS/gIBSUF/gDif/vDif", |case| another_deferral(case, UF)),
    both("Z053", "Z053", 366, "imp/IBSCBS/gIBSCBS/gIBSUF/gRed", |case| without_reduction(case, UF)),
    both("Z054", "Z054", 367, "imp/IBSCBS/gIBSCBS/gIBSUF/gRed", |case| reduced_without_need(case, UF)),
    both("Z055", "Z055", 368, "imp/IBSCBS/gIBSCBS/gIBSUF/gDif", |case| deferred_without_need(case, UF)),
    both("Z061", "Z061", 395, "imp/IBSCBS/gIBSCBS/gIBSUF", |case| negative(case, UF)),
    both("Z071", "Z071", 324, "imp/IBSCBS/gIBSCBS/gIBSMun/gDif", |case| without_deferral(case, MUN)),
    both("Z072", "Z072", 325, "imp/IBSCBS/gIBSCBS/gIBSMun/gDif/vDif", |case| another_deferral(case, MUN)),
    both("Z073", "Z073", 369, "imp/IBSCBS/gIBSCBS/gIBSMun/gRed", |case| without_reduction(case, MUN)),
    both("Z074", "Z074", 381, "imp/IBSCBS/gIBSCBS/gIBSMun/gRed", |case| reduced_without_need(case, MUN)),
    both("Z075", "Z075", 382, "imp/IBSCBS/gIBSCBS/gIBSMun/gDif", |case| deferred_without_need(case, MUN)),
    both("Z081", "Z081", 396, "imp/IBSCBS/gIBSCBS/gIBSMun", |case| negative(case, MUN)),
    both("Z101", "Z101", 328, "imp/IBSCBS/gIBSCBS/gCBS/gDif", |case| without_deferral(case, CBS)),
    both("Z102", "Z102", 329, "imp/IBSCBS/gIBSCBS/gCBS/gDif/vDif", |case| another_deferral(case, CBS)),
    both("Z103", "Z103", 383, "imp/IBSCBS/gIBSCBS/gCBS/gRed", |case| without_reduction(case, CBS)),
    both("Z104", "Z104", 384, "imp/IBSCBS/gIBSCBS/gCBS/gRed", |case| reduced_without_need(case, CBS)),
    both("Z105", "Z105", 385, "imp/IBSCBS/gIBSCBS/gCBS/gDif", |case| deferred_without_need(case, CBS)),
    both("Z110a", "Z110a", 397, "imp/IBSCBS/gIBSCBS/gCBS", |case| negative(case, CBS)),
    both("Z117", "Z117", 330, REGULAR, |case| when(class(case)?.has(of_class::REGULAR) && !case.has(REGULAR))),
    both("Z117a", "Z117a", 331, "imp/IBSCBS/gIBSCBS/gTribRegular/CSTReg", unknown_regular_cst),
    both("Z117b", "Z117b", 332, "imp/IBSCBS/gIBSCBS/gTribRegular/cClassTribReg", unknown_regular_class),
    both("Z117c", "Z117c", 333, "imp/IBSCBS/gIBSCBS/gTribRegular/vTribRegIBSUF", |case| another_regular_tax(case, "pAliqEfetRegIBSUF", "vTribRegIBSUF")),
    both("Z117d", "Z117d", 334, "imp/IBSCBS/gIBSCBS/gTribRegular/vTribRegIBSMun", |case| another_regular_tax(case, "pAliqEfetRegIBSMun", "vTribRegIBSMun")),
    both("Z117e", "Z117e", 335, "imp/IBSCBS/gIBSCBS/gTribRegular/vTribRegCBS", |case| another_regular_tax(case, "pAliqEfetRegCBS", "vTribRegCBS")),
    both("Z118", "Z118", 303, REVERSAL, |case| when(!class(case)?.has(of_class::ESTORNA) && case.has(REVERSAL))),
    both("Z119", "Z119", 304, REVERSAL, |case| when(class(case)?.has(of_class::ESTORNA) && !case.has(REVERSAL))),
];

const REGULAR: &str = "imp/IBSCBS/gIBSCBS/gTribRegular";
const REVERSAL: &str = "imp/IBSCBS/gEstornoCred";

/// Group and rate of a part of the tax.
type Part = [&'static str; 2];
const UF: Part = ["gIBSUF", "pIBSUF"];
const MUN: Part = ["gIBSMun", "pIBSMun"];
const CBS: Part = ["gCBS", "pCBS"];

fn has(case: &Case<'_>, [group, _]: Part, inside: &str) -> bool {
    case.has(&format!("{PART}/{group}/{inside}"))
}

fn rate(case: &Case<'_>, [group, rate]: Part) -> Option<Decimal> {
    part(case, &format!("{group}/{rate}"))
}

/// True when a reduction is due: the CST has one or the government buys, and the rate is above zero (v1.11 of the
/// note), which the município's is not in 2026.
fn reduces(case: &Case<'_>, of: Part) -> Option<bool> {
    let due = cst(case)?.has(of_cst::REDUZ) || case.has("ide/gCompraGov");
    Some(due && !rate(case, of)?.is_zero())
}

fn without_reduction(case: &Case<'_>, of: Part) -> Option<Found> {
    when(taxes(case)? && reduces(case, of)? && !has(case, of, "gRed"))
}

fn reduced_without_need(case: &Case<'_>, of: Part) -> Option<Found> {
    when(has(case, of, "gRed") && !reduces(case, of)?)
}

fn without_deferral(case: &Case<'_>, of: Part) -> Option<Found> {
    when(case.has(PART) && cst(case)?.has(of_cst::DIFERE) && !has(case, of, "gDif"))
}

fn deferred_without_need(case: &Case<'_>, of: Part) -> Option<Found> {
    when(has(case, of, "gDif") && !cst(case)?.has(of_cst::DIFERE))
}

/// Base by the effective rate, before deferral and return.
fn whole(case: &Case<'_>, of: Part) -> Option<Decimal> {
    let effective = part(case, &format!("{}/gRed/pAliqEfet", of[0]));
    Some(part(case, "vBC")? * effective.or_else(|| rate(case, of))? / Decimal::ONE_HUNDRED)
}

fn another_deferral(case: &Case<'_>, of: Part) -> Option<Found> {
    let at = |tag: &str| part(case, &format!("{}/gDif/{tag}", of[0]));
    when(differs(whole(case, of)? * at("pDif")? / Decimal::ONE_HUNDRED, at("vDif")?))
}

/// More is deferred and returned than is due, beyond one cent.
fn negative(case: &Case<'_>, of: Part) -> Option<Found> {
    let at = |path: &str| part(case, &format!("{}/{path}", of[0])).unwrap_or_default();
    let (due, less) = (whole(case, of)?, at("gDif/vDif") + at("gDevTrib/vDevTrib"));
    when(less > due && differs(due, less))
}

fn unknown_regular_cst(case: &Case<'_>) -> Option<Found> {
    let told = case.inf.at(REGULAR)?.text_at("CSTReg")?;
    when(ibscbs::find_cst(told, case.day()?).is_none())
}

fn unknown_regular_class(case: &Case<'_>) -> Option<Found> {
    let told = case.inf.at(REGULAR)?.text_at("cClassTribReg")?;
    when(ibscbs::find_class(told, case.day()?).is_none())
}

fn another_regular_tax(case: &Case<'_>, rate: &str, tax: &str) -> Option<Found> {
    let at = |tag: &str| part(case, &format!("gTribRegular/{tag}"));
    when(differs(part(case, "vBC")? * at(rate)? / Decimal::ONE_HUNDRED, at(tax)?))
}
