//! Formats of the DANFSe: amounts with their currency sign, rates, masks, and a dash for an absent content.
//!
//! Law: NT 008, 2.4.5 (masks, limits, note 12). The currency sign of amounts and the two decimals of rates are our
//! reading: its only example is a total.

use crate::form::value;
use fiscal::value::{amount, municipio};
use rust_decimal::Decimal;

/// `R$ 1.234,56`; empty for an empty text.
pub(super) fn money(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("R$ {}", value::amount(text)) }
}

/// Sum of the non-empty texts; empty when all are, or when one is no number.
pub(super) fn sum(texts: &[&str]) -> String {
    let mut told = texts.iter().filter(|text| !text.is_empty()).peekable();
    if told.peek().is_none() {
        return String::new();
    }
    let sum = told.try_fold(Decimal::ZERO, |sum, text| sum.checked_add(amount(text)?));
    sum.map(|sum| money(&format!("{sum:.2}"))).unwrap_or_default()
}

/// Parts of a field with a dash for each empty one; empty when all are.
pub(super) fn join_with_dashes(parts: &[&str]) -> String {
    if parts.iter().all(|part| part.is_empty()) {
        return String::new();
    }
    parts.iter().map(|part| if part.is_empty() { "-" } else { part }).collect::<Vec<_>>().join(" / ")
}

/// Rates of a field with a dash for each empty one; empty when all are.
pub(super) fn rates(parts: &[&str]) -> String {
    let shown: Vec<String> = parts.iter().map(|part| value::rate(part)).collect();
    join_with_dashes(&shown.iter().map(String::as_str).collect::<Vec<_>>())
}

/// At most `limit` letters; a longer text ends with three dots within them.
pub(super) fn cut(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(3)).chain("...".chars()).collect()
}

/// Digits at the places `n` of a mask; a text of another length is returned unchanged.
pub(super) fn masked(text: &str, mask: &str) -> String {
    let places = mask.chars().filter(|sign| *sign == 'n').count();
    if !text.is_ascii() || text.len() != places {
        return text.to_owned();
    }
    let mut digits = text.chars();
    mask.chars().filter_map(|sign| if sign == 'n' { digits.next() } else { Some(sign) }).collect()
}

/// Name of a município by its code; empty for an unknown code.
pub(super) fn town(codigo: &str) -> &'static str {
    codigo.parse().ok().and_then(municipio::find).map(|found| found.nome).unwrap_or_default()
}

/// State of a município by its code.
pub(super) fn state(codigo: &str) -> &'static str {
    codigo.parse().ok().and_then(municipio::uf).map(|uf| uf.sigla()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_stands_for_what_is_missing_beside_something() {
        assert_eq!(join_with_dashes(&["010101", ""]), "010101 / -");
        assert_eq!(join_with_dashes(&["", ""]), "");
        assert_eq!(rates(&["0.10", "0", ""]), "0,10% / 0,00% / -");
    }

    #[test]
    fn sums_are_of_what_is_told() {
        assert_eq!(sum(&["465.00", "", "0.5"]), "R$ 465,50");
        assert_eq!(sum(&["0.00"]), "R$ 0,00");
        assert_eq!(sum(&["", ""]), "");
        assert_eq!(sum(&["1.00", "x"]), "");
        assert_eq!(money("1234.56"), "R$ 1.234,56");
    }

    #[test]
    fn texts_end_in_dots_beyond_their_limit() {
        assert_eq!(cut("çççççç", 6), "çççççç");
        assert_eq!(cut("ççççççç", 6), "ççç...");
    }

    #[test]
    fn masks_leave_alone_what_does_not_fit() {
        assert_eq!(masked("010101", "nn.nn.nn"), "01.01.01");
        assert_eq!(masked("115021000", "n.nnnn.nn.nn"), "1.1502.10.00");
        assert_eq!(masked("0101", "nn.nn.nn"), "0101");
    }

    #[test]
    fn towns_are_named_by_their_code() {
        assert_eq!((town("3550308"), state("3550308")), ("São Paulo", "SP"));
        assert_eq!((town(""), state("x"), town("9999999")), ("", "", ""));
    }
}
