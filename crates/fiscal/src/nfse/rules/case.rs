//! A DPS under its rules: its fields by their path, and what several rules ask of it.

use super::Facts;
use crate::cep;
use crate::nfse::amounts::{self, Amounts};
use crate::nfse::incidence::{self, Incidence};
use crate::value::{CnpjCpf, amount, municipio};
use crate::xml::Element;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

pub(super) const CTRIBNAC: &str = "serv/cServ/cTribNac";
pub(super) const ISSQN: &str = "valores/trib/tribMun/tribISSQN";
pub(super) const RETENTION: &str = "valores/trib/tribMun/tpRetISSQN";
pub(super) const SERVICE: &str = "valores/vServPrest/vServ";
pub(super) const DONE: &str = "serv/locPrest/cLocPrestacao";
pub(super) const DONE_ABROAD: &str = "serv/locPrest/cPaisPrestacao";

/// A DPS.
pub(super) struct Case<'c> {
    /// `DPS`.
    pub(super) dps: &'c Element,
    /// `infDPS`.
    pub(super) inf: &'c Element,
    pub(super) facts: &'c Facts<'c>,
}

impl<'c> Case<'c> {
    /// `None` of what has no `infDPS`.
    pub(super) fn of(dps: &'c Element, facts: &'c Facts<'c>) -> Option<Case<'c>> {
        Some(Case { dps, inf: dps.child("infDPS")?, facts })
    }
    pub(super) fn text(&self, path: &str) -> &'c str {
        self.inf.text_at(path).unwrap_or_default()
    }
    pub(super) fn has(&self, path: &str) -> bool {
        self.inf.at(path).is_some()
    }
    pub(super) fn is(&self, path: &str, value: &str) -> bool {
        self.inf.text_at(path) == Some(value)
    }
    pub(super) fn number(&self, path: &str) -> Option<Decimal> {
        self.inf.text_at(path).and_then(amount)
    }
    /// A number, zero where it is not said.
    pub(super) fn money(&self, path: &str) -> Decimal {
        self.number(path).unwrap_or_default()
    }
    pub(super) fn date(&self, path: &str) -> Option<Date> {
        self.text(path).parse().ok()
    }
    pub(super) fn instant(&self, path: &str) -> Option<Timestamp> {
        self.text(path).parse().ok()
    }
    /// Elements of this name inside of a group, with their paths.
    pub(super) fn each(&self, group: &str, name: &'static str) -> impl Iterator<Item = (String, &'c Element)> {
        let found = self.inf.at(group).into_iter().flat_map(Element::children).filter(move |child| child.name == name);
        found.enumerate().map(move |(index, element)| (format!("{group}/{name}[{index}]"), element))
    }

    pub(super) fn is_mei(&self) -> bool {
        self.is("prest/regTrib/opSimpNac", "2")
    }
    /// Not in the Simples.
    pub(super) fn is_outside(&self) -> bool {
        self.is("prest/regTrib/opSimpNac", "1")
    }
    /// ME/EPP.
    pub(super) fn is_small(&self) -> bool {
        self.is("prest/regTrib/opSimpNac", "3")
    }
    /// ME/EPP that pays the ISSQN inside of the Simples.
    pub(super) fn is_inside(&self) -> bool {
        self.is_small() && self.is("prest/regTrib/regApTribSN", "1")
    }
    pub(super) fn has_special_regime(&self) -> bool {
        !self.is("prest/regTrib/regEspTrib", "0")
    }
    pub(super) fn is_taxable(&self) -> bool {
        self.is(ISSQN, "1")
    }
    /// Whether the ISSQN is withheld by somebody.
    pub(super) fn is_withheld(&self) -> bool {
        matches!(self.text(RETENTION), "2" | "3")
    }
    /// Emitted by the prestador.
    pub(super) fn is_own(&self) -> bool {
        self.is("tpEmit", "1")
    }
    pub(super) fn cTribNac(&self) -> &'c str {
        self.text(CTRIBNAC)
    }
    /// Whose the ISSQN is; `None` where there is none, or where official lists disagree.
    pub(super) fn incidence(&self) -> Option<Incidence> {
        let code = self.cTribNac();
        incidence::kind(code).filter(|_| !incidence::is_disputed(code))
    }
    /// Whether somebody, or the service, is abroad.
    pub(super) fn is_abroad(&self) -> bool {
        ["toma/end/endExt", "interm/end/endExt", DONE_ABROAD].iter().any(|path| self.has(path))
    }
    /// Whether the município the ISSQN is due to is active; that of the emitter must be, or nothing is issued there
    /// (E0038).
    pub(super) fn is_active(&self) -> Option<bool> {
        if let Some(terms) = &self.facts.terms {
            return Some(terms.is_active);
        }
        let due = incidence::of(self.inf).filter(|_| self.incidence().is_some())?;
        (due == self.text("cLocEmi")).then_some(true)
    }
    /// Kind of the benefit, where it is known.
    pub(super) fn benefit(&self) -> Option<u8> {
        self.facts.terms?.benefit.filter(|_| self.has("valores/trib/tribMun/BM")).map(|benefit| benefit.tipo)
    }
    pub(super) fn amounts(&self) -> Amounts {
        amounts::of(self.inf, self.facts.terms.as_ref())
    }
    /// A number that is said and is not above zero and below the service's price.
    pub(super) fn is_no_part_of_the_price(&self, path: &str) -> bool {
        self.number(path).is_some_and(|part| part <= Decimal::ZERO || part >= self.money(SERVICE))
    }
}

/// A CNPJ or CPF of a party, whose digits are wrong.
pub(super) fn has_wrong_document(party: Option<&Element>, tag: &str) -> bool {
    party.and_then(|party| party.text_at(tag)).is_some_and(|number| CnpjCpf::parse(number).is_err())
}

/// CNPJ or CPF of a party.
pub(super) fn document_of(party: &Element) -> Option<&str> {
    ["CNPJ", "CPF"].iter().find_map(|tag| party.text_at(tag))
}

/// Whether the table of the IBGE has no such code.
pub(super) fn is_unknown_city(code: &str) -> bool {
    code.parse().ok().and_then(municipio::find).is_none()
}

/// Whether a CEP is of no range, or of another state than the município: what the table of prefixes says is only near
/// the truth.
pub(super) fn is_elsewhere(CEP: &str, cMun: &str) -> bool {
    let Some(home) = cMun.parse().ok().and_then(municipio::find).and_then(|found| found.uf()) else { return false };
    CEP.parse().ok().and_then(cep::uf) != Some(home)
}

/// An e-mail needs a name, `@` and a domain with a point in it.
pub(super) fn is_no_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return true };
    name.is_empty() || domain.split('.').count() < 2 || domain.split('.').any(str::is_empty)
}

/// Whether a key of an NFS-e has another check digit; of keys with letters the official texts contradict each other.
pub(super) fn has_wrong_digit(chave: &str) -> bool {
    if chave.len() != 50 || !chave.bytes().all(|position| position.is_ascii_digit()) {
        return false;
    }
    let value = |position: u8| u32::from(position - b'0');
    let weights = (2..=9).cycle();
    let sum: u32 = chave.bytes().rev().skip(1).zip(weights).map(|(position, weight)| value(position) * weight).sum();
    let digit = match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    };
    chave.bytes().last().map(value) != Some(digit)
}
