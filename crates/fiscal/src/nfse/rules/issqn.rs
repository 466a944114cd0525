//! Taxation of the service: exports by their scenario, immunity, suspension, benefits, withholding.

use super::case::{DONE, DONE_ABROAD, DpsCase, ISSQN, RETENTION};
use super::{NfseRule, rule};
use crate::nfse::incidence::{Incidence, NOT_TAXED};

const RESULT: &str = "valores/trib/tribMun/cPaisResult";
const IMMUNITY: &str = "valores/trib/tribMun/tpImunidade";
const SUSPENDED: &str = "valores/trib/tribMun/exigSusp";
const BENEFIT: &str = "valores/trib/tribMun/BM";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0529", ISSQN, |case| case.is(ISSQN, "3") && case.has(DONE) && is_of_brazil(case)),
    rule("E0530", ISSQN, |case| case.is_taxable() && case.has(DONE_ABROAD) && is_of_elsewhere(case)),
    rule("E0532", ISSQN, |case| case.cTribNac() == NOT_TAXED && !case.is(ISSQN, "4")),
    rule("E0533", BENEFIT, |case| case.has(BENEFIT) && !case.is_taxable()),
    rule("E0534", BENEFIT, |case| case.has(BENEFIT) && case.is_mei()),
    rule("E0535", BENEFIT, |case| case.has(BENEFIT) && case.has_special_regime()),
    rule("E0580", RETENTION, |case| case.is_withheld() && !case.is_taxable()),
    rule("E0583", RETENTION, |case| case.is_withheld() && case.is_mei()),
    rule("E0585", SUSPENDED, |case| case.has(SUSPENDED) && !case.is_taxable()),
    rule("E0588", RETENTION, |case| case.is_withheld() && case.has_special_regime()),
    rule("E0590", RESULT, |case| !case.has(RESULT) && has_its_result_abroad(case) == Some(true)),
    rule("E0591", RESULT, |case| case.has(RESULT) && has_its_result_abroad(case) == Some(false)),
    rule("E0592", IMMUNITY, |case| case.has(IMMUNITY) != case.is(ISSQN, "2")),
    rule("E0593", IMMUNITY, |case| case.is(IMMUNITY, "0")),
    rule("E0596", RETENTION, |case| case.is_withheld() && case.cTribNac() == "220101"),
];

/// True in scenarios 6, 10, 34, 38, 66 and 80: performed in Brazil and due there, or to a tomador in Brazil.
fn is_of_brazil(case: &DpsCase<'_>) -> bool {
    match case.incidence() {
        Some(Incidence::WhereDone) => true,
        Some(Incidence::Tomador) => case.has("toma/end/endNac"),
        Some(Incidence::Prestador) | None => false,
    }
}

/// True in scenarios 26, 54, 92, 96, 106 and 110: performed abroad and due there, or at a tomador abroad.
fn is_of_elsewhere(case: &DpsCase<'_>) -> bool {
    match case.incidence() {
        Some(Incidence::WhereDone) => true,
        Some(Incidence::Tomador) => case.has("toma/end/endExt"),
        Some(Incidence::Prestador) | None => false,
    }
}

/// True in scenarios 2, 30, 58, 62, 72 and 76: exported and performed in Brazil, so that only the result is abroad.
/// `None` where the lists disagree about the service.
fn has_its_result_abroad(case: &DpsCase<'_>) -> Option<bool> {
    if !case.is(ISSQN, "3") || case.has(DONE_ABROAD) {
        return Some(false);
    }
    match case.incidence()? {
        Incidence::WhereDone => Some(false),
        Incidence::Tomador => Some(!case.has("toma/end/endNac")),
        Incidence::Prestador => Some(true),
    }
}
