//! Group BA and the downloaders: keys of other documents, and parties listed twice.
//!
//! Law: MOC 7.0, anexo I, BA02 and BA19; NT 2022.003 v1.11 (BA02-60 and BA02a, keys whose `cNF` is zero) with NT
//! 2022.002 v1.30a (BA02a-10); NT 2026.002 (BA02-35).

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeView, text};
use super::options::StateChoice;
use crate::value::{ChaveAcesso, Cnpj, Cpf, InvalidChave, Uf};
use crate::xml::ElementView;

/// Kind of key in `NFref`.
pub(super) trait ReferencedKey {
    /// Tag of the key.
    const TAG: &'static str;
    /// Models of the referenced document.
    const MODELS: &'static [&'static str];
    /// True when a natural person may be the issuer.
    const OF_PERSONS: bool;
}

/// Full key of an NF-e or NFC-e.
pub(super) struct NFe;
/// Key of a document whose `cNF` is zero, which prevents queries by it.
pub(super) struct NFeSig;
/// Key of a CT-e.
pub(super) struct CTe;

impl ReferencedKey for NFe {
    const TAG: &'static str = "refNFe";
    const MODELS: &'static [&'static str] = &["55", "65", "59"];
    const OF_PERSONS: bool = true;
}

impl ReferencedKey for NFeSig {
    const TAG: &'static str = "refNFeSig";
    const MODELS: &'static [&'static str] = &["55"];
    const OF_PERSONS: bool = true;
}

impl ReferencedKey for CTe {
    const TAG: &'static str = "refCTe";
    const MODELS: &'static [&'static str] = &["57"];
    const OF_PERSONS: bool = false;
}

/// BA02-10, BA19-10: the check digit.
pub(super) fn key_is_right<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<R>(note, found, |key| {
        matches!(ChaveAcesso::parse(key), Err(InvalidChave::Shape | InvalidChave::CheckDigit))
    });
}

/// BA02-14, BA02a-20, BA19-14.
pub(super) fn state_exists<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<R>(note, found, |key| {
        number(key, 0..2).and_then(|code| u8::try_from(code).ok()).and_then(Uf::from_code).is_none()
    });
}

/// BA02-20, BA02a-30, BA19-20: from 2006 to this year.
pub(super) fn year_exists<R: ReferencedKey>(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    if note.references.is_empty() {
        return;
    }
    let this_year = u32::from(facts.today().year().unsigned_abs()) % 100;
    each::<R>(note, found, |key| !number(key, 2..4).is_some_and(|year| (6..=this_year).contains(&year)));
}

/// BA02-24, BA02a-40, BA19-24.
pub(super) fn month_exists<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<R>(note, found, |key| !number(key, 4..6).is_some_and(|month| (1..=12).contains(&month)));
}

/// BA02-30, BA02a-50, BA19-30.
pub(super) fn issuer_is_right<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<R>(note, found, |key| match KeyIssuer::of(key) {
        KeyIssuer::Cpf(CPF) if R::OF_PERSONS => Cpf::parse(CPF).is_err(),
        KeyIssuer::Unknown if R::OF_PERSONS => false,
        _ => key.get(6..20).is_none_or(|CNPJ| Cnpj::parse(CNPJ).is_err()),
    });
}

/// Issuer of a key's document.
enum KeyIssuer<'a> {
    Cnpj(&'a str),
    Cpf(&'a str),
    /// A series that no application uses.
    Unknown,
}

impl<'a> KeyIssuer<'a> {
    /// Reads the issuer's kind from the series. The Nota Fiscal Fácil (`tpEmis` 3) has it in the fifth digit of the
    /// number (NT 2021.002). A CF-e (model 59) has no series in its key.
    fn of(key: &'a str) -> KeyIssuer<'a> {
        let person = match (model(key), key.get(34..35), number(key, 22..25)) {
            ("59", _, _) => false,
            (_, Some("3"), _) => key.get(29..30) == Some("2"),
            (_, _, Some(910..=969)) => true,
            (_, _, Some(0..=909)) => false,
            _ => return KeyIssuer::Unknown,
        };
        let part = if person { key.get(9..20).map(KeyIssuer::Cpf) } else { key.get(6..20).map(KeyIssuer::Cnpj) };
        part.unwrap_or(KeyIssuer::Unknown)
    }
}

/// Returns the CNPJ or CPF of the issuer of a key's document. `None` for series 890 to 899, which carry the Fisco's
/// own, and for unused series.
pub(super) fn issuer(key: &str) -> Option<&str> {
    let avulsa = model(key) != "59" && matches!(number(key, 22..25), Some(890..=899));
    match KeyIssuer::of(key) {
        KeyIssuer::Cnpj(id) | KeyIssuer::Cpf(id) if !avulsa => Some(id),
        _ => None,
    }
}

/// BA02-34, BA02a-60, BA19-34.
pub(super) fn model_exists<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<R>(note, found, |key| !R::MODELS.contains(&model(key)));
}

/// BA02-35: a sale refers to no retail document, unless it completes one (NT 2026.002).
pub(super) fn sale_refers_to_no_retail(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    if note.ide.tpNF == "1" && note.ide.finNFe != "2" {
        each::<NFe>(note, found, |key| matches!(model(key), "65" | "59"));
    }
}

/// BA02-40, BA02a-70, BA19-40.
pub(super) fn number_exists<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let digits = |key: &str| if model(key) == "59" { number(key, 31..37) } else { number(key, 25..34) };
    each::<R>(note, found, |key| digits(key) == Some(0));
}

/// BA02-44, BA02a-80 (without the check digit), BA19-44: a key twice.
pub(super) fn stands_once<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let mut seen = Vec::new();
    for (index, key) in keys::<R>(note) {
        let key = key.get(..43).unwrap_or(key);
        found.extend(seen.contains(&key).then(|| at::<R>(index)));
        seen.push(key);
    }
}

/// BA02-50: a document that refers to itself.
pub(super) fn does_not_refer_to_itself(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let own = note.inf().attribute("Id").and_then(|id| id.strip_prefix("NFe")).unwrap_or_default();
    each::<NFe>(note, found, |key| key == own);
}

/// BA02-60, BA02a-110: `tpEmis` in the key of a document of model 55 or 65, which keys contain since May 2011.
pub(super) fn emission_exists<R: ReferencedKey>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<R>(note, found, |key| {
        let tells = matches!(model(key), "55" | "65") && number(key, 2..6).is_some_and(|aamm| aamm > 1104);
        tells && !matches!(key.get(34..35), Some("1" | "2" | "3" | "4" | "5" | "6" | "7" | "9"))
    });
}

/// BA02a-10: only a normal document or an adjustment may refer by a key without `cNF`.
pub(super) fn hidden_key_is_of_a_normal_note(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let applies = !matches!(note.ide.finNFe, "1" | "3");
    each::<NFeSig>(note, found, |_| applies);
}

/// BA02a-74.
pub(super) fn hidden_key_has_no_code(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<NFeSig>(note, found, |key| number(key, 35..43) != Some(0));
}

/// BA02a-90: a document referenced by both of its keys.
pub(super) fn hidden_key_is_not_told_whole(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each::<NFeSig>(note, found, |hidden| keys::<NFe>(note).any(|(_, key)| natural(key) == natural(hidden)));
}

/// BA02a-100: a document that refers to itself.
pub(super) fn hidden_key_is_not_its_own(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let own = note.inf().attribute("Id").and_then(|id| id.strip_prefix("NFe")).unwrap_or_default();
    each::<NFeSig>(note, found, |key| natural(key) == natural(own));
}

/// BA02a-120, where the state refuses such keys.
pub(super) fn state_takes_hidden_keys(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    if !note.references.is_empty() && facts.options(note).has(StateChoice::RecusaChaveSemCodigo) {
        each::<NFeSig>(note, found, |_| true);
    }
}

/// Splits off state, issuer, model, series and number: the document's identity in any of its keys.
fn natural(key: &str) -> Option<(&str, &str)> {
    key.get(..2).zip(key.get(6..34))
}

/// GA02-20.
pub(super) fn addressee_downloads_anyway_by_cnpj(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    named_twice(note, found, "CNPJ");
}

/// GA03-20.
pub(super) fn addressee_downloads_anyway_by_cpf(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    named_twice(note, found, "CPF");
}

fn named_twice(note: &NfeView<'_>, found: &mut BrokenFields, tag: &str) {
    let addressee = note.dest().map_or("", |dest| text(dest, tag));
    let each = note.inf().children().filter(|child| child.name() == "autXML").enumerate();
    let same = each.filter(|(_, one)| !addressee.is_empty() && text(*one, tag) == addressee);
    found.extend(same.map(|(index, _)| BrokenField::at(&format!("autXML[{index}]/{tag}"))));
}

/// Adds each key of a kind that breaks a condition.
pub(super) fn each<R: ReferencedKey>(note: &NfeView<'_>, found: &mut BrokenFields, wrong: impl Fn(&str) -> bool) {
    found.extend(keys::<R>(note).filter(|(_, key)| wrong(key)).map(|(index, _)| at::<R>(index)));
}

/// Returns the keys of a kind, each with its position.
pub(super) fn keys<'a, R: ReferencedKey>(note: &NfeView<'a>) -> impl Iterator<Item = (usize, &'a str)> {
    let told = note.references.iter().map(|one| one.child(R::TAG).map_or("", ElementView::text));
    told.enumerate().filter(|(_, key)| !key.is_empty())
}

fn at<R: ReferencedKey>(index: usize) -> BrokenField {
    BrokenField::at(&format!("ide/NFref[{index}]/{}", R::TAG))
}

/// Returns the model of a key's document.
pub(super) fn model(key: &str) -> &str {
    key.get(20..22).unwrap_or_default()
}

fn number(key: &str, at: std::ops::Range<usize>) -> Option<u32> {
    key.get(at).and_then(|text| text.parse().ok())
}
