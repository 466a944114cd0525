//! Purchases of the government: `gCompraGov` (BB01 to BB05).

use super::NfeView;
use crate::nfe::rules::broken_field::BrokenFields;
use crate::nfe::rules::{BrokenField, NfeRuleContext};
use crate::value::{ChaveAcesso, CnpjCpf, Uf};

/// BB01-10.
pub(in super::super) fn nfce_has_no_government(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(note.has("ide/gCompraGov").then(|| BrokenField::at("ide/gCompraGov")));
}

/// BB02-10: from 2027 on only the tax of the buying authority's own level is due (LC 214/2025, arts. 372 and 473).
pub(in super::super) fn only_the_buyers_tax_is_due(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let Some(year) = note.day().map(|day| day.year()) else { return };
    let (uf, mun, cbs) = ("gIBSUF/pIBSUF", "gIBSMun/pIBSMun", "gCBS/pCBS");
    let others: &[&str] = match (note.text("ide/gCompraGov/tpEnteGov"), year) {
        ("1", 2027..) => &[uf, mun],
        ("2" | "3", 2027..=2032) => &[mun],
        ("4", 2027..=2032) => &[uf],
        ("2" | "3", 2033..) => &[cbs, mun],
        ("4", 2033..) => &[uf, cbs],
        _ => return,
    };
    for item in &note.items {
        let paths = others.iter().map(|path| format!("imposto/IBSCBS/gIBSCBS/{path}"));
        found.extend(paths.filter(|path| !item.decimal(path).is_zero()).map(|path| item.broken(&path)));
    }
}

/// Returns the keys of previous documents, with their paths.
fn before<'a>(note: &NfeView<'a>) -> Vec<(String, &'a str)> {
    note.each("ide/gCompraGov", "refDFeAnt").into_iter().map(|(path, key)| (path, key.text())).collect()
}

fn operation<'a>(note: &NfeView<'a>) -> &'a str {
    note.text("ide/gCompraGov/tpOperGov")
}

/// BB05-10.
pub(in super::super) fn unpaid_supply_refers_to_nothing(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let wrong = operation(note) == "1" && !before(note).is_empty();
    found.extend(wrong.then(|| BrokenField::at("ide/gCompraGov/refDFeAnt")));
}

/// BB05-20.
pub(in super::super) fn receipt_refers_to_its_supply(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = operation(note) == "2" && before(note).is_empty();
    found.extend(lacks.then(|| BrokenField::at("ide/gCompraGov/refDFeAnt")));
}

/// BB05-30.
pub(in super::super) fn receipt_refers_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let several = operation(note) == "2" && before(note).len() > 1;
    found.extend(several.then(|| BrokenField::at("ide/gCompraGov/refDFeAnt")));
}

/// BB05-40.
pub(in super::super) fn paid_supply_refers_to_its_receipt(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let lacks = operation(note) == "3" && before(note).is_empty();
    found.extend(lacks.then(|| BrokenField::at("ide/gCompraGov/refDFeAnt")));
}

/// BB05-50.
pub(in super::super) fn advance_receipt_refers_to_nothing(
    note: &NfeView<'_>,
    _: &NfeRuleContext,
    found: &mut BrokenFields,
) {
    let wrong = operation(note) == "4" && !before(note).is_empty();
    found.extend(wrong.then(|| BrokenField::at("ide/gCompraGov/refDFeAnt")));
}

fn wrong_keys(note: &NfeView<'_>, found: &mut BrokenFields, wrong: impl Fn(&str) -> bool) {
    found.extend(before(note).into_iter().filter(|(_, key)| wrong(key)).map(|(path, _)| BrokenField::under(path)));
}

/// BB05-60.
pub(in super::super) fn key_has_44_characters(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| key.len() != 44);
}

/// BB05-70.
pub(in super::super) fn key_digit_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| key.len() == 44 && ChaveAcesso::parse(key).is_err());
}

/// BB05-80.
pub(in super::super) fn key_has_a_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| part(key, 0..2).is_some_and(|code| Uf::from_code(code).is_none()));
}

/// BB05-90.
pub(in super::super) fn key_has_a_year(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let year = facts.today().year() - 2000;
    wrong_keys(note, found, |key| part::<i16>(key, 2..4).is_some_and(|stated| stated < 6 || stated > year));
}

/// BB05-100.
pub(in super::super) fn key_has_a_month(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| part::<u8>(key, 4..6).is_some_and(|month| !(1..=12).contains(&month)));
}

/// BB05-110: the series shows whether a company or a natural person is the issuer. A document of the NFF (`tpEmis` 3)
/// has this elsewhere and is skipped.
pub(in super::super) fn key_has_an_issuer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| {
        let company = part::<u16>(key, 22..25).is_some_and(|serie| serie <= 909);
        let issuer = key.get(6..20).unwrap_or_default();
        let stated = if company { Some(issuer) } else { issuer.get(3..) };
        key.len() == 44 && key.get(34..35) != Some("3") && stated.is_none_or(|issuer| CnpjCpf::parse(issuer).is_err())
    });
}

/// BB05-120.
pub(in super::super) fn key_is_of_an_nfe(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| key.get(20..22).is_some_and(|model| model != "55"));
}

/// BB05-130.
pub(in super::super) fn key_has_a_number(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| key.get(25..34) == Some("000000000"));
}

/// BB05-140.
pub(in super::super) fn key_stands_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let keys = before(note);
    let again = keys.iter().enumerate().filter(|(at, (_, key))| keys.iter().take(*at).any(|(_, other)| other == key));
    found.extend(again.map(|(_, (path, _))| BrokenField::under(path.clone())));
}

/// BB05-150.
pub(in super::super) fn key_is_not_its_own(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let own = note.inf().attribute("Id").and_then(|id| id.strip_prefix("NFe")).unwrap_or_default();
    wrong_keys(note, found, |key| key == own);
}

/// BB05-160: keys contain `tpEmis` since May 2011.
pub(in super::super) fn key_has_an_emission(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    wrong_keys(note, found, |key| {
        let since = key.get(2..6).is_some_and(|month| month > "1104");
        since && !matches!(key.get(34..35), Some("1" | "2" | "3" | "4" | "5" | "6" | "7" | "9") | None)
    });
}

/// BB05-180.
pub(in super::super) fn key_is_of_this_issuer(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let (cnpj, cpf) = (note.text("emit/CNPJ"), note.text("emit/CPF"));
    wrong_keys(note, found, |key| {
        let issuer = key.get(6..20).unwrap_or_default();
        let same = if cnpj.is_empty() { issuer.get(3..) == Some(cpf) } else { issuer.get(..8) == cnpj.get(..8) };
        key.len() == 44 && !same
    });
}

fn part<T: std::str::FromStr>(key: &str, range: std::ops::Range<usize>) -> Option<T> {
    key.get(range)?.parse().ok()
}
