//! Options of a município for single services: kinds of deduction, taxation, persons who withhold.
//!
//! Law: anexo I, E0446, E0449, E0454, E0539, E0540, E0667, E0670.

use super::super::municipality::DeductionKind;
use super::{DpsFacts, RuleOutcome};
use fiscal::nfse::incidence;

/// Element of a deduction, its kind, and the code that refuses it.
const DEDUCTIONS: [(&str, DeductionKind, &str); 3] = [
    ("valores/vDedRed/pDR", DeductionKind::Percentual, "E0454"),
    ("valores/vDedRed/vDR", DeductionKind::Valor, "E0446"),
    ("valores/vDedRed/documentos", DeductionKind::Documentos, "E0449"),
];

/// Code of the withholding party, its CPF, and the code that refuses a person whom the município did not register.
const WITHHOLDERS: [(&str, &str, &str); 2] = [("2", "toma/CPF", "E0667"), ("3", "interm/CPF", "E0670")];

pub(super) fn rules(facts: &DpsFacts<'_>) -> Vec<RuleOutcome> {
    // A note with "no incidence" is due to no município: the option is that of the município that would tax it.
    let decides = incidence::if_taxed(facts.inf).and_then(|code| facts.settings.municipality(code.parse().ok()?));
    let Some(due) = decides.as_deref().filter(|due| due.is_active(facts.dCompet)) else { return Vec::new() };
    let service = facts.text("serv/cServ/cTribNac");
    let barred = due.deducoes_vedadas.get(service);
    let deductions = DEDUCTIONS
        .iter()
        .map(|(path, kind, codigo)| (*codigo, facts.has(path) && barred.is_some_and(|barred| barred.contains(kind))));
    let is_untaxed = facts.text("valores/trib/tribMun/tribISSQN") == NOT_INCIDENT;
    let taxes = due.incidencia.get(service);
    let incidence = [("E0539", is_untaxed && taxes == Some(&true)), ("E0540", !is_untaxed && taxes == Some(&false))];
    let withheld_by = facts.text("valores/trib/tribMun/tpRetISSQN");
    let withholders = WITHHOLDERS.iter().map(|(code, path, codigo)| {
        let person = facts.inf.text_at(path).filter(|_| withheld_by == *code);
        (*codigo, person.is_some_and(|CPF| !due.cpfs_que_retem.contains(CPF)))
    });
    deductions.chain(incidence).chain(withholders).collect()
}

/// `tribISSQN` of a service without incidence.
const NOT_INCIDENT: &str = "4";
