//! The floor of the ISSQN: no deduction and no benefit leaves less than two per cent of the price.
//!
//! Law: LC 116/2003, art. 8-A; E0429, E0444, E0447, E0575, E0587, which do not count the discount.

use super::{DpsFacts, RuleOutcome};
use fiscal::nfse::amounts::{self, cents, number};
use rust_decimal::Decimal;

pub(super) fn rules(facts: &DpsFacts<'_>) -> Vec<RuleOutcome> {
    let amounts = amounts::of(facts.inf, facts.terms().as_ref());
    let Some(rate) = amounts.pAliqAplic else { return Vec::new() };
    if FREE.binary_search(&facts.text("serv/cServ/cTribNac")).is_ok() {
        return Vec::new();
    }
    let said = |path: &str| number(facts.inf, path);
    let price = said("valores/vServPrest/vServ").unwrap_or_default();
    let [deducted, reduced] = [said("valores/vDedRed/vDR"), said("valores/trib/tribMun/BM/vRedBCBM")];
    let by_share = amounts.vCalcDR.filter(|_| facts.has("valores/vDedRed/pDR"));
    let is_too_low = |taken: Decimal| (price - taken) * rate < price * LOWEST;
    let is_broken = |taken: Option<Decimal>| taken.is_some_and(|taken| is_too_low(cents(taken)));
    let deduction = amounts.vCalcDR.or(deducted);
    let benefit = amounts.vCalcBM.or(reduced);
    let both =
        (deduction.is_some() || benefit.is_some()).then(|| deduction.unwrap_or_default() + benefit.unwrap_or_default());
    vec![
        ("E0429", is_broken(both)),
        ("E0444", is_broken(by_share)),
        ("E0447", is_broken(deducted)),
        ("E0575", is_broken(reduced)),
        ("E0587", is_broken(amounts.vCalcBM)),
    ]
}

/// Lowest rate, in per cent.
const LOWEST: Decimal = Decimal::TWO;

/// Services without a floor.
#[rustfmt::skip]
static FREE: [&str; 51] = [
    "042201", "042301", "050901", "070201", "070202", "070501", "070502", "090201", "090202", "100101", "100102", "100103", "100104",
    "100105", "100201", "100202", "100301", "100401", "100402", "100403", "100501", "100502", "100601", "100701", "100801", "100901",
    "101001", "150101", "150102", "150103", "150104", "150105", "151001", "151002", "151003", "151004", "151005", "160101", "160102",
    "160103", "160104", "160201", "170501", "170601", "171001", "171002", "171101", "171102", "171201", "210101", "250301",
];
