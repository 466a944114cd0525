//! IBS and CBS: one group for the document.
//!
//! Law: NT 2025.001 v1.13 and NT 2026.002 v1.01, as `reference/cte-rules.md` §9 has them (no original at hand). Their numbers in the tables of rules
//! are not known: they stand behind all others.

use super::values::differs;
use super::{Rule, both, when};
use crate::sefaz::cte::case::Case;
use fiscal::reference::ibscbs::{self, ClassTrib, Rates};
use fiscal::value::amount;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    both("Z010", "Z010", 310, |case| when(case.is_rehearsal() && case.text("emit/CRT") == "3" && case.ide("tpCTe") != "1" && !case.has(GROUP))),
    both("Z020", "Z020", 311, |case| told(case, "CST").and_then(|cst| when(ibscbs::find_cst(cst, today(case)).is_none()))),
    both("Z030", "Z030", 312, |case| told(case, "cClassTrib").and_then(|_| when(class(case).is_none()))),
    both("Z040", "Z040", 313, |case| class(case).and_then(|class| when(told(case, "CST") != class.codigo.get(..3)))),
    both("Z050", "Z050", 316, |case| rate(case, "gIBSUF/pIBSUF", |rates| Some(rates.ibs_uf))),
    both("Z060", "Z060", 318, |case| miscalculated(case, "gIBSUF", "pIBSUF", "vIBSUF")),
    both("Z070", "Z070", 321, |case| rate(case, "gIBSMun/pIBSMun", |rates| Some(rates.ibs_mun))),
    both("Z080", "Z080", 323, |case| miscalculated(case, "gIBSMun", "pIBSMun", "vIBSMun")),
    both("Z090", "Z090", 317, another_sum),
    both("Z100", "Z100", 326, |case| rate(case, "gCBS/pCBS", |rates| rates.cbs)),
    both("Z110", "Z110", 327, |case| miscalculated(case, "gCBS", "pCBS", "vCBS")),
    both("Z120", "Z120", 360, |case| when(case.has(GROUP) && !case.has("imp/vTotDFe"))),
    both("Z130", "Z130", 365, |case| when(case.has("imp/vTotDFe") && case.amount("imp/vTotDFe") != case.amount("vPrest/vTPrest"))),
];

const GROUP: &str = "imp/IBSCBS";

fn told<'c>(case: &Case<'c>, tag: &str) -> Option<&'c str> {
    case.inf.at(GROUP)?.text_at(tag)
}

fn today(case: &Case<'_>) -> Date {
    case.request.now.to_zoned(TimeZone::fixed(jiff::tz::offset(-3))).date()
}

fn class(case: &Case<'_>) -> Option<&'static ClassTrib> {
    ibscbs::find_class(told(case, "cClassTrib")?, today(case))
}

fn part(case: &Case<'_>, path: &str) -> Option<Decimal> {
    case.inf.at(GROUP)?.at("gIBSCBS")?.text_at(path).and_then(amount)
}

/// Another rate than this year's; a regular taxation that is only told, and a sale to the state, have rates of their own.
fn rate(case: &Case<'_>, path: &str, of: fn(&Rates) -> Option<Decimal>) -> Option<String> {
    let apart = case.has("imp/IBSCBS/gIBSCBS/gTribRegular") || case.has("ide/gCompraGov");
    let (told, due) = (part(case, path).filter(|_| !apart)?, of(&ibscbs::rates(today(case))?)?);
    when(told != due)
}

/// Base by rate (the effective one where it is reduced), less what is deferred or given back.
fn miscalculated(case: &Case<'_>, group: &str, rate: &str, tax: &str) -> Option<String> {
    let at = |path: &str| part(case, &format!("{group}/{path}"));
    let rate = at("gRed/pAliqEfet").or_else(|| at(rate))?;
    let less = at("gDif/vDif").unwrap_or_default() + at("gDevTrib/vDevTrib").unwrap_or_default();
    when(differs(part(case, "vBC")? * rate / Decimal::ONE_HUNDRED - less, at(tax)?))
}

fn another_sum(case: &Case<'_>) -> Option<String> {
    let sum = part(case, "gIBSUF/vIBSUF")? + part(case, "gIBSMun/vIBSMun")?;
    when(sum != part(case, "vIBS")?)
}
