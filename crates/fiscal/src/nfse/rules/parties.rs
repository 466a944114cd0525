//! Tomador and intermediário.

use super::case::{DpsCase, RETENTION, has_wrong_document, is_elsewhere, is_no_email, is_unknown_city};
use super::{NfseRule, rule};
use crate::nfse::incidence::Incidence;
use crate::reference::iso3166;
use crate::xml::Element;

pub(super) const RULES: &[NfseRule] = &[
    rule("E0187", "toma", |case| is_of_a_place_of_the_tomador(case) && !case.has("toma")),
    rule("E0188", "toma/CNPJ", |case| has_wrong_document(case.inf.child("toma"), "CNPJ")),
    rule("E0202", "toma/CNPJ", |case| case.has("toma/CNPJ") && case.text("toma/CNPJ") == case.text("prest/CNPJ")),
    rule("E0204", "toma", |case| case.is(RETENTION, "2") && is_without_document(case, "toma")),
    rule("E0206", "toma/CPF", |case| has_wrong_document(case.inf.child("toma"), "CPF")),
    rule("E0223", "toma/NIF", |case| is_abroad_without_number(case.inf.child("toma"))),
    rule("E0226", "toma/cNaoNIF", |case| case.is("toma/cNaoNIF", "0")),
    rule("E0234", "toma/end", |case| {
        let is_his = case.incidence() == Some(Incidence::Tomador) || is_of_a_place_of_the_tomador(case);
        is_his && !case.has("toma/end")
    }),
    rule("E0237", "toma/end/endNac", |case| case.is(RETENTION, "2") && !case.has("toma/end/endNac")),
    rule("E0238", "toma/end/endNac/cMun", |case| has_unknown_city(case.inf.child("toma"))),
    rule("E0240", "toma/end/endNac/CEP", |case| has_cep_of_elsewhere(case.inf.child("toma"))),
    rule("E0242", "toma/end/endExt", |case| case.has("prest/CNPJ") && is_foreign_without_address(case, "toma")),
    rule("E0246", "toma/end/endExt/cPais", |case| has_no_country(case.inf.child("toma"))),
    rule("E0247", "toma/email", |case| case.inf.text_at("toma/email").is_some_and(is_no_email)),
    rule("E0248", "interm/CNPJ", |case| has_wrong_document(case.inf.child("interm"), "CNPJ")),
    rule("E0262", "interm/CNPJ", |case| {
        let root = |path: &str| case.inf.text_at(path).and_then(|number| number.get(..8));
        root("interm/CNPJ").is_some_and(|base| root("prest/CNPJ") == Some(base))
    }),
    rule("E0264", "interm", |case| case.is(RETENTION, "3") && is_without_document(case, "interm")),
    rule("E0266", "interm/CPF", |case| has_wrong_document(case.inf.child("interm"), "CPF")),
    rule("E0281", "interm/NIF", |case| is_abroad_without_number(case.inf.child("interm"))),
    rule("E0286", "interm/cNaoNIF", |case| case.is("interm/cNaoNIF", "0")),
    rule("E0293", "interm/end/endNac", |case| case.is(RETENTION, "3") && !case.has("interm/end/endNac")),
    rule("E0294", "interm/end/endNac/cMun", |case| has_unknown_city(case.inf.child("interm"))),
    rule("E0296", "interm/end/endNac/CEP", |case| has_cep_of_elsewhere(case.inf.child("interm"))),
    rule("E0298", "interm/end/endExt", |case| case.has("prest/CNPJ") && is_foreign_without_address(case, "interm")),
    rule("E0299", "interm/end/endExt/cPais", |case| has_no_country(case.inf.child("interm"))),
    rule("E0300", "interm/email", |case| case.inf.text_at("interm/email").is_some_and(is_no_email)),
];

/// `cIndOp` of operations that take place at the tomador's.
#[rustfmt::skip]
static OF_THE_TOMADOR: [&str; 13] = [
    "030102", "030103", "050102", "050103", "100101", "100102", "100201", "100301", "100302", "100401", "100501", "100502", "100601",
];

fn is_of_a_place_of_the_tomador(case: &DpsCase<'_>) -> bool {
    OF_THE_TOMADOR.binary_search(&case.text("IBSCBS/cIndOp")).is_ok()
}

fn is_without_document(case: &DpsCase<'_>, party: &str) -> bool {
    !case.has(&format!("{party}/CNPJ")) && !case.has(&format!("{party}/CPF"))
}

pub(super) fn is_abroad_without_number(party: Option<&Element>) -> bool {
    party.is_some_and(|party| {
        party.at("end/endExt").is_some() && party.child("NIF").is_none() && party.child("cNaoNIF").is_none()
    })
}

fn is_foreign_without_address(case: &DpsCase<'_>, party: &str) -> bool {
    case.has(&format!("{party}/NIF")) && !case.has(&format!("{party}/end/endExt"))
}

/// True when a party's address has a `cMun` outside the table.
pub(super) fn has_unknown_city(party: Option<&Element>) -> bool {
    party.and_then(|party| party.text_at("end/endNac/cMun")).is_some_and(is_unknown_city)
}

/// True when a party's `CEP` does not belong to its município.
pub(super) fn has_cep_of_elsewhere(party: Option<&Element>) -> bool {
    let home = party.and_then(|party| party.at("end/endNac"));
    home.is_some_and(|home| {
        is_elsewhere(home.text_at("CEP").unwrap_or_default(), home.text_at("cMun").unwrap_or_default())
    })
}

/// True when a party's `cPais` is not the code of another country.
pub(super) fn has_no_country(party: Option<&Element>) -> bool {
    party.and_then(|party| party.text_at("end/endExt/cPais")).is_some_and(|code| !iso3166::is_abroad(code))
}
