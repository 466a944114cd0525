//! Documents of amounts passed on, reimbursed or repaid, which reduce the bases of IBS and CBS.

use super::case::{DpsCase, SERVICE, has_wrong_document, is_unknown_city};
use super::{NfseRule, within};
use crate::value::amount;
use crate::xml::Element;

const GROUP: &str = "IBSCBS/valores/gReeRepRes";

pub(super) const RULES: &[NfseRule] = &[
    within("E0940", GROUP, |case| document(case, "dFeNacional/chaveDFe", |one, _| has_key_of_another_length(one))),
    within("E0942", GROUP, |case| {
        let is_late = |one: &Element| one.text_at("dtCompDoc").unwrap_or_default() > LAST_OF_OTHERS;
        document(case, "docFiscalOutro", move |one, _| one.child("docFiscalOutro").is_some() && is_late(one))
    }),
    within("E0943", GROUP, |case| {
        let field = "docFiscalOutro/cMunDocFiscal";
        document(case, field, move |one, _| one.text_at(field).is_some_and(is_unknown_city))
    }),
    within("E0945", GROUP, |case| {
        document(case, "fornec/CNPJ", |one, _| has_wrong_document(one.child("fornec"), "CNPJ"))
    }),
    within("E0947", GROUP, |case| {
        document(case, "fornec/CPF", |one, _| has_wrong_document(one.child("fornec"), "CPF"))
    }),
    within("E0950", GROUP, |case| document(case, "dtEmiDoc", |one, _| is_issued_too_early(one))),
    within("E0951", GROUP, |case| document(case, "dtCompDoc", |one, _| is_issued_too_early(one))),
    within("E0952", GROUP, |case| {
        let is_other = |one: &Element| one.text_at("tpReeRepRes") == Some("99");
        document(case, "xTpReeRepRes", move |one, _| one.child("xTpReeRepRes").is_some() && !is_other(one))
    }),
    within("E0953", GROUP, |case| {
        document(case, "vlrReeRepRes", |one, case| {
            one.text_at("vlrReeRepRes").and_then(amount).unwrap_or_default() > case.money(SERVICE)
        })
    }),
];

/// Last competence of documents that are not national.
const LAST_OF_OTHERS: &str = "2025-12-31";

/// Returns the path of a field in the first wrong document.
fn document(case: &DpsCase<'_>, field: &str, is_wrong: impl Fn(&Element, &DpsCase<'_>) -> bool) -> Option<String> {
    let mut documents = case.each(GROUP, "documentos");
    documents.find(|(_, one)| is_wrong(one, case)).map(|(path, _)| format!("{path}/{field}"))
}

/// True for a key of the wrong length: fifty characters for an NFS-e, forty-four for an NF-e or CT-e.
fn has_key_of_another_length(document: &Element) -> bool {
    let length = document.text_at("dFeNacional/chaveDFe").unwrap_or_default().chars().count();
    match document.text_at("dFeNacional/tipoChaveDFe") {
        Some("1") => length != 50,
        Some("2" | "3") => length != 44,
        _ => false,
    }
}

fn is_issued_too_early(document: &Element) -> bool {
    document.text_at("dtEmiDoc").unwrap_or_default() < document.text_at("dtCompDoc").unwrap_or_default()
}
