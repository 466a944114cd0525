//! Numbers of documents, bounded when they are read, so that sums and products stay within `Decimal`.
//!
//! No official type has more than 13 digits before the point. With 14, a million numbers can be added and any two
//! multiplied; three are multiplied by [`product`] only. `cargo xtask tidy decimals` refuses a number read elsewhere.

use rust_decimal::Decimal;
use std::str::FromStr as _;

/// The number of a text; `None` for other texts, and for more than a field can hold.
pub fn amount(text: &str) -> Option<Decimal> {
    if let Some(plain) = plain(text.as_bytes()) {
        return Some(plain);
    }
    // a longer text exceeds every field; for an empty one `Decimal` would build an error message
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    Decimal::from_str(text).ok().filter(|number| number.abs() < TOO_MUCH)
}

/// A JSON number, or a text with one: digits, a point, a sign, an exponent. A comma is refused, because `1,500` is
/// ambiguous.
pub fn number(text: &str) -> Option<Decimal> {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    match text.contains(['e', 'E']) {
        _ if !is_number || text.len() > LONGEST => None,
        true => Decimal::from_scientific(text).ok().filter(|number| number.abs() < TOO_MUCH),
        false => amount(text),
    }
}

/// The usual form of a number in documents: at most fourteen bytes, a digit at both ends.
fn plain(text: &[u8]) -> Option<Decimal> {
    if text.len() > PLAIN || !text.first()?.is_ascii_digit() || !text.last()?.is_ascii_digit() {
        return None;
    }
    let (mut number, mut scale, mut point) = (0_i64, 0_u32, false);
    for byte in text {
        match byte {
            b'0'..=b'9' => {
                number = 10 * number + i64::from(byte - b'0');
                scale += u32::from(point);
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    Some(Decimal::new(number, scale))
}

/// The product of the factors; zero when it exceeds `Decimal`, and with it every field.
pub fn product(factors: &[Decimal]) -> Decimal {
    let product = factors.iter().try_fold(Decimal::ONE, |product, factor| product.checked_mul(*factor));
    product.unwrap_or_default()
}

/// 10¹⁴.
const TOO_MUCH: Decimal = Decimal::from_parts(276_447_232, 23_283, 0, false, 0);
const LONGEST: usize = 64;
/// Most bytes of the usual form: at most 14 digits in total.
const PLAIN: usize = 14;

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

    /// Every text of up to five of these bytes, and longer ones around the bound of the usual form.
    #[test]
    fn a_plain_number_is_what_rust_decimal_reads() {
        let check = |text: &str| {
            let theirs = Decimal::from_str(text).ok().filter(|number| number.abs() < TOO_MUCH);
            assert_eq!(
                amount(text).map(|it| (it.to_string(), it.scale())),
                theirs.map(|it| (it.to_string(), it.scale())),
                "{text}"
            );
        };
        let bytes = b"019.-+_e ";
        for length in 0..=5_u32 {
            for number in 0..bytes.len().pow(length) {
                let of = |place: u32| char::from(bytes[number / bytes.len().pow(place) % bytes.len()]);
                check(&(0..length).map(of).collect::<String>());
            }
        }
        for text in [
            "12345678901234",
            "1234567890123.",
            "1234567890.123",
            "123456789012345",
            "0.000000000001",
            "00000000000.00",
            "99999999999999",
        ] {
            check(text);
        }
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
