//! The number of an operation with immune paper (RECOPI NACIONAL).
//!
//! Law: MOC 7.0 visão geral 8.5 (its digits) and anexo I, LB01-30.

use super::items::each;
use super::nfe_view::{NfeView, optional_text};
use super::{BrokenField, NfeRuleContext};
use jiff::civil::{Date, DateTime};

/// LB01-30.
pub(super) fn number_is_right(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut Vec<BrokenField>) {
    each(note, found, "prod/nRECOPI", |item| {
        item.prod.nRECOPI.is_some() && !is_right(optional_text(item.prod.nRECOPI), facts.today())
    });
}

/// Checks `aaaammddHHMMSSffffDD`: the registration, since 2013 and not after this month, and two check digits.
fn is_right(number: &str, today: Date) -> bool {
    let digits: Option<Vec<u32>> = number.chars().map(|digit| digit.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == 20) else { return false };
    let at = |from: usize, to: usize| digits[from..to].iter().fold(0, |sum, digit| sum * 10 + digit);
    let part = |from, to| i8::try_from(at(from, to)).ok();
    let registered = || {
        let year = i16::try_from(at(0, 4)).ok()?;
        DateTime::new(year, part(4, 6)?, part(6, 8)?, part(8, 10)?, part(10, 12)?, part(12, 14)?, 0).ok()
    };
    let in_time = registered().is_some_and(|moment| {
        moment.year() >= 2013 && (moment.year(), moment.month()) <= (today.year(), today.month())
    });
    in_time && digits[18] == check(&digits[..18]) && digits[19] == check(&digits[..19])
}

/// Modulo 11, weights 1, 2, 3… from the right.
fn check(digits: &[u32]) -> u32 {
    let rest = digits.iter().rev().zip(1..).map(|(digit, weight)| digit * weight).sum::<u32>() % 11;
    if rest < 2 { 0 } else { 11 - rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn the_manuals_example_is_right_and_nothing_near_it() {
        let today = date(2026, 11, 20);
        assert!(is_right("20131106114609734393", today));
        for wrong in ["20131106114609734394", "20131106114609734383", "2013110611460973439", "2013110611460973439X", ""]
        {
            assert!(!is_right(wrong, today), "{wrong}");
        }
        assert!(is_right("20131106114609734393", date(2013, 11, 1)));
        assert!(!is_right("20131106114609734393", date(2013, 10, 31)));
    }

    #[test]
    fn a_moment_that_never_was_is_none() {
        let number = |moment: &str| {
            let digits: Vec<u32> = moment.chars().filter_map(|digit| digit.to_digit(10)).collect();
            let first = check(&digits);
            format!("{moment}{first}{}", check(&[digits.as_slice(), &[first]].concat()))
        };
        let today = date(2026, 11, 20);
        assert!(is_right(&number("202610311030590000"), today));
        for never in [
            "201210311030590000",
            "202613311030590000",
            "202602301030590000",
            "202610312430590000",
            "202612011030590000",
        ] {
            assert!(!is_right(&number(never), today), "{never}");
        }
    }
}
