//! Persons and companies that are in no register.

use super::{DpsFacts, RuleOutcome};
use crate::nfse::document_of;
use fiscal::xml::Element;

/// Parties, and the codes of an unknown CNPJ and of an unknown CPF.
const PARTIES: [(&str, [&str; 2]); 4] = [
    ("prest", ["E0082", "E0098"]),
    ("toma", ["E0190", "E0207"]),
    ("interm", ["E0250", "E0268"]),
    ("IBSCBS/dest", ["E0912", "E0914"]),
];

/// Suppliers in the documents of a deduction or refund, and the codes of an unknown CNPJ and of an unknown CPF.
const SUPPLIERS: [(&str, [&str; 2]); 2] =
    [("valores/vDedRed/documentos", ["E0482", "E0488"]), ("IBSCBS/valores/gReeRepRes", ["E0946", "E0948"])];

/// The unknown parties, where the registers are closed.
pub(super) fn rules(facts: &DpsFacts<'_>) -> Vec<RuleOutcome> {
    if !facts.settings.cadastro_fechado {
        return Vec::new();
    }
    let parties = PARTIES.iter().filter_map(|(path, codes)| Some((facts.inf.at(path)?, codes)));
    let suppliers = SUPPLIERS.iter().flat_map(|(path, codes)| {
        let documents = facts.inf.at(path).into_iter().flat_map(Element::children);
        documents.filter_map(move |document| Some((document.child("fornec")?, codes)))
    });
    let mut broken: Vec<RuleOutcome> =
        parties.chain(suppliers).filter_map(|(party, codes)| Some((unknown(facts, party, codes)?, true))).collect();
    broken.dedup();
    broken
}

fn unknown(facts: &DpsFacts<'_>, party: &Element, [company, person]: &[&'static str; 2]) -> Option<&'static str> {
    let number = document_of(party)?;
    let code = if party.child("CNPJ").is_some() { company } else { person };
    (!facts.settings.contribuintes.contains_key(number)).then_some(code)
}
