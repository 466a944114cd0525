//! Rules about `infCTeSupl/qrCodCTe`.
//!
//! Law: MOC CT-e 4.00 visão geral, 9.2; rules G212 to G216 (G217 needs the signer's key); NT 2026.004: signed offline
//! (tpEmis 2) only.

use super::case::CteCase;
use super::{CteFinding, CteRule, both, breach_if};
use crate::cte::qr;
use crate::xml::Element;

pub(super) const RULES: &[CteRule] = &[
    both("G212", "H128", 850, "infCTeSupl", |case| breach_if(case.facts.finished && code(case).is_none())),
    both("G213", "H129", 851, "infCTeSupl", another_site),
    both("G214", "H130", 852, "infCTeSupl", |case| {
        breach_if(code(case).is_some() && parameter(case, "chCTe") != Some(case.chave))
    }),
    both("G215", "H131", 853, "infCTeSupl", |case| {
        breach_if(case.facts.finished && case.is_offline() && parameter(case, "sign").is_none())
    }),
    both("G216", "H132", 854, "infCTeSupl", |case| breach_if(!case.is_offline() && parameter(case, "sign").is_some())),
];

fn code<'c>(case: &CteCase<'c>) -> Option<&'c str> {
    code_of(case.document)
}

fn code_of(document: &Element) -> Option<&str> {
    document.text_at("infCTeSupl/qrCodCTe")
}

fn parameter<'c>(case: &CteCase<'c>, name: &str) -> Option<&'c str> {
    parameter_of(case.document, name)
}

/// A parameter of the code.
pub fn parameter_of<'d>(document: &'d Element, name: &str) -> Option<&'d str> {
    let (_, query) = code_of(document)?.split_once('?')?;
    query.split('&').filter_map(|pair| pair.split_once('=')).find(|(known, _)| *known == name).map(|(_, value)| value)
}

fn another_site(case: &CteCase<'_>) -> Option<CteFinding> {
    let site = code(case)?.split('?').next()?;
    let expected = qr::address(case.key_uf()?, case.facts.ambiente);
    breach_if(!site.eq_ignore_ascii_case(expected))
}
