//! Structure of a referenced key (236, 843 and similar codes). The reason follows the authority's text, in brackets.
//!
//! Law: MOC CT-e 4.00 anexo I, rules L03, N11, G040, G065, G078, G161.

use crate::value::{ChaveAcesso, Cnpj, Cpf, InvalidChave, Uf};
use jiff::Timestamp;
use jiff::tz::Offset;

/// Kind of document that a key must belong to.
#[derive(Debug, Clone, Copy)]
pub struct KeyKind {
    /// Models, as in a key.
    pub(super) models: &'static [&'static str],
    /// Two digits of the first year with such documents.
    pub(super) since: u32,
    /// Allowed `tpEmis`, one character each.
    pub(super) tpEmis: &'static str,
}

/// A CT-e of any model.
pub const CTE: KeyKind = KeyKind { models: &["57", "64", "67"], since: 9, tpEmis: "1234578" };
/// An NF-e that is carried.
pub const NFE: KeyKind = KeyKind { models: &["55"], since: 5, tpEmis: "1234567" };
/// A DC-e that is carried, created by an Ajuste of 2021. The sources used do not list its kinds of emission, so all are
/// accepted.
pub const DCE: KeyKind = KeyKind { models: &["99"], since: 21, tpEmis: "123456789" };

/// Offset of Fernando de Noronha, where a year begins first in Brazil; a key of that hour is valid.
const FIRST_ZONE: Offset = Offset::constant(-2);

/// `[Motivo: …]` of the first fault; `None` for a valid key.
pub fn fault(chave: &str, of: KeyKind, now: Timestamp) -> Option<String> {
    let at = |range: std::ops::Range<usize>| chave.get(range).unwrap_or("");
    let number = |range| at(range).parse::<u32>().unwrap_or(0);
    let this_year = u32::try_from(FIRST_ZONE.to_datetime(now).year().rem_euclid(100)).unwrap_or(0);
    let issuer = at(6..20);
    let is_cpf = issuer.strip_prefix("000").is_some_and(|cpf| Cpf::parse(cpf).is_ok());
    let zeros = issuer.bytes().all(|digit| digit == b'0');
    let uf = at(0..2).parse().ok().and_then(Uf::from_code);
    let wrong = [
        ("CNPJ ou CPF inválido", zeros || (!is_cpf && Cnpj::parse(issuer).is_err())),
        ("ano inválido", !(of.since..=this_year).contains(&number(2..4))),
        ("mês inválido", !(1..=12).contains(&number(4..6))),
        ("modelo inválido", !of.models.contains(&at(20..22))),
        ("número zerado", number(25..34) == 0),
        ("tipo de emissão inválido", !of.tpEmis.contains(at(34..35))),
        ("UF inválida", uf.is_none()),
        ("DV inválido", ChaveAcesso::parse(chave) == Err(InvalidChave::CheckDigit)),
    ];
    wrong.iter().find(|(_, broken)| *broken).map(|(why, _)| format!("[Motivo: {why}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "43261111222333000181570010000001011202611019";

    fn why(range: std::ops::Range<usize>, with: &str) -> Option<String> {
        let mut key = KEY.to_owned();
        key.replace_range(range, with);
        fault(&key, CTE, "2026-11-20T12:00:00Z".parse().unwrap())
    }

    #[test]
    fn a_year_begins_in_fernando_de_noronha() {
        let why = |now: &str| fault("43270111222333000181570010000001011202611010", CTE, now.parse().unwrap());
        assert_eq!(why("2026-12-31T23:59:59-02:00"), Some("[Motivo: ano inválido]".to_owned()));
        assert_eq!(why("2027-01-01T00:00:00-02:00"), Some("[Motivo: DV inválido]".to_owned()));
    }

    #[test]
    fn a_key_is_judged_part_by_part() {
        assert_eq!(why(0..2, "43"), None);
        for (range, with, expected) in [
            (6..20, "11222333000182", "CNPJ ou CPF inválido"),
            (2..4, "08", "ano inválido"),
            (2..4, "27", "ano inválido"),
            (4..6, "13", "mês inválido"),
            (20..22, "55", "modelo inválido"),
            (25..34, "000000000", "número zerado"),
            (34..35, "9", "tipo de emissão inválido"),
            (0..2, "99", "UF inválida"),
            (43..44, "0", "DV inválido"),
        ] {
            assert_eq!(why(range, with), Some(format!("[Motivo: {expected}]")));
        }
    }
}
