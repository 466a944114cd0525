//! Rules about the values of the service and its taxes.

use super::{CteRule, both, breach_if, os};
use crate::value::amount;
use crate::xml::Element;
use rust_decimal::{Decimal, RoundingStrategy};

pub(super) const RULES: &[CteRule] = &[
    both("G046", "H054", 650, "vPrest/vTPrest", |case| {
        breach_if(case.is_whole() && case.amount("vPrest/vTPrest") > Some(LIMIT))
    }),
    both("G047", "H055", 675, "imp/ICMS", |case| {
        breach_if(case.inf.at("imp/ICMS").is_some_and(|icms| icms.children().any(is_miscalculated)))
    }),
    both("G048", "H056", 531, "vPrest/vRec", |case| {
        breach_if(case.amount("vPrest/vRec") > case.amount("vPrest/vTPrest"))
    }),
    os("H057", 760, "imp/infTribFed/vINSS", |case| {
        breach_if(case.ide("tpServ") == "6" && case.has("toma/CNPJ") && !case.has("imp/infTribFed/vINSS"))
    }),
];

/// R$ 9.999.999,99.
const LIMIT: Decimal = Decimal::from_parts(999_999_999, 0, 0, false, 2);
/// 1 cent.
const TOLERANCE: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// Base, rate and tax of each group that has them.
const TAXED: [[&str; 3]; 3] = [
    ["vBC", "pICMS", "vICMS"],
    ["vBCSTRet", "pICMSSTRet", "vICMSSTRet"],
    ["vBCOutraUF", "pICMSOutraUF", "vICMSOutraUF"],
];

fn is_miscalculated(group: &Element) -> bool {
    let number = |tag: &str| group.text_at(tag).and_then(amount);
    TAXED.iter().any(|[base, rate, tax]| match (number(base), number(rate), number(tax)) {
        (Some(base), Some(rate), Some(tax)) => differs(base * rate / Decimal::ONE_HUNDRED, tax),
        _ => false,
    })
}

/// True when more than a cent apart, after rounding.
pub(super) fn differs(calculated: Decimal, told: Decimal) -> bool {
    let calculated = calculated.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    (calculated - told).abs() > TOLERANCE
}
