//! CT-e globalizado: one document for several NF-e of one payer. Facultative: the rules act in the states that have
//! them (`book.tsv`, UFs).
//!
//! Law: MOC CT-e 4.00 anexo I, G197 to G208.

use super::cargo::notes;
use super::case::{Case, holder};
use super::{Found, Rule, cte, when};
use crate::value::TpAmb;
use std::collections::BTreeSet;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    cte("G197", 743, "ide/indGlobalizado", |case| when(is_gathered(case) && case.ide("UFIni") != case.ide("UFFim"))),
    cte("G198", 722, "ide/toma3/toma", |case| when(is_gathered(case) && !is_payer(case, REM) && !is_payer(case, DEST))),
    cte("G199", 723, "infCTeNorm/infDoc", |case| when(is_gathered(case) && case.is_whole() && notes(case).next().is_none())),
    cte("G200", 724, "infCTeNorm/infDoc/infNFe", |case| when(is_paid(case, DEST) && issuers(case).len() < LEAST)),
    cte("G201", 744, "infCTeNorm/infDoc/infNFe", |case| when(is_paid(case, REM) && issuers(case).len() > 1)),
    cte("G202", 725, "rem/xNome", |case| named_otherwise(case, DEST, "rem")),
    cte("G203", 726, "dest/xNome", |case| named_otherwise(case, REM, "dest")),
    cte("G204", 727, "rem/CNPJ", |case| of_another(case, DEST, "rem")),
    cte("G205", 728, "dest/CNPJ", |case| of_another(case, REM, "dest")),
    cte("G206", 737, "infCTeNorm/infDoc/infNFe", |case| when(is_paid(case, REM) && notes(case).count() < LEAST)),
    cte("G208", 730, "ide/indGlobalizado", |case| when(!is_gathered(case)
        && ["rem/xNome", "dest/xNome"].iter().any(|path| stands_for_several(case.inf.text_at(path))))),
];

/// `toma3/toma` of the remetente.
const REM: &str = "0";
const DEST: &str = "3";
/// Name of a party that stands for several.
const SEVERAL: &str = "DIVERSOS";
/// Least number of NF-e, or of their issuers.
const LEAST: usize = 5;

fn is_gathered(case: &Case<'_>) -> bool {
    case.ide("indGlobalizado") == "1"
}

fn is_payer(case: &Case<'_>, index: &str) -> bool {
    case.text("ide/toma3/toma") == index
}

/// True when the NF-e are to be counted; a complement carries none.
fn is_paid(case: &Case<'_>, index: &str) -> bool {
    is_gathered(case) && case.is_whole() && is_payer(case, index)
}

fn stands_for_several(party: Option<&str>) -> bool {
    party.is_some_and(|name| name.trim().eq_ignore_ascii_case(SEVERAL))
}

/// Issuers of the NF-e, by their keys.
fn issuers<'c>(case: &Case<'c>) -> BTreeSet<&'c str> {
    notes(case).filter_map(|chave| chave.get(6..20)).collect()
}

/// Checked in production only; in homologação every name is the official one.
fn named_otherwise(case: &Case<'_>, payer: &str, role: &str) -> Option<Found> {
    let party = case.inf.child(role).filter(|_| is_gathered(case) && is_payer(case, payer))?;
    when(case.facts.ambiente == TpAmb::Producao && !stands_for_several(party.text_at("xNome")))
}

/// The party that stands for several must have the emitter's number.
fn of_another(case: &Case<'_>, payer: &str, role: &str) -> Option<Found> {
    let party = case.inf.child(role).filter(|_| is_gathered(case) && is_payer(case, payer))?;
    when(holder(party) != case.inf.child("emit").map_or("", holder))
}
