//! Identity of a DPS, its instants, and the NFS-e that it substitutes.

use super::case::{DpsCase, document_of, has_wrong_digit};
use super::{NfseRule, rule};

pub(super) const RULES: &[NfseRule] = &[
    rule("E0001", "", |case| case.dps.attribute("versao") != Some("1.01")),
    rule("E0004", "", |case| case.inf.attribute("Id") != Some(identity(case).as_str())),
    rule("E0006", "tpAmb", |case| !case.is("tpAmb", case.facts.ambiente.code())),
    rule("E0008", "dhEmi", |case| case.instant("dhEmi").is_none_or(|emission| emission > case.facts.now)),
    rule("E0010", "serie", |case| !OWN_SERIES.contains(&case.text("serie").parse().unwrap_or(0))),
    rule("E0015", "dCompet", |case| case.text("dCompet") > case.text("dhEmi").get(..10).unwrap_or_default()),
    rule("E0029", "cMotivoEmisTI", |case| case.is_own() && case.has("cMotivoEmisTI")),
    rule("E0042", "subst/chSubstda", |case| case.has("subst") && !is_own_key(case)),
    rule("E0078", "subst/xMotivo", |case| case.is("subst/cMotivo", "99") && !case.has("subst/xMotivo")),
    rule("E9996", "tpEmit", |case| !case.is_own()),
];

/// Series of issuers' own software.
const OWN_SERIES: std::ops::RangeInclusive<u32> = 1..=49_999;

/// Returns the kind of registration and the fourteen characters of the issuer.
fn issuer(case: &DpsCase<'_>) -> (u8, String) {
    let issuer = case.inf.child("prest").and_then(document_of).unwrap_or_default();
    (if issuer.len() == 11 { 1 } else { 2 }, format!("{issuer:0>14}"))
}

/// Composes the Id from the fields.
fn identity(case: &DpsCase<'_>) -> String {
    let (kind, issuer) = issuer(case);
    format!("DPS{}{kind}{issuer}{:0>5}{:0>15}", case.text("cLocEmi"), case.text("serie"), case.text("nDPS"))
}

/// True when the NFS-e to be substituted has a valid key of this issuer in this município.
fn is_own_key(case: &DpsCase<'_>) -> bool {
    let chave = case.text("subst/chSubstda");
    let (kind, issuer) = issuer(case);
    !has_wrong_digit(chave)
        && chave.get(..7) == Some(case.text("cLocEmi"))
        && chave.get(8..23) == Some(format!("{kind}{issuer}").as_str())
}
