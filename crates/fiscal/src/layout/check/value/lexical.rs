//! Lexical forms of the built-in types.
//!
//! Law: XML Schema 1.0 part 2, 3.2 and 3.3.

use std::cmp::Ordering;

use crate::layout::schema::Base;

/// 3.2.3.
pub(super) fn is_decimal(value: &str) -> bool {
    let unsigned = value.strip_prefix(['+', '-']).unwrap_or(value);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    whole.len() + fraction.len() > 0 && all_digits(whole) && all_digits(fraction)
}

/// The sign of a whole number (-1, 0, 1), when it is one.
pub(super) fn integer(value: &str) -> Option<i8> {
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, value.strip_prefix('+').unwrap_or(value)),
    };
    let right = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    right.then(|| if digits.bytes().all(|byte| byte == b'0') { 0 } else { sign })
}

pub(super) fn is_unsigned_short(value: &str) -> bool {
    integer(value).is_some_and(|sign| sign >= 0) && compare_integers(value, "65535") != Ordering::Greater
}

/// A whole number between two others.
pub(super) fn is_within(value: &str, least: &str, most: &str) -> bool {
    integer(value).is_some()
        && compare_integers(value, least) != Ordering::Less
        && compare_integers(value, most) != Ordering::Greater
}

fn compare_integers(a: &str, b: &str) -> Ordering {
    let magnitude = |text: &str| text.trim_start_matches(['+', '-', '0']).to_owned();
    let sign = |text: &str| integer(text).unwrap_or(0);
    sign(a).cmp(&sign(b)).then_with(|| {
        let (a_digits, b_digits) = (magnitude(a), magnitude(b));
        let order = a_digits.len().cmp(&b_digits.len()).then_with(|| a_digits.cmp(&b_digits));
        if sign(a) < 0 { order.reverse() } else { order }
    })
}

/// 3.2.3: any length, with or without a fraction. Other texts are refused before.
fn compare_decimals(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let unsigned = text.trim_start_matches(['+', '-']);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let parts = (whole.trim_start_matches('0').to_owned(), fraction.trim_end_matches('0').to_owned());
        let is_zero = parts.0.is_empty() && parts.1.is_empty();
        (
            if is_zero {
                0
            } else if text.starts_with('-') {
                -1
            } else {
                1
            },
            parts,
        )
    };
    let ((a_sign, (a_whole, a_fraction)), (b_sign, (b_whole, b_fraction))) = (parts(a), parts(b));
    a_sign.cmp(&b_sign).then_with(|| {
        let order = a_whole.len().cmp(&b_whole.len()).then(a_whole.cmp(&b_whole)).then(a_fraction.cmp(&b_fraction));
        if a_sign < 0 { order.reverse() } else { order }
    })
}

/// Whole and fractional digits, without leading and trailing zeros.
pub(super) fn digits(value: &str) -> (usize, usize) {
    let unsigned = value.trim_start_matches(['+', '-']);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    (whole.trim_start_matches('0').len(), fraction.trim_end_matches('0').len())
}

/// True when `value` ≥ `bound` in the order of the type.
pub(super) fn at_least(base: Base, value: &str, bound: &str) -> bool {
    match base {
        Base::GYearMonth => match (year_month(value), year_month(bound)) {
            // with a time zone on one side only, the same month is neither before nor after
            (Some(a), Some(b)) => (a.month > b.month) || (a.month == b.month && a.zoned == b.zoned),
            _ => false,
        },
        Base::Decimal => compare_decimals(value, bound) != Ordering::Less,
        _ => compare_integers(value, bound) != Ordering::Less,
    }
}

/// 3.2.9.
pub(super) fn is_date(value: &str) -> bool {
    DateCursor(value).date().and_then(DateCursor::zone).is_some()
}

/// 3.2.7.
pub(super) fn is_date_time(value: &str) -> bool {
    let read = || DateCursor(value).date()?.literal('T')?.time()?.zone();
    read().is_some()
}

/// 3.2.11.
pub(super) fn is_year(value: &str) -> bool {
    DateCursor(value).year().and_then(|(_, rest)| rest.zone()).is_some()
}

/// A month on the calendar.
pub(super) struct YearMonth {
    month: (i64, u32),
    zoned: bool,
}

/// 3.2.10.
pub(super) fn year_month(value: &str) -> Option<YearMonth> {
    let (year, rest) = DateCursor(value).year()?;
    let (month, rest) = rest.literal('-')?.two(1..=12)?;
    rest.zone().map(|zoned| YearMonth { month: (year, month), zoned })
}

/// The rest of a date or time being read.
struct DateCursor<'t>(&'t str);

impl<'t> DateCursor<'t> {
    fn literal(self, character: char) -> Option<DateCursor<'t>> {
        self.0.strip_prefix(character).map(DateCursor)
    }

    fn two(self, range: std::ops::RangeInclusive<u32>) -> Option<(u32, DateCursor<'t>)> {
        let (digits, rest) = self.0.split_at_checked(2)?;
        let right = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|number| right && range.contains(number))?;
        Some((number, DateCursor(rest)))
    }

    /// At least four digits, no superfluous zero, no year zero.
    fn year(self) -> Option<(i64, DateCursor<'t>)> {
        let unsigned = self.0.strip_prefix('-').unwrap_or(self.0);
        let length = unsigned.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = unsigned.split_at(length);
        let right = length >= 4 && (length == 4 || !digits.starts_with('0'));
        let year: i64 = digits.parse().ok().filter(|year| right && *year != 0)?;
        Some((if unsigned.len() == self.0.len() { year } else { -year }, DateCursor(rest)))
    }

    fn date(self) -> Option<DateCursor<'t>> {
        let (year, rest) = self.year()?;
        let (month, rest) = rest.literal('-')?.two(1..=12)?;
        let (_, rest) = rest.literal('-')?.two(1..=days(year, month))?;
        Some(rest)
    }

    fn time(self) -> Option<DateCursor<'t>> {
        let (hour, rest) = self.two(0..=24)?;
        let (minute, rest) = rest.literal(':')?.two(0..=59)?;
        let (second, rest) = rest.literal(':')?.two(0..=59)?;
        let (fraction, rest) = match rest.0.strip_prefix('.') {
            Some(fraction) => {
                let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
                if length == 0 {
                    return None;
                }
                fraction.split_at(length)
            }
            None => ("", rest.0),
        };
        let past_midnight = minute > 0 || second > 0 || fraction.bytes().any(|byte| byte != b'0');
        (hour < 24 || !past_midnight).then_some(DateCursor(rest))
    }

    /// The end, after an optional time zone; `true` when there is one.
    fn zone(self) -> Option<bool> {
        if self.0.is_empty() || self.0 == "Z" {
            return Some(!self.0.is_empty());
        }
        let (hour, rest) = DateCursor(self.0.strip_prefix(['+', '-'])?).two(0..=14)?;
        let (minute, rest) = rest.literal(':')?.two(0..=59)?;
        (rest.0.is_empty() && (hour < 14 || minute == 0)).then_some(true)
    }
}

fn days(year: i64, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// 3.2.16: number of encoded bytes. After collapsing, single blanks are allowed between characters.
pub(super) fn base64_length(value: &str) -> Option<usize> {
    let (mut count, mut padding, mut last) = (0_usize, 0_usize, b'A');
    for byte in value.bytes() {
        match byte {
            b' ' => {}
            b'=' => padding += 1,
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' if padding == 0 => (count, last) = (count + 1, byte),
            _ => return None,
        }
    }
    // the bits beyond the last byte must be zero
    let right = match (count % 4, padding) {
        (0, 0) => true,
        (3, 1) => b"AEIMQUYcgkosw048".contains(&last),
        (2, 2) => b"AQgw".contains(&last),
        _ => false,
    };
    right.then_some(count * 3 / 4)
}

/// 3.2.17, as read by libxml2: characters that RFC 2396 calls unwise count as escaped, the rest must be a URI
/// reference.
pub(super) fn is_any_uri(value: &str) -> bool {
    let (reference, fragment) = value.split_once('#').unwrap_or((value, ""));
    let (hierarchy, query) = reference.split_once('?').unwrap_or((reference, ""));
    let first = hierarchy.split('/').next().unwrap_or_default();
    let scheme_is_right = first.split_once(':').is_none_or(|(scheme, _)| {
        scheme.starts_with(|start: char| start.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.'))
    });
    // libxml2 accepts square brackets in a fragment
    scheme_is_right && [hierarchy, query, &fragment.replace(['[', ']'], "_")].into_iter().all(is_uri_text)
}

fn is_uri_text(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        b' ' | b'#' | b'[' | b']' => false,
        _ => true,
    })
}

/// 3.3.8: an NCName of XML 1.0 second edition, which has fewer letters than the fifth. No official document has an
/// identifier beyond ASCII, so its long tables are replaced by a bound: characters from U+2000 on, mostly symbols, are
/// refused.
pub(super) fn is_id(value: &str) -> bool {
    crate::xml::is_name(value) && value.chars().all(|character| character < '\u{2000}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_compared_with_their_fractions() {
        for (value, bound, expected) in [
            ("-1.00", "0", false),
            ("-0.01", "0", false),
            ("-0.00", "0", true),
            ("0.00", "0", true),
            ("0.01", "0", true),
            ("100.01", "100", true),
            ("100", "100.01", false),
            ("9.9", "10", false),
            ("-2", "-1.5", false),
            ("-1.5", "-2", true),
            ("+007.50", "7.5", true),
            ("0.5", "0.49", true),
        ] {
            assert_eq!(at_least(Base::Decimal, value, bound), expected, "{value} {bound}");
        }
    }
}
