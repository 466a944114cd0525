//! Rules about substitution and complement, as far as the document alone decides them.

use super::cargo::CTE_57;
use super::case::CteCase;
use super::key::{self, KeyKind};
use super::os::CTE_67;
use super::parties::has_duplicates;
use super::{CteFinding, CteRule, both, breach_if, cte, os, wrong_key};
use crate::value::brasilia;

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    both("G076", "H059", 503, "ide/tpEmis", |case| breach_if(case.ide("tpCTe") == "3" && case.ide("tpEmis") != "1")),
    both("G077", "H060", 505, "infCTeNorm/infCteSub", |case| breach_if(case.ide("tpCTe") == "3" && !case.has("infCTeNorm/infCteSub"))),
    cte("G078", 847, "infCTeNorm/infCteSub/chCte", |case| substituted(case, CTE_57)),
    os("H061", 858, "infCTeNorm/infCteSub/chCte", |case| substituted(case, CTE_67)),
    both("G160", "H101", 269, "infCteComp", |case| breach_if(completed(case).any(|chave| chave.get(6..20) != Some(case.key(6..20))))),
    cte("G161", 849, "infCteComp", |case| wrong_key(completed(case), "infCteComp", "chCTe", CTE_57, case)),
    os("H102", 859, "infCteComp", |case| wrong_key(completed(case), "infCteComp", "chCTe", CTE_67, case)),
    both("Y010", "Y010", 933, "infCteComp", |case| breach_if(completed(case).any(|chave| is_too_old(case, chave)))),
    both("G177", "H114", 907, "infCteComp", |case| breach_if(has_duplicates(completed(case)))),
];

fn substituted(case: &CteCase<'_>, of: KeyKind) -> Option<CteFinding> {
    key::fault(case.inf.text_at("infCTeNorm/infCteSub/chCte")?, of, case.facts.now).map(CteFinding::with_extra)
}

fn completed<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("", "infCteComp").filter_map(|one| one.text_at("chCTe"))
}

/// True for a key older than a year, or two years for transport by water, by rail and multimodal (NT 2024.001; its
/// number is not known).
fn is_too_old(case: &CteCase<'_>, chave: &str) -> bool {
    let part = |range: std::ops::Range<usize>| chave.get(range).and_then(|digits| digits.parse::<i32>().ok());
    let (Some(year), Some(month)) = (part(2..4), part(4..6)) else { return false };
    let today = brasilia::day(case.facts.now);
    let age = i32::from(today.year()) * 12 + i32::from(today.month()) - (2000 + year) * 12 - month;
    let most = if matches!(case.ide("modal"), "03" | "04" | "06") { 24 } else { 12 };
    age > most
}
