//! Rules about parties: numbers and registrations, required parties, parties that may download the document.

use super::case::{CteCase, base, party_document};
use super::{CteFinding, CteRule, both, breach_if, cte};
use crate::value::{Cnpj, Cpf, Uf, ie, suframa};
use crate::xml::Element;

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    cte("G053", 469, "rem", |case| breach_if(moves_goods(case) && !case.has("rem"))),
    cte("G054", 470, "dest", |case| breach_if(moves_goods(case) && !case.has("dest"))),
    cte("G055", 474, "exped", |case| breach_if(links_others(case) && !case.has("exped"))),
    cte("G056", 475, "receb", |case| breach_if(links_others(case) && !case.has("receb"))),
    both("G104", "H078", 207, "emit/CNPJ", |case| cnpj(case.inf.child("emit"))),
    both("G105", "H079", 229, "emit/IE", |case| breach_if(case.text("emit/IE").is_empty() && !case.has("infPAA"))),
    both("G106", "H080", 209, "emit/IE", |case| registration(case.inf.child("emit"))),
    both("G107", "H081", 614, "emit/IEST", registration_of_substitute),
    cte("G114", 415, "rem/CNPJ", |case| cnpj(case.inf.child("rem"))),
    cte("G115", 416, "rem/CPF", |case| cpf(case.inf.child("rem"))),
    cte("G118", 419, "rem/IE", |case| registration(case.inf.child("rem"))),
    cte("G122", 208, "dest/CNPJ", |case| cnpj(case.inf.child("dest"))),
    cte("G123", 237, "dest/CPF", |case| cpf(case.inf.child("dest"))),
    cte("G126", 210, "dest/IE", |case| registration(case.inf.child("dest"))),
    // outside of its region the number is not checked (251)
    cte("G130", 235, "dest/ISUF", |case| breach_if(is_of_suframa(case) == Some(true) && !suframa::is_right(case.text("dest/ISUF")))),
    cte("G131", 251, "dest/ISUF", |case| breach_if(is_of_suframa(case) == Some(false))),
    cte("G132", 428, "exped/CNPJ", |case| cnpj(case.inf.child("exped"))),
    cte("G133", 429, "exped/CPF", |case| cpf(case.inf.child("exped"))),
    cte("G136", 432, "exped/IE", |case| registration(case.inf.child("exped"))),
    cte("G140", 436, "receb/CNPJ", |case| cnpj(case.inf.child("receb"))),
    cte("G141", 437, "receb/CPF", |case| cpf(case.inf.child("receb"))),
    cte("G144", 440, "receb/IE", |case| registration(case.inf.child("receb"))),
    both("G148", "H087", 444, "ide/toma4/CNPJ", |case| cnpj(described(case))),
    both("G149", "H088", 445, "ide/toma4/CPF", |case| cpf(described(case))),
    both("G152", "H094", 448, "ide/toma4/IE", |case| registration(described(case))),
    cte("G156", 799, "ide/toma4", named_twice),
    both("G193", "H121", 699, "autXML", |case| downloader_where(case, |one| cnpj(Some(one)).is_some())),
    both("G194", "H122", 700, "autXML", |case| downloader_where(case, |one| cpf(Some(one)).is_some())),
    both("G195", "H123", 715, "autXML", |case| breach_if(has_duplicates(downloaders(case).map(party_document)))),
    both("G196", "H124", 828, "autXML", |case| downloader_where(case, |one| is_party(case, party_document(one)))),
    both("G210", "H126", 836, "infRespTec/CNPJ", |case| cnpj(case.inf.child("infRespTec"))),
];

/// tpServ 0, 1, 2.
fn moves_goods(case: &CteCase<'_>) -> bool {
    case.is_whole() && matches!(case.ide("tpServ"), "0" | "1" | "2")
}

/// tpServ 3, 4.
fn links_others(case: &CteCase<'_>) -> bool {
    case.is_whole() && matches!(case.ide("tpServ"), "3" | "4")
}

/// The tomador, when it is described.
fn described<'c>(case: &CteCase<'c>) -> Option<&'c Element> {
    case.inf.at("ide/toma4").or_else(|| case.inf.child("toma"))
}

fn cnpj(party: Option<&Element>) -> Option<CteFinding> {
    let number = party?.text_at("CNPJ")?;
    // a party abroad has fourteen zeros
    let abroad = number.bytes().all(|digit| digit == b'0') && uf(party?) == "EX";
    breach_if(!abroad && Cnpj::parse(number).is_err())
}

fn cpf(party: Option<&Element>) -> Option<CteFinding> {
    breach_if(Cpf::parse(party?.text_at("CPF")?).is_err())
}

fn registration(party: Option<&Element>) -> Option<CteFinding> {
    let number = party?.text_at("IE").filter(|number| !matches!(*number, "" | "ISENTO"))?;
    let uf = Uf::from_sigla(uf(party?))?;
    breach_if(ie::check(uf, number).is_err())
}

/// True when the addressee is in the region of SUFRAMA; `None` without an ISUF.
fn is_of_suframa(case: &CteCase<'_>) -> Option<bool> {
    case.inf.at("dest/ISUF")?;
    Some(suframa::covers(case.text("dest/enderDest/UF"), case.text("dest/enderDest/cMun")))
}

/// The registration of a withholding emitter belongs to the tomador's state.
fn registration_of_substitute(case: &CteCase<'_>) -> Option<CteFinding> {
    let number = case.inf.text_at("emit/IEST").filter(|number| !number.is_empty())?;
    let state = Uf::from_sigla(uf(case.tomador()?))?;
    breach_if(ie::check(state, number).is_err())
}

/// State in a party's address.
pub(super) fn uf(party: &Element) -> &str {
    let address = party.children().find(|group| group.name.starts_with("ender"));
    address.and_then(|address| address.text_at("UF")).unwrap_or("")
}

/// The described tomador is one of the parties. Its IE, when given, must also be equal.
fn named_twice(case: &CteCase<'_>) -> Option<CteFinding> {
    let tomador = case.inf.at("ide/toma4")?;
    let same_registration = |other: &Element| tomador.text_at("IE").is_none_or(|ie| other.text_at("IE") == Some(ie));
    let mut others = ["rem", "dest", "receb", "exped"].iter().filter_map(|role| case.inf.child(role));
    breach_if(others.any(|other| party_document(other) == party_document(tomador) && same_registration(other)))
}

fn downloaders<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c Element> + use<'c> {
    case.each("", "autXML")
}

/// Path of the first `autXML` for which `is` is true.
fn downloader_where(case: &CteCase<'_>, is: impl Fn(&Element) -> bool) -> Option<CteFinding> {
    downloaders(case).position(is).map(|index| CteFinding::at(format!("autXML[{index}]")))
}

fn is_party(case: &CteCase<'_>, number: &str) -> bool {
    let parties = ["rem", "dest", "receb", "exped"].iter().filter_map(|role| case.inf.child(role));
    parties.chain(described(case)).any(|party| party_document(party) == number)
}

/// True when a text occurs twice.
pub(super) fn has_duplicates<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    texts.into_iter().any(|text| !seen.insert(text))
}

/// True when two numbers belong to one company.
pub(super) fn of_one_base(one: &str, other: &str) -> bool {
    base(one) == base(other)
}
