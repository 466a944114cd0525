//! Federal taxes, to the cent, and the approximate totals.

use super::case::{DpsCase, SERVICE};
use super::{NfseRule, rule};
use crate::value::product;
use rust_decimal::Decimal;

const GROUP: &str = "valores/trib/tribFed";
const BASE: &str = "valores/trib/tribFed/piscofins/vBCPisCofins";
const PIS: &str = "valores/trib/tribFed/piscofins/vPis";
const COFINS: &str = "valores/trib/tribFed/piscofins/vCofins";
const WITHHELD: &str = "valores/trib/tribFed/piscofins/tpRetPisCofins";
const PENSION: &str = "valores/trib/tribFed/vRetCP";
const INCOME: &str = "valores/trib/tribFed/vRetIRRF";
const CSLL: &str = "valores/trib/tribFed/vRetCSLL";
const TOTAL: &str = "valores/trib/totTrib";
const SHARE: &str = "valores/trib/totTrib/pTotTribSN";
const NO_TOTAL: &str = "valores/trib/totTrib/indTotTrib";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0676", GROUP, |case| case.has(GROUP) && case.is_mei()),
    rule("E0677", BASE, |case| case.number(BASE).is_some_and(|base| base > case.money(SERVICE))),
    rule("E0694", PIS, |case| is_no_product(case, PIS, "valores/trib/tribFed/piscofins/pAliqPis")),
    rule("E0696", COFINS, |case| is_no_product(case, COFINS, "valores/trib/tribFed/piscofins/pAliqCofins")),
    rule("E0699", PENSION, |case| case.is_no_part_of_the_price(PENSION)),
    rule("E0700", INCOME, |case| case.is_no_part_of_the_price(INCOME)),
    rule("E0701", CSLL, |case| case.is_no_part_of_the_price(CSLL)),
    rule("E0702", "valores/trib/totTrib/vTotTrib/vTotTribFed", |case| is_above_the_price(case, "vTotTribFed")),
    rule("E0703", "valores/trib/totTrib/vTotTrib/vTotTribEst", |case| is_above_the_price(case, "vTotTribEst")),
    rule("E0704", "valores/trib/totTrib/vTotTrib/vTotTribMun", |case| is_above_the_price(case, "vTotTribMun")),
    rule("E0706", "valores/trib/totTrib/pTotTrib/pTotTribFed", |case| is_above_the_whole(case, "pTotTribFed")),
    rule("E0707", "valores/trib/totTrib/pTotTrib/pTotTribEst", |case| is_above_the_whole(case, "pTotTribEst")),
    rule("E0708", "valores/trib/totTrib/pTotTrib/pTotTribMun", |case| is_above_the_whole(case, "pTotTribMun")),
    rule("E0710", SHARE, |case| case.has(SHARE) && case.is_mei()),
    rule("E0712", NO_TOTAL, |case| case.has(NO_TOTAL) && case.is_small()),
    rule("E0713", TOTAL, |case| case.is_outside() && (case.has(NO_TOTAL) || case.has(SHARE))),
    rule("E0720", CSLL, |case| case.is(WITHHELD, "0") && case.has(CSLL)),
    rule("E0724", CSLL, |case| case.has(WITHHELD) && !matches!(case.text(WITHHELD), "0" | "2") && !case.has(CSLL)),
];

/// Tolerance of a product: a cent (NT 007).
const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// True when an amount differs from base and rate, where all three are given.
fn is_no_product(case: &DpsCase<'_>, amount: &str, rate: &str) -> bool {
    let (Some(base), Some(rate), Some(said)) = (case.number(BASE), case.number(rate), case.number(amount)) else {
        return false;
    };
    let right = product(&[base, rate, CENT]).round_dp(2);
    (said - right).abs() > CENT
}

fn is_above_the_price(case: &DpsCase<'_>, tag: &str) -> bool {
    case.number(&format!("{TOTAL}/vTotTrib/{tag}")).is_some_and(|total| total > case.money(SERVICE))
}

fn is_above_the_whole(case: &DpsCase<'_>, tag: &str) -> bool {
    case.number(&format!("{TOTAL}/pTotTrib/{tag}")).is_some_and(|share| share > Decimal::ONE_HUNDRED)
}
