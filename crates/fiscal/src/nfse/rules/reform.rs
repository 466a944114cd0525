//! IBS and CBS of a DPS: operation, addressee, real estate, classification.

use super::case::{DONE, DONE_ABROAD, DpsCase, has_wrong_digit, has_wrong_document, is_no_email};
use super::parties::has_unknown_city;
use super::works::is_construction;
use super::{NfseRule, rule, within};
use crate::reference::cindop;
use crate::reference::ibscbs::{self, ClassTrib, class, cst};

const GROUP: &str = "IBSCBS";
const OPERATION: &str = "IBSCBS/tpOper";
const REFERENCES: &str = "IBSCBS/gRefNFSe";
const ESTATE: &str = "IBSCBS/imovel";
const ESTATE_ABROAD: &str = "IBSCBS/imovel/end/endExt";
const CST: &str = "IBSCBS/valores/trib/gIBSCBS/CST";
const CLASS: &str = "IBSCBS/valores/trib/gIBSCBS/cClassTrib";
const REGULAR: &str = "IBSCBS/valores/trib/gIBSCBS/gTribRegular";
const REGULAR_CST: &str = "IBSCBS/valores/trib/gIBSCBS/gTribRegular/CSTReg";
const REGULAR_CLASS: &str = "IBSCBS/valores/trib/gIBSCBS/gTribRegular/cClassTribReg";
const DEFERRED: &str = "IBSCBS/valores/trib/gIBSCBS/gDif";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0850", GROUP, |case| case.has(GROUP) && case.text("dCompet") < "2026-01-01"),
    rule("E0854", GROUP, |case| case.has(GROUP) && case.dps.attribute("versao").is_some_and(|versao| versao < "1.01")),
    rule("E0901", "IBSCBS/cIndOp", |case| case.inf.text_at("IBSCBS/cIndOp").is_some_and(is_no_indicator)),
    rule("E0903", OPERATION, |case| case.has(GROUP) && is_of_an_operation(case) && !case.has(OPERATION)),
    rule("E0904", OPERATION, |case| case.has(OPERATION) && !is_of_an_operation(case)),
    rule("E0905", REFERENCES, |case| refers(case) && !case.has(REFERENCES)),
    rule("E0906", REFERENCES, |case| !refers(case) && case.has(REFERENCES)),
    within("E0907", REFERENCES, |case| {
        let mut keys = case.each(REFERENCES, "refNFSe");
        keys.find(|(_, chave)| has_wrong_digit(chave.text())).map(|(path, _)| path)
    }),
    rule("E0910", "IBSCBS/dest", |case| case.has("IBSCBS/dest") && case.is("IBSCBS/indDest", "0")),
    rule("E0911", "IBSCBS/dest/CNPJ", |case| has_wrong_document(case.inf.at("IBSCBS/dest"), "CNPJ")),
    rule("E0913", "IBSCBS/dest/CPF", |case| has_wrong_document(case.inf.at("IBSCBS/dest"), "CPF")),
    rule("E0920", "IBSCBS/dest/end/endNac/cMun", |case| has_unknown_city(case.inf.at("IBSCBS/dest"))),
    rule("E0928", ESTATE, |case| case.has(ESTATE) && !is_construction(case) && !is_of_real_estate(case)),
    rule("E0930", "IBSCBS/dest/email", |case| case.inf.text_at("IBSCBS/dest/email").is_some_and(is_no_email)),
    rule("E0931", ESTATE, |case| case.has(ESTATE) && is_construction(case)),
    rule("E0932", ESTATE, |case| !case.has(ESTATE) && !is_construction(case) && is_of_real_estate(case)),
    rule("E0934", ESTATE_ABROAD, |case| {
        case.has(DONE_ABROAD) && case.has("IBSCBS/imovel/end") && !case.has(ESTATE_ABROAD)
    }),
    rule("E0935", ESTATE_ABROAD, |case| case.has(DONE) && case.has(ESTATE_ABROAD)),
    rule("E0958", CLASS, |case| case.inf.text_at(CLASS).is_some_and(|code| !ibscbs::nfse::allows_class(code))),
    rule("E0959", CLASS, |case| case.has(CLASS) && case.text(CLASS).get(..3) != Some(case.text(CST))),
    rule("E0964", REGULAR, |case| case.has(REGULAR) && asks_for_the_regular(case) == Some(false)),
    rule("E0965", REGULAR, |case| !case.has(REGULAR) && asks_for_the_regular(case) == Some(true)),
    rule("E0969", REGULAR_CLASS, |case| {
        case.inf.text_at(REGULAR_CLASS).is_some_and(|code| !ibscbs::nfse::allows_class(code))
    }),
    rule("E0970", REGULAR_CLASS, |case| {
        case.has(REGULAR_CLASS) && case.text(REGULAR_CLASS).get(..3) != Some(case.text(REGULAR_CST))
    }),
    rule("E0971", DEFERRED, |case| case.has(DEFERRED) && is_deferred(case) == Some(false)),
    rule("E0972", DEFERRED, |case| !case.has(DEFERRED) && is_deferred(case) == Some(true)),
];

/// Items of LC 116 that require the operation: 10.05, 15.09, 17.12, 25.05.
const OF_AN_OPERATION: [&str; 4] = ["1005", "1509", "1712", "2505"];
/// `cIndOp` of operations with real estate.
const OF_REAL_ESTATE: [&str; 3] = ["020101", "020201", "020301"];

/// Codes named by E0187 or by the annex of services, but absent from the table of indicators: they lead to no refusal.
const DISPUTED: [&str; 3] = ["030103", "050103", "050104"];

fn is_no_indicator(cIndOp: &str) -> bool {
    cindop::find(cIndOp).is_none() && !DISPUTED.contains(&cIndOp)
}

fn is_of_an_operation(case: &DpsCase<'_>) -> bool {
    let item = case.cTribNac().get(..4).unwrap_or_default();
    case.has("IBSCBS/tpEnteGov") || OF_AN_OPERATION.contains(&item)
}

fn is_of_real_estate(case: &DpsCase<'_>) -> bool {
    OF_REAL_ESTATE.contains(&case.text("IBSCBS/cIndOp"))
}

/// True for an operation paid, or supplied, before or after another NFS-e.
fn refers(case: &DpsCase<'_>) -> bool {
    matches!(case.text(OPERATION), "2" | "3")
}

fn class_of(case: &DpsCase<'_>) -> Option<&'static ClassTrib> {
    ibscbs::find_class(case.text(CLASS), case.date("dCompet")?)
}

fn asks_for_the_regular(case: &DpsCase<'_>) -> Option<bool> {
    class_of(case).map(|row| row.has(class::REGULAR))
}

fn is_deferred(case: &DpsCase<'_>) -> Option<bool> {
    ibscbs::find_cst(case.text(CST), case.date("dCompet")?).map(|row| row.has(cst::DIFERE))
}
