//! Substitution and complement, as far as the document alone tells.

use super::cargo::CTE_57;
use super::os::CTE_67;
use super::parties::repeats;
use super::{Rule, both, cte, os, when};
use crate::sefaz::cte::case::Case;
use crate::sefaz::cte::key::{self, Of};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    both("G076", "H059", 503, |case| when(case.ide("tpCTe") == "3" && case.ide("tpEmis") != "1")),
    both("G077", "H060", 505, |case| when(case.ide("tpCTe") == "3" && !case.has("infCTeNorm/infCteSub"))),
    cte("G078", 847, |case| substituted(case, CTE_57)),
    os("H061", 858, |case| substituted(case, CTE_67)),
    both("G160", "H101", 269, |case| when(completed(case).any(|chave| chave.get(6..20) != Some(case.key(6..20))))),
    cte("G161", 849, |case| completed(case).find_map(|chave| key::fault(chave, CTE_57, case.request.now))),
    os("H102", 859, |case| completed(case).find_map(|chave| key::fault(chave, CTE_67, case.request.now))),
    both("G177", "H114", 907, |case| when(repeats(completed(case)))),
];

fn substituted(case: &Case<'_>, of: Of) -> Option<String> {
    key::fault(case.inf.text_at("infCTeNorm/infCteSub/chCte")?, of, case.request.now)
}

fn completed<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("", "infCteComp").filter_map(|one| one.text_at("chCTe"))
}
