//! Price, discounts, and the amounts that remain.

use super::case::SERVICE;
use super::{NfseRule, rule};
use rust_decimal::Decimal;

const RECEIVED: &str = "valores/vServPrest/vReceb";
const UNCONDITIONAL: &str = "valores/vDescCondIncond/vDescIncond";
const CONDITIONAL: &str = "valores/vDescCondIncond/vDescCond";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0424", RECEIVED, |case| matches!(case.text("tpEmit"), "1" | "2") && case.has(RECEIVED)),
    rule("E0427", SERVICE, |case| case.amounts().remainder < Decimal::ZERO),
    rule("E0428", SERVICE, |case| case.amounts().vLiq < Decimal::ZERO),
    rule("E0431", UNCONDITIONAL, |case| case.is_no_part_of_the_price(UNCONDITIONAL)),
    rule("E0432", CONDITIONAL, |case| case.is_no_part_of_the_price(CONDITIONAL)),
];
