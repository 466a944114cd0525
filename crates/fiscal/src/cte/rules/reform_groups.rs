//! Rules about the groups of IBS and CBS that CST and classification require or forbid: deferral, reduction, regular
//! taxation, reversal of credits.
//!
//! Law: NT 2025.001 v1.13, from public lists of its codes without the original: 366, 369 and 383 require a reduction,
//! 367, 368, 381, 382, 384 and 385 refuse a group. The code of each pair that concerns the reduction is inferred from
//! their order.

use super::case::CteCase;
use super::reform::{PART, class, cst, part, taxes};
use super::values::differs;
use super::{CteFinding, CteRule, both, breach_if};
use crate::reference::ibscbs::{self, class as of_class, cst as of_cst};
use rust_decimal::Decimal;

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
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
    both("Z117", "Z117", 330, REGULAR, |case| breach_if(class(case)?.has(of_class::REGULAR) && !case.has(REGULAR))),
    both("Z117a", "Z117a", 331, "imp/IBSCBS/gIBSCBS/gTribRegular/CSTReg", unknown_regular_cst),
    both("Z117b", "Z117b", 332, "imp/IBSCBS/gIBSCBS/gTribRegular/cClassTribReg", unknown_regular_class),
    both("Z117c", "Z117c", 333, "imp/IBSCBS/gIBSCBS/gTribRegular/vTribRegIBSUF", |case| another_regular_tax(case, "pAliqEfetRegIBSUF", "vTribRegIBSUF")),
    both("Z117d", "Z117d", 334, "imp/IBSCBS/gIBSCBS/gTribRegular/vTribRegIBSMun", |case| another_regular_tax(case, "pAliqEfetRegIBSMun", "vTribRegIBSMun")),
    both("Z117e", "Z117e", 335, "imp/IBSCBS/gIBSCBS/gTribRegular/vTribRegCBS", |case| another_regular_tax(case, "pAliqEfetRegCBS", "vTribRegCBS")),
    both("Z118", "Z118", 303, REVERSAL, |case| breach_if(!class(case)?.has(of_class::ESTORNA) && case.has(REVERSAL))),
    both("Z119", "Z119", 304, REVERSAL, |case| breach_if(class(case)?.has(of_class::ESTORNA) && !case.has(REVERSAL))),
];

const REGULAR: &str = "imp/IBSCBS/gIBSCBS/gTribRegular";
const REVERSAL: &str = "imp/IBSCBS/gEstornoCred";

/// Group and rate of a part of the tax.
type TaxPart = [&'static str; 2];
const UF: TaxPart = ["gIBSUF", "pIBSUF"];
const MUN: TaxPart = ["gIBSMun", "pIBSMun"];
const CBS: TaxPart = ["gCBS", "pCBS"];

fn has(case: &CteCase<'_>, [group, _]: TaxPart, inside: &str) -> bool {
    case.has(&format!("{PART}/{group}/{inside}"))
}

fn rate(case: &CteCase<'_>, [group, rate]: TaxPart) -> Option<Decimal> {
    part(case, &format!("{group}/{rate}"))
}

/// True when a reduction is due: the CST has one or the government buys, and the rate is above zero (v1.11 of the
/// note), which the município's is not in 2026.
fn reduces(case: &CteCase<'_>, of: TaxPart) -> Option<bool> {
    let due = cst(case)?.has(of_cst::REDUZ) || case.has("ide/gCompraGov");
    Some(due && !rate(case, of)?.is_zero())
}

fn without_reduction(case: &CteCase<'_>, of: TaxPart) -> Option<CteFinding> {
    breach_if(taxes(case)? && reduces(case, of)? && !has(case, of, "gRed"))
}

fn reduced_without_need(case: &CteCase<'_>, of: TaxPart) -> Option<CteFinding> {
    breach_if(has(case, of, "gRed") && !reduces(case, of)?)
}

fn without_deferral(case: &CteCase<'_>, of: TaxPart) -> Option<CteFinding> {
    breach_if(case.has(PART) && cst(case)?.has(of_cst::DIFERE) && !has(case, of, "gDif"))
}

fn deferred_without_need(case: &CteCase<'_>, of: TaxPart) -> Option<CteFinding> {
    breach_if(has(case, of, "gDif") && !cst(case)?.has(of_cst::DIFERE))
}

/// Base by the effective rate, before deferral and return.
fn whole(case: &CteCase<'_>, of: TaxPart) -> Option<Decimal> {
    let effective = part(case, &format!("{}/gRed/pAliqEfet", of[0]));
    Some(part(case, "vBC")? * effective.or_else(|| rate(case, of))? / Decimal::ONE_HUNDRED)
}

fn another_deferral(case: &CteCase<'_>, of: TaxPart) -> Option<CteFinding> {
    let at = |tag: &str| part(case, &format!("{}/gDif/{tag}", of[0]));
    breach_if(differs(whole(case, of)? * at("pDif")? / Decimal::ONE_HUNDRED, at("vDif")?))
}

/// More is deferred and returned than is due, beyond one cent.
fn negative(case: &CteCase<'_>, of: TaxPart) -> Option<CteFinding> {
    let at = |path: &str| part(case, &format!("{}/{path}", of[0])).unwrap_or_default();
    let (due, less) = (whole(case, of)?, at("gDif/vDif") + at("gDevTrib/vDevTrib"));
    breach_if(less > due && differs(due, less))
}

fn unknown_regular_cst(case: &CteCase<'_>) -> Option<CteFinding> {
    let told = case.inf.at(REGULAR)?.text_at("CSTReg")?;
    breach_if(ibscbs::find_cst(told, case.day()?).is_none())
}

fn unknown_regular_class(case: &CteCase<'_>) -> Option<CteFinding> {
    let told = case.inf.at(REGULAR)?.text_at("cClassTribReg")?;
    breach_if(ibscbs::find_class(told, case.day()?).is_none())
}

fn another_regular_tax(case: &CteCase<'_>, rate: &str, tax: &str) -> Option<CteFinding> {
    let at = |tag: &str| part(case, &format!("gTribRegular/{tag}"));
    breach_if(differs(part(case, "vBC")? * at(rate)? / Decimal::ONE_HUNDRED, at(tax)?))
}
