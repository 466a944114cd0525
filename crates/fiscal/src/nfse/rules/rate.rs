//! Presence of the rate: one decision by regime, benefit and convênio of the município that the ISSQN is due to.
//!
//! Law: E0595 to E0640; the first matching row decides. With an unknown convênio, the refusals that do not depend on it
//! are reported as with an active one.

use super::case::DpsCase;
use super::{NfseRule, rule};
use crate::nfse::amounts::BenefitTerms;
use rust_decimal::Decimal;

const RATE: &str = "valores/trib/tribMun/pAliq";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0595", RATE, |case| case.number(RATE).is_some_and(|rate| rate > HIGHEST)),
    rule("E0600", RATE, |case| refusing_code(case) == Some("E0600")),
    rule("E0602", RATE, |case| refusing_code(case) == Some("E0602")),
    rule("E0604", RATE, |case| refusing_code(case) == Some("E0604")),
    rule("E0612", RATE, |case| refusing_code(case) == Some("E0612")),
    rule("E0617", RATE, |case| refusing_code(case) == Some("E0617")),
    rule("E0619", RATE, |case| refusing_code(case) == Some("E0619")),
    rule("E0621", RATE, |case| refusing_code(case) == Some("E0621")),
    rule("E0625", RATE, |case| refusing_code(case) == Some("E0625")),
    rule("E0628", RATE, |case| refusing_code(case) == Some("E0628")),
    rule("E0631", RATE, |case| refusing_code(case) == Some("E0631")),
    rule("E0635", RATE, |case| refusing_code(case) == Some("E0635")),
    rule("E0640", RATE, |case| refusing_code(case) == Some("E0640")),
];

/// Highest rate in per cent (LC 116, art. 8).
const HIGHEST: Decimal = Decimal::from_parts(5, 0, 0, false, 0);
/// Lowest rate in per cent of a provider of the Simples whose ISSQN is withheld.
const LOWEST_IN_SIMPLES: Decimal = Decimal::from_parts(180, 0, 0, false, 2);

/// Returns the code that refuses the stated rate, or its absence.
fn refusing_code(case: &DpsCase<'_>) -> Option<&'static str> {
    let rate = case.number(RATE);
    let forbidden = |codigo: &'static str| rate.is_some().then_some(codigo);
    let needed = |codigo: &'static str| rate.is_none().then_some(codigo);
    let needed_from = |codigo: &'static str| rate.is_none_or(|rate| rate < LOWEST_IN_SIMPLES).then_some(codigo);
    if case.is_mei() {
        return forbidden("E0600");
    }
    if !case.is_taxable() {
        return forbidden("E0602");
    }
    if case.has_special_regime() {
        return forbidden("E0604");
    }
    match case.benefit() {
        Some(BenefitTerms::EXEMPTION | BenefitTerms::RATE) => return forbidden("E0612"),
        // the kind of the benefit decides, and only its município knows it
        None if case.has("valores/trib/tribMun/BM") => return None,
        _ => {}
    }
    match (case.is_outside(), case.is_inside(), case.is_active(), case.is_withheld()) {
        (true, _, Some(true), _) => forbidden("E0617"),
        (true, _, Some(false), _) => needed("E0619"),
        (false, true, Some(false), true) => needed_from("E0628"),
        (false, true, Some(false), false) => forbidden("E0631"),
        (false, true, _, true) => needed_from("E0621"),
        (false, true, _, false) => forbidden("E0625"),
        (false, false, Some(true), _) => forbidden("E0635"),
        (false, false, Some(false), _) => needed("E0640"),
        (_, _, None, _) => None,
    }
}
