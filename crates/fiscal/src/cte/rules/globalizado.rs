//! CT-e globalizado: one document for several NF-e of one payer. Facultative: the rules act in the states that have
//! them (`book.tsv`, UFs).
//!
//! Law: MOC CT-e 4.00 anexo I, G197 to G208.

use super::cargo::notes;
use super::case::{CteCase, party_document};
use super::{CteFinding, CteRule, breach_if, cte};
use crate::value::TpAmb;
use std::collections::BTreeSet;

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    cte("G197", 743, "ide/indGlobalizado", |case| breach_if(is_globalizado(case) && case.ide("UFIni") != case.ide("UFFim"))),
    cte("G198", 722, "ide/toma3/toma", |case| breach_if(is_globalizado(case) && !is_payer(case, REM) && !is_payer(case, DEST))),
    cte("G199", 723, "infCTeNorm/infDoc", |case| breach_if(is_globalizado(case) && case.is_whole() && notes(case).next().is_none())),
    cte("G200", 724, "infCTeNorm/infDoc/infNFe", |case| breach_if(counts_notes(case, DEST) && issuers(case).len() < LEAST)),
    cte("G201", 744, "infCTeNorm/infDoc/infNFe", |case| breach_if(counts_notes(case, REM) && issuers(case).len() > 1)),
    cte("G202", 725, "rem/xNome", |case| has_other_name(case, DEST, "rem")),
    cte("G203", 726, "dest/xNome", |case| has_other_name(case, REM, "dest")),
    cte("G204", 727, "rem/CNPJ", |case| has_other_document(case, DEST, "rem")),
    cte("G205", 728, "dest/CNPJ", |case| has_other_document(case, REM, "dest")),
    cte("G206", 737, "infCTeNorm/infDoc/infNFe", |case| breach_if(counts_notes(case, REM) && notes(case).count() < LEAST)),
    cte("G208", 730, "ide/indGlobalizado", |case| breach_if(!is_globalizado(case)
        && ["rem/xNome", "dest/xNome"].iter().any(|path| stands_for_several(case.inf.text_at(path))))),
];

/// `toma3/toma` of the remetente.
const REM: &str = "0";
const DEST: &str = "3";
/// Name of a party that stands for several.
const SEVERAL: &str = "DIVERSOS";
/// Least number of NF-e, or of their issuers.
const LEAST: usize = 5;

fn is_globalizado(case: &CteCase<'_>) -> bool {
    case.ide("indGlobalizado") == "1"
}

fn is_payer(case: &CteCase<'_>, index: &str) -> bool {
    case.text("ide/toma3/toma") == index
}

/// True when the NF-e are to be counted; a complement carries none.
fn counts_notes(case: &CteCase<'_>, index: &str) -> bool {
    is_globalizado(case) && case.is_whole() && is_payer(case, index)
}

fn stands_for_several(party: Option<&str>) -> bool {
    party.is_some_and(|name| name.trim().eq_ignore_ascii_case(SEVERAL))
}

/// Issuers of the NF-e, by their keys.
fn issuers<'c>(case: &CteCase<'c>) -> BTreeSet<&'c str> {
    notes(case).filter_map(|chave| chave.get(6..20)).collect()
}

/// Checked in production only; in homologação every name is the official one.
fn has_other_name(case: &CteCase<'_>, payer: &str, role: &str) -> Option<CteFinding> {
    let party = case.inf.child(role).filter(|_| is_globalizado(case) && is_payer(case, payer))?;
    breach_if(case.facts.ambiente == TpAmb::Producao && !stands_for_several(party.text_at("xNome")))
}

/// The party that stands for several must have the emitter's number.
fn has_other_document(case: &CteCase<'_>, payer: &str, role: &str) -> Option<CteFinding> {
    let party = case.inf.child(role).filter(|_| is_globalizado(case) && is_payer(case, payer))?;
    breach_if(party_document(party) != case.inf.child("emit").map_or("", party_document))
}
