//! Group BA and the downloaders: keys of other documents, and who is named twice.
//!
//! Law: MOC 7.0 anexo I, BA02; NT 2026.002 (BA02-35).

use super::note::{Note, text};
use super::{Broken, Facts};
use crate::value::{ChaveAcesso, Cnpj, Cpf, InvalidChave, Uf};
use jiff::tz::{Offset, TimeZone};

type Found = Vec<Broken>;

/// BA02-10: the check digit of a referenced key.
pub(super) fn referenced_key_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let wrong = |key: &str| matches!(ChaveAcesso::parse(key), Err(InvalidChave::Shape | InvalidChave::CheckDigit));
    each(note, found, wrong);
}

/// BA02-14.
pub(super) fn referenced_state_exists(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, |key| {
        number(key, 0..2).and_then(|code| u8::try_from(code).ok()).and_then(Uf::from_code).is_none()
    });
}

/// BA02-20: from 2006 to this year; BA02-24: a month.
pub(super) fn referenced_month_exists(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let brasilia = TimeZone::fixed(Offset::constant(-3));
    let this_year = u32::from(facts.now.to_zoned(brasilia).year().unsigned_abs()) % 100;
    each(note, found, |key| {
        let year = number(key, 2..4).is_some_and(|year| (6..=this_year).contains(&year));
        let month = number(key, 4..6).is_some_and(|month| (1..=12).contains(&month));
        !(year && month)
    });
}

/// BA02-30: by the series, a CNPJ or a CPF.
pub(super) fn referenced_issuer_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, |key| match number(key, 22..25) {
        Some(910..=969) if model(key) != "59" => key.get(9..20).is_none_or(|CPF| Cpf::parse(CPF).is_err()),
        Some(0..=909) => key.get(6..20).is_none_or(|CNPJ| Cnpj::parse(CNPJ).is_err()),
        _ => false,
    });
}

/// BA02-34.
pub(super) fn referenced_model_exists(note: &Note<'_>, _: &Facts, found: &mut Found) {
    each(note, found, |key| !matches!(model(key), "55" | "65" | "59"));
}

/// BA02-35: a sale refers to no retail document, unless it completes one (NT 2026.002).
pub(super) fn sale_refers_to_no_retail(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let applies = note.ide("tpNF") == "1" && note.ide("finNFe") != "2";
    each(note, found, |key| applies && matches!(model(key), "65" | "59"));
}

/// BA02-40.
pub(super) fn referenced_number_exists(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let digits = |key: &str| if model(key) == "59" { number(key, 31..37) } else { number(key, 25..34) };
    each(note, found, |key| digits(key) == Some(0));
}

/// BA02-44: the same key twice.
pub(super) fn referenced_once(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let mut seen = Vec::new();
    for (path, key) in referenced(note) {
        found.extend(seen.contains(&key).then(|| Broken::under(path)));
        seen.push(key);
    }
}

/// BA02-50: a note that refers to itself.
pub(super) fn does_not_refer_to_itself(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let own = note.inf().attribute("Id").and_then(|id| id.strip_prefix("NFe")).unwrap_or_default();
    each(note, found, |key| key == own);
}

/// GA02-20.
pub(super) fn addressee_downloads_anyway_by_cnpj(note: &Note<'_>, _: &Facts, found: &mut Found) {
    named_twice(note, found, "CNPJ");
}

/// GA03-20.
pub(super) fn addressee_downloads_anyway_by_cpf(note: &Note<'_>, _: &Facts, found: &mut Found) {
    named_twice(note, found, "CPF");
}

fn named_twice(note: &Note<'_>, found: &mut Found, tag: &str) {
    let addressee = note.dest().map_or("", |dest| text(dest, tag));
    let each = note.inf().children().filter(|child| child.name == "autXML").enumerate();
    let same = each.filter(|(_, one)| !addressee.is_empty() && text(one, tag) == addressee);
    found.extend(same.map(|(index, _)| Broken::at(&format!("autXML[{index}]/{tag}"))));
}

fn each(note: &Note<'_>, found: &mut Found, wrong: impl Fn(&str) -> bool) {
    found.extend(referenced(note).into_iter().filter(|(_, key)| wrong(key)).map(|(path, _)| Broken::under(path)));
}

fn referenced<'a>(note: &Note<'a>) -> Vec<(String, &'a str)> {
    let each = note.each("ide", "NFref").into_iter();
    each.map(|(path, one)| (format!("{path}/refNFe"), text(one, "refNFe"))).filter(|(_, key)| !key.is_empty()).collect()
}

fn model(key: &str) -> &str {
    key.get(20..22).unwrap_or_default()
}

fn number(key: &str, at: std::ops::Range<usize>) -> Option<u32> {
    key.get(at).and_then(|text| text.parse().ok())
}
