//! Numbers of documents, bounded where they are read, so that what is made of them never leaves what a `Decimal` can say.
//!
//! No official type has more than 13 digits before the point. With 14, a million numbers can be added and any two multiplied; three are
//! multiplied by [`product`] only. `cargo xtask tidy decimals` finds whoever reads a number elsewhere.

use rust_decimal::Decimal;
use std::str::FromStr as _;

/// The number of a text; `None` for what is none, or more than any field can hold.
pub fn amount(text: &str) -> Option<Decimal> {
    // a longer one has digits that no field has: not worth the reading
    if text.len() > LONGEST {
        return None;
    }
    Decimal::from_str(text).ok().filter(|number| number.abs() < TOO_MUCH)
}

/// The factors multiplied; zero when no number can say it, which no field of a document could either.
pub fn product(factors: &[Decimal]) -> Decimal {
    let product = factors.iter().try_fold(Decimal::ONE, |product, factor| product.checked_mul(*factor));
    product.unwrap_or_default()
}

/// 10¹⁴.
const TOO_MUCH: Decimal = Decimal::from_parts(276_447_232, 23_283, 0, false, 0);
const LONGEST: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_ten_to_the_fourteenth() {
        assert_eq!(TOO_MUCH.to_string(), "100000000000000");
        assert_eq!(amount("99999999999999.9999999999").unwrap().to_string(), "99999999999999.9999999999");
        assert_eq!(amount("-99999999999999").unwrap().to_string(), "-99999999999999");
        for text in ["100000000000000", "-100000000000000", "79228162514264337593543950335", "1e15", "", "x"] {
            assert_eq!(amount(text), None, "{text}");
        }
        assert_eq!(amount(&format!("0.{}", "1".repeat(10_000))), None);
    }

    #[test]
    fn what_was_read_can_be_added_and_multiplied() {
        let most = amount("99999999999999.99999999999999").unwrap();
        let sum: Decimal = std::iter::repeat_n(most, 100_000).sum();
        assert!(sum > most && most * most > most && -(most * most) < most);
        assert_eq!(product(&[most, most, most]), Decimal::ZERO);
        assert_eq!(product(&[Decimal::TWO, Decimal::TEN]), Decimal::from(20));
    }
}
