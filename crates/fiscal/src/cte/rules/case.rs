//! A document under its rules: its groups, its key, environment and instant of reception.

use super::CteReception;
use crate::value::{TpAmb, Uf, amount};
use crate::xml::Element;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

pub struct CteCase<'c> {
    /// `CTe` or `CTeOS`.
    pub(super) document: &'c Element,
    /// `infCte`.
    pub(super) inf: &'c Element,
    /// The key in its `Id`; empty when there is none.
    pub(super) chave: &'c str,
    pub(super) facts: CteReception<'c>,
}

impl<'c> CteCase<'c> {
    /// `None` for an element without `infCte`.
    pub fn of(document: &'c Element, facts: &CteReception<'c>) -> Option<CteCase<'c>> {
        let inf = document.child("infCte")?;
        Some(CteCase { document, inf, chave: key(document), facts: *facts })
    }

    pub(super) fn text(&self, path: &str) -> &'c str {
        self.inf.text_at(path).unwrap_or("")
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.inf.at(path).is_some()
    }

    pub(super) fn ide(&self, tag: &str) -> &'c str {
        self.inf.child("ide").and_then(|ide| ide.text_at(tag)).unwrap_or("")
    }

    /// Groups of this name inside of another one.
    pub(super) fn each(&self, group: &str, name: &'static str) -> impl Iterator<Item = &'c Element> + use<'c> {
        let group = if group.is_empty() { Some(self.inf) } else { self.inf.at(group) };
        group.into_iter().flat_map(Element::children).filter(move |child| child.name == name)
    }

    pub(super) fn amount(&self, path: &str) -> Option<Decimal> {
        self.inf.text_at(path).and_then(amount)
    }

    pub(super) fn instant(&self, path: &str) -> Option<Timestamp> {
        self.text(path).parse().ok()
    }

    /// The date that `dhEmi` writes, in its own offset. Rates and dated tables depend on it.
    pub(super) fn day(&self) -> Option<Date> {
        day_of(self.inf)
    }

    /// Positions of the key.
    pub(super) fn key(&self, range: std::ops::Range<usize>) -> &'c str {
        self.chave.get(range).unwrap_or("")
    }

    pub(super) fn key_uf(&self) -> Option<Uf> {
        self.key(0..2).parse().ok().and_then(Uf::from_code)
    }

    /// True in homologação.
    pub(super) fn is_homologacao(&self) -> bool {
        self.facts.ambiente == TpAmb::Homologacao
    }

    /// The tomador: one of the parties, or a group of its own.
    pub(super) fn tomador(&self) -> Option<&'c Element> {
        tomador(self.inf)
    }

    /// True for tpEmis 2, issued offline (NT 2026.004).
    pub(super) fn is_offline(&self) -> bool {
        self.ide("tpEmis") == "2"
    }

    /// True for tpCTe 0 or 3, a normal document or a substitute.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.ide("tpCTe"), "0" | "3")
    }
}

/// The date that `dhEmi` of an `infCte` writes, in its own offset.
pub(in crate::cte) fn day_of(inf: &Element) -> Option<Date> {
    const DATE: usize = "AAAA-MM-DD".len();
    inf.text_at("ide/dhEmi")?.get(..DATE)?.parse().ok()
}

/// The key in `infCte/@Id`, without the prefix; empty when there is none.
pub fn key(document: &Element) -> &str {
    let id = document.child("infCte").and_then(|inf| inf.attribute("Id"));
    id.and_then(|id| id.strip_prefix("CTe")).unwrap_or("")
}

/// The tomador of an `infCte`.
pub fn tomador(inf: &Element) -> Option<&Element> {
    if let Some(described) = inf.at("ide/toma4").or_else(|| inf.child("toma")) {
        return Some(described);
    }
    let role = match inf.text_at("ide/toma3/toma")? {
        "0" => "rem",
        "1" => "exped",
        "2" => "receb",
        "3" => "dest",
        _ => return None,
    };
    inf.child(role)
}

/// CNPJ or CPF of a party; empty when it has none.
pub fn party_document(party: &Element) -> &str {
    party.text_at("CNPJ").or_else(|| party.text_at("CPF")).unwrap_or("")
}

/// First eight positions of a CNPJ, or a whole CPF.
pub fn base(number: &str) -> &str {
    if number.len() == 14 { number.get(..8).unwrap_or(number) } else { number }
}
