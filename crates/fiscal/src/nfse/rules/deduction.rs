//! Deductions of the base of the ISSQN, and the documents that prove them.

use super::case::{DpsCase, SERVICE, has_wrong_digit, has_wrong_document, is_unknown_city};
use super::parties::{has_cep_of_elsewhere, has_no_country, has_unknown_city, is_abroad_without_number};
use super::{NfseRule, rule, within};
use crate::value::{ChaveAcesso, amount};
use crate::xml::Element;
use rust_decimal::Decimal;

const GROUP: &str = "valores/vDedRed";
const SHARE: &str = "valores/vDedRed/pDR";
const DOCUMENTS: &str = "valores/vDedRed/documentos";

#[rustfmt::skip]
pub(super) const RULES: &[NfseRule] = &[
    rule("E0435", GROUP, |case| case.has(GROUP) && !case.is_taxable()),
    rule("E0436", GROUP, |case| case.has(GROUP) && case.is_mei()),
    rule("E0438", GROUP, |case| case.has(GROUP) && case.has_special_regime()),
    rule("E0441", GROUP, |case| is_outside_of_the_list(case) && case.is_active() != Some(false)),
    rule("E0442", GROUP, |case| is_outside_of_the_list(case) && case.is_active() == Some(false)),
    rule("E0453", SHARE, |case| {
        case.number(SHARE).is_some_and(|share| share <= Decimal::ZERO || share > Decimal::ONE_HUNDRED)
    }),
    within("E0455", DOCUMENTS, |case| document(case, "chNFSe", |one, _| one.text_at("chNFSe").is_some_and(has_wrong_digit))),
    within("E0460", DOCUMENTS, |case| {
        document(case, "chNFe", |one, _| one.text_at("chNFe").is_some_and(|chave| ChaveAcesso::parse(chave).is_err()))
    }),
    within("E0466", DOCUMENTS, |case| {
        document(case, "NFSeMun/cMunNFSeMun", |one, _| one.text_at("NFSeMun/cMunNFSeMun").is_some_and(is_unknown_city))
    }),
    within("E0468", DOCUMENTS, |case| {
        document(case, "xDescOutDed", |one, _| is_other(one) && one.child("xDescOutDed").is_none())
    }),
    within("E0470", DOCUMENTS, |case| {
        document(case, "xDescOutDed", |one, _| !is_other(one) && one.child("xDescOutDed").is_some())
    }),
    within("E0472", DOCUMENTS, |case| {
        document(case, "dtEmiDoc", |one, case| one.text_at("dtEmiDoc").unwrap_or_default() > case.text("dCompet"))
    }),
    within("E0474", DOCUMENTS, |case| {
        document(case, "vDeducaoReducao", |one, _| number(one, "vDeducaoReducao") > number(one, "vDedutivelRedutivel"))
    }),
    within("E0476", DOCUMENTS, |case| {
        document(case, "vDeducaoReducao", |one, case| number(one, "vDeducaoReducao") > case.money(SERVICE))
    }),
    within("E0477", DOCUMENTS, |case| {
        let is_national = |one: &Element| one.child("chNFSe").is_some() || one.child("chNFe").is_some();
        document(case, "fornec", |one, _| !is_national(one) && one.child("fornec").is_none())
    }),
    within("E0478", DOCUMENTS, |case| supplier(case, "CNPJ", |party| has_wrong_document(Some(party), "CNPJ"))),
    within("E0484", DOCUMENTS, |case| supplier(case, "CPF", |party| has_wrong_document(Some(party), "CPF"))),
    within("E0490", DOCUMENTS, |case| supplier(case, "cNaoNIF", |party| party.text_at("cNaoNIF") == Some("0"))),
    within("E0492", DOCUMENTS, |case| {
        supplier(case, "end/endNac", |party| super::case::document_of(party).is_some() && party.at("end/endNac").is_none())
    }),
    within("E0494", DOCUMENTS, |case| supplier(case, "end/endNac/cMun", |party| has_unknown_city(Some(party)))),
    within("E0496", DOCUMENTS, |case| supplier(case, "end/endNac/CEP", |party| has_cep_of_elsewhere(Some(party)))),
    within("E0498", DOCUMENTS, |case| {
        supplier(case, "end/endExt", |party| party.child("NIF").is_some() && party.at("end/endExt").is_none())
    }),
    within("E0499", DOCUMENTS, |case| supplier(case, "end/endExt/cPais", |party| has_no_country(Some(party)))),
    within("E1538", DOCUMENTS, |case| supplier(case, "NIF", |party| is_abroad_without_number(Some(party)))),
];

/// Returns the path of a field in the first wrong document.
fn document(case: &DpsCase<'_>, field: &str, is_wrong: impl Fn(&Element, &DpsCase<'_>) -> bool) -> Option<String> {
    let mut documents = case.each(DOCUMENTS, "docDedRed");
    documents.find(|(_, one)| is_wrong(one, case)).map(|(path, _)| format!("{path}/{field}"))
}

/// Returns the path of a field of the first wrong supplier.
fn supplier(case: &DpsCase<'_>, field: &str, is_wrong: fn(&Element) -> bool) -> Option<String> {
    let mut documents = case.each(DOCUMENTS, "docDedRed");
    let found = documents.find(|(_, one)| one.child("fornec").is_some_and(is_wrong))?;
    Some(format!("{}/fornec/{field}", found.0))
}

/// True for other deductions, which require a description.
fn is_other(document: &Element) -> bool {
    document.text_at("tpDedRed") == Some("99")
}

fn number(document: &Element, tag: &str) -> Decimal {
    document.text_at(tag).and_then(amount).unwrap_or_default()
}

/// True for deductions of a company that pays within the Simples, for a service that has none there.
fn is_outside_of_the_list(case: &DpsCase<'_>) -> bool {
    case.has(GROUP) && case.is_inside() && DEDUCTIBLE.binary_search(&case.cTribNac()).is_err()
}

/// True for a service without the minimum of two per cent (LC 116, art. 8-A): services with deductions within the
/// Simples except works of art, and transport.
pub(in crate::nfse) fn has_no_floor(cTribNac: &str) -> bool {
    let is_listed = DEDUCTIBLE.binary_search(&cTribNac).is_ok() && !cTribNac.starts_with("06");
    is_listed || ["160101", "160102", "160103", "160104"].contains(&cTribNac)
}

/// Services with deductions within the Simples.
#[rustfmt::skip]
static DEDUCTIBLE: [&str; 49] = [
    "042201", "042301", "050901", "060101", "060201", "070201", "070202", "070501", "070502", "090201", "090202", "100101", "100102",
    "100103", "100104", "100105", "100201", "100202", "100301", "100401", "100402", "100403", "100501", "100502", "100601", "100701",
    "100801", "100901", "101001", "150101", "150102", "150103", "150104", "150105", "151001", "151002", "151003", "151004", "151005",
    "160201", "170501", "170601", "171001", "171002", "171101", "171102", "171201", "210101", "250301",
];
