//! Decimal texts, exact: the caller's digits reach the XML padded, trimmed or rounded half-up, never through a float.

use crate::xml::CanonicalWriter;
use rust_decimal::{Decimal, RoundingStrategy};
use std::str::FromStr;

/// A number ready to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct DecimalDigits<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    /// Digits other than zero were rounded away.
    pub(super) rounded: bool,
}

/// Number of decimals that a type allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DecimalPlaces {
    /// Fewest decimals written.
    pub(super) least: u8,
    /// Most decimals written.
    pub(super) most: u8,
}

/// Returns the suffix that a text lacks in the format of its type: nothing or some zeros. `None` for texts that need
/// `read`: signs, leading zeros, too many decimals, exponents.
#[inline]
pub(super) fn missing_suffix(text: &str, decimals: DecimalPlaces) -> Option<&'static str> {
    let (least, most) = (usize::from(decimals.least), usize::from(decimals.most));
    let text = text.as_bytes();
    let point = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (whole, rest) = text.split_at(point);
    if whole.is_empty() || (whole.len() > 1 && whole.starts_with(b"0")) {
        return None;
    }
    match rest {
        [] if least == 0 => Some(""),
        [] => POINT_ZEROS.get(..=least),
        [b'.', fraction @ ..] if fraction.iter().all(u8::is_ascii_digit) => match fraction.len() {
            0 => None,
            given if given <= least => POINT_ZEROS.get(1..=least - given),
            given if given <= most && !fraction.ends_with(b"0") => Some(""),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the ten-thousandths of a text that lacks only zeros or nothing, for sums.
#[inline]
pub(super) fn ten_thousandths(text: &str) -> i64 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    DecimalDigits { negative: false, whole, fraction, rounded: false }.ten_thousandths()
}

/// Reads a JSON number or its text; `None` when it is no number. `scratch` holds the digits of numbers that must be
/// rewritten.
#[inline]
pub(super) fn read<'a>(text: &'a str, decimals: DecimalPlaces, scratch: &'a mut String) -> Option<DecimalDigits<'a>> {
    let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let mut point = None;
    for (at, byte) in unsigned.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => {}
            b'.' if point.is_none() => point = Some(at),
            _ => return rewritten(text, decimals, scratch),
        }
    }
    let (mut whole, fraction) = match point {
        Some(at) => (&unsigned[..at], &unsigned[at + 1..]),
        None => (unsigned, ""),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    if fraction.len() > usize::from(decimals.most) {
        return rewritten(text, decimals, scratch);
    }
    while whole.len() > 1 && whole.starts_with('0') {
        whole = &whole[1..];
    }
    Some(DecimalDigits { negative, whole: if whole.is_empty() { "0" } else { whole }, fraction, rounded: false })
}

/// Rounds, and resolves exponents (`1e3` is a JSON number).
#[cold]
fn rewritten<'a>(text: &str, decimals: DecimalPlaces, scratch: &'a mut String) -> Option<DecimalDigits<'a>> {
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    let plain = || Decimal::from_str(text);
    let number = if text.contains(['e', 'E']) { Decimal::from_scientific(text) } else { plain() };
    let number = number.ok().filter(|_| is_number)?;
    let rounded = number.round_dp_with_strategy(u32::from(decimals.most), RoundingStrategy::MidpointAwayFromZero);
    *scratch = rounded.abs().to_string();
    let (whole, fraction) = scratch.split_once('.').unwrap_or((scratch, ""));
    let negative = rounded.is_sign_negative() && !rounded.is_zero();
    Some(DecimalDigits { negative, whole, fraction, rounded: rounded != number })
}

/// Formats ten-thousandths as a decimal text, for sums of values that were read.
pub(super) fn from_ten_thousandths(sum: i64) -> String {
    let sign = if sum < 0 { "-" } else { "" };
    let sum = sum.unsigned_abs();
    format!("{sign}{}.{:04}", sum / 10_000, sum % 10_000)
}

/// The decimal point and as many zeros as any type requires.
const POINT_ZEROS: &str = ".0000000000";

impl DecimalDigits<'_> {
    /// Writes the text in the format of the type.
    #[inline]
    pub(super) fn write(&self, decimals: DecimalPlaces, xml: &mut CanonicalWriter) {
        let least = usize::from(decimals.least);
        let mut fraction = self.fraction;
        while fraction.len() > least && fraction.ends_with('0') {
            fraction = &fraction[..fraction.len() - 1];
        }
        if self.negative {
            xml.raw("-");
        }
        xml.raw(self.whole);
        if !fraction.is_empty() || least > 0 {
            xml.raw(".");
            xml.raw(fraction);
            xml.raw(POINT_ZEROS.get(1..=least.saturating_sub(fraction.len())).unwrap_or(""));
        }
    }
    /// True when every digit is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.whole == "0" && self.fraction.bytes().all(|byte| byte == b'0')
    }
    /// Returns the number in ten-thousandths, for sums.
    #[inline]
    pub(super) fn ten_thousandths(&self) -> i64 {
        let add = |sum: i64, digit: u8| sum.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')));
        let mut number = self.whole.bytes().fold(0, add);
        let fraction = self.fraction.as_bytes();
        for at in 0..4 {
            number = add(number, fraction.get(at).copied().unwrap_or(b'0'));
        }
        if self.negative { -number } else { number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MONEY: DecimalPlaces = DecimalPlaces { least: 2, most: 2 };
    const PRICE: DecimalPlaces = DecimalPlaces { least: 2, most: 10 };

    fn check(text: &str, decimals: DecimalPlaces, expected: &str, rounded: bool) {
        let mut scratch = String::new();
        let digits = read(text, decimals, &mut scratch).unwrap();
        let mut xml = CanonicalWriter::default();
        digits.write(decimals, &mut xml);
        assert_eq!((xml.finish().as_str(), digits.rounded), (expected, rounded), "{text}");
        if let Some(zeros) = missing_suffix(text, decimals) {
            assert_eq!(format!("{text}{zeros}"), expected);
            assert_eq!(ten_thousandths(text), digits.ten_thousandths());
        }
        assert_eq!(missing_suffix(expected, decimals), (!expected.starts_with('-')).then_some(""), "{expected}");
    }

    #[test]
    fn pads_trims_and_rounds_half_up() {
        check("10", MONEY, "10.00", false);
        check("010.5", MONEY, "10.50", false);
        check(".5", MONEY, "0.50", false);
        check("0", MONEY, "0.00", false);
        check("2.675", MONEY, "2.68", true);
        check("2.6750000000000000000000001", MONEY, "2.68", true);
        check("1.2500", MONEY, "1.25", false);
        check("9999999999999.99", MONEY, "9999999999999.99", false);
        check("-0.001", MONEY, "0.00", true);
        check("-1.5", MONEY, "-1.50", false);
        check("1e3", MONEY, "1000.00", false);
        check("1.5E-1", MONEY, "0.15", false);
        check("-2.675", MONEY, "-2.68", true);
        check("5.", MONEY, "5.00", false);
        check("-05.25", MONEY, "-5.25", false);
        check("7.", DecimalPlaces { least: 0, most: 0 }, "7", false);
        check("7", DecimalPlaces { least: 0, most: 0 }, "7", false);
        check("7", DecimalPlaces { least: 4, most: 4 }, "7.0000", false);
        check("0.125", DecimalPlaces { least: 4, most: 4 }, "0.1250", false);
        check("3.3333333333", PRICE, "3.3333333333", false);
        check("3.3000000000", PRICE, "3.30", false);
        check("3", PRICE, "3.00", false);
        check("3.125", PRICE, "3.125", false);
        check("3.1250", PRICE, "3.125", false);
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in ["", "-", ".", "abc", "1,50", "1.2.3", "1 000", "+1e", "NaN", "1e99"] {
            assert!(read(text, MONEY, &mut String::new()).is_none(), "{text}");
            assert!(missing_suffix(text, MONEY).is_none(), "{text}");
        }
    }

    #[test]
    fn writes_sums() {
        for (sum, expected) in [(15_000, "1.5000"), (-1, "-0.0001"), (0, "0.0000")] {
            assert_eq!(from_ten_thousandths(sum), expected);
        }
    }

    #[test]
    fn counts_ten_thousandths() {
        for (text, expected) in [("1.5", 15_000), ("0.0001", 1), ("-2", -20_000), ("1.23456", 12_346)] {
            let decimals = DecimalPlaces { least: 4, most: 4 };
            let mut scratch = String::new();
            assert_eq!(read(text, decimals, &mut scratch).unwrap().ten_thousandths(), expected, "{text}");
        }
    }
}
