//! Parties: their numbers and registrations, who must be there, who may fetch the document.

use super::{Rule, both, cte, when};
use crate::sefaz::cte::case::{Case, base, holder};
use fiscal::value::{Cnpj, Cpf, Uf, ie};
use fiscal::xml::Element;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    cte("G053", 469, |case| when(moves_goods(case) && !case.has("rem"))),
    cte("G054", 470, |case| when(moves_goods(case) && !case.has("dest"))),
    cte("G055", 474, |case| when(links_others(case) && !case.has("exped"))),
    cte("G056", 475, |case| when(links_others(case) && !case.has("receb"))),
    both("G104", "H078", 207, |case| cnpj(case.inf.child("emit"))),
    both("G105", "H079", 229, |case| when(case.text("emit/IE").is_empty() && !case.has("infPAA"))),
    both("G106", "H080", 209, |case| registration(case.inf.child("emit"))),
    cte("G114", 415, |case| cnpj(case.inf.child("rem"))),
    cte("G115", 416, |case| cpf(case.inf.child("rem"))),
    cte("G118", 419, |case| registration(case.inf.child("rem"))),
    cte("G122", 208, |case| cnpj(case.inf.child("dest"))),
    cte("G123", 237, |case| cpf(case.inf.child("dest"))),
    cte("G126", 210, |case| registration(case.inf.child("dest"))),
    cte("G132", 428, |case| cnpj(case.inf.child("exped"))),
    cte("G133", 429, |case| cpf(case.inf.child("exped"))),
    cte("G136", 432, |case| registration(case.inf.child("exped"))),
    cte("G140", 436, |case| cnpj(case.inf.child("receb"))),
    cte("G141", 437, |case| cpf(case.inf.child("receb"))),
    cte("G144", 440, |case| registration(case.inf.child("receb"))),
    both("G148", "H087", 444, |case| cnpj(described(case))),
    both("G149", "H088", 445, |case| cpf(described(case))),
    both("G152", "H094", 448, |case| registration(described(case))),
    cte("G156", 799, named_twice),
    both("G193", "H121", 699, |case| when(fetchers(case).any(|one| cnpj(Some(one)).is_some()))),
    both("G194", "H122", 700, |case| when(fetchers(case).any(|one| cpf(Some(one)).is_some()))),
    both("G195", "H123", 715, |case| when(repeats(fetchers(case).map(holder)))),
    both("G196", "H124", 828, |case| when(fetchers(case).any(|one| is_party(case, holder(one))))),
    both("G210", "H126", 836, |case| cnpj(case.inf.child("infRespTec"))),
];

/// tpServ 0, 1, 2.
fn moves_goods(case: &Case<'_>) -> bool {
    case.is_whole() && matches!(case.ide("tpServ"), "0" | "1" | "2")
}

/// tpServ 3, 4.
fn links_others(case: &Case<'_>) -> bool {
    case.is_whole() && matches!(case.ide("tpServ"), "3" | "4")
}

/// Who takes the service, when he is described and no other party.
fn described<'c>(case: &Case<'c>) -> Option<&'c Element> {
    case.inf.at("ide/toma4").or_else(|| case.inf.child("toma"))
}

fn cnpj(party: Option<&Element>) -> Option<String> {
    let number = party?.text_at("CNPJ")?;
    // of a party abroad, it is fourteen zeros
    let abroad = number.bytes().all(|digit| digit == b'0') && uf(party?) == "EX";
    when(!abroad && Cnpj::parse(number).is_err())
}

fn cpf(party: Option<&Element>) -> Option<String> {
    when(Cpf::parse(party?.text_at("CPF")?).is_err())
}

fn registration(party: Option<&Element>) -> Option<String> {
    let number = party?.text_at("IE").filter(|number| !matches!(*number, "" | "ISENTO"))?;
    let uf = Uf::from_sigla(uf(party?))?;
    when(ie::check(uf, number).is_err())
}

/// State in a party's address.
fn uf(party: &Element) -> &str {
    let address = party.children().find(|group| group.name.starts_with("ender"));
    address.and_then(|address| address.text_at("UF")).unwrap_or("")
}

fn named_twice(case: &Case<'_>) -> Option<String> {
    let tomador = case.inf.at("ide/toma4")?;
    let of = |party: &Element| (holder(party).to_owned(), party.text_at("IE").unwrap_or("").to_owned());
    let others = ["rem", "dest", "receb", "exped"].iter().filter_map(|role| case.inf.child(role));
    when(others.into_iter().any(|other| of(other) == of(tomador)))
}

fn fetchers<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c Element> + use<'c> {
    case.each("", "autXML")
}

fn is_party(case: &Case<'_>, number: &str) -> bool {
    let parties = ["rem", "dest", "receb", "exped"].iter().filter_map(|role| case.inf.child(role));
    parties.chain(described(case)).any(|party| holder(party) == number)
}

/// Whether one of these comes twice.
pub(super) fn repeats<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    texts.into_iter().any(|text| !seen.insert(text))
}

/// Whether two numbers are of one company.
pub(super) fn of_one_base(one: &str, other: &str) -> bool {
    base(one) == base(other)
}
