//! A DPS under check: its fields by path, and conditions shared by several rules.

use super::NfseRuleContext;
use crate::cep;
use crate::nfse::amounts::{self, NfseAmounts};
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

/// A DPS under check.
pub(super) struct DpsCase<'c> {
    pub(super) dps: &'c Element,
    pub(super) inf: &'c Element,
    pub(super) facts: &'c NfseRuleContext<'c>,
}

impl<'c> DpsCase<'c> {
    /// Creates the case; `None` without `infDPS`.
    pub(super) fn of(dps: &'c Element, facts: &'c NfseRuleContext<'c>) -> Option<DpsCase<'c>> {
        Some(DpsCase { dps, inf: dps.child("infDPS")?, facts })
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
    /// Returns a number; zero when absent.
    pub(super) fn money(&self, path: &str) -> Decimal {
        self.number(path).unwrap_or_default()
    }
    pub(super) fn date(&self, path: &str) -> Option<Date> {
        self.text(path).parse().ok()
    }
    pub(super) fn instant(&self, path: &str) -> Option<Timestamp> {
        self.text(path).parse().ok()
    }
    /// Returns the elements of this name inside a group, with their paths.
    pub(super) fn each(&self, group: &str, name: &'static str) -> impl Iterator<Item = (String, &'c Element)> {
        let found = self.inf.at(group).into_iter().flat_map(Element::children).filter(move |child| child.name == name);
        found.enumerate().map(move |(index, element)| (format!("{group}/{name}[{index}]"), element))
    }

    pub(super) fn is_mei(&self) -> bool {
        self.is("prest/regTrib/opSimpNac", "2")
    }
    /// True for a provider outside the Simples.
    pub(super) fn is_outside(&self) -> bool {
        self.is("prest/regTrib/opSimpNac", "1")
    }
    /// True for a ME or EPP of the Simples.
    pub(super) fn is_small(&self) -> bool {
        self.is("prest/regTrib/opSimpNac", "3")
    }
    /// True for a ME or EPP that pays the ISSQN within the Simples.
    pub(super) fn is_inside(&self) -> bool {
        self.is_small() && self.is("prest/regTrib/regApTribSN", "1")
    }
    pub(super) fn has_special_regime(&self) -> bool {
        !self.is("prest/regTrib/regEspTrib", "0")
    }
    pub(super) fn is_taxable(&self) -> bool {
        self.is(ISSQN, "1")
    }
    /// True when the tomador or the intermediário withholds the ISSQN.
    pub(super) fn is_withheld(&self) -> bool {
        matches!(self.text(RETENTION), "2" | "3")
    }
    /// True when the prestador is the issuer.
    pub(super) fn is_own(&self) -> bool {
        self.is("tpEmit", "1")
    }
    pub(super) fn cTribNac(&self) -> &'c str {
        self.text(CTRIBNAC)
    }
    /// Returns the incidence of the ISSQN; `None` without ISSQN, or where the official lists disagree.
    pub(super) fn incidence(&self) -> Option<Incidence> {
        let code = self.cTribNac();
        incidence::kind(code).filter(|_| !incidence::is_disputed(code))
    }
    /// True when a party or the service is abroad.
    pub(super) fn is_abroad(&self) -> bool {
        ["toma/end/endExt", "interm/end/endExt", DONE_ABROAD].iter().any(|path| self.has(path))
    }
    /// True when the município that the ISSQN is due to is active. The issuer's own município must be, or it could not
    /// issue (E0038).
    pub(super) fn is_active(&self) -> Option<bool> {
        if let Some(terms) = &self.facts.terms {
            return Some(terms.is_active);
        }
        let due = incidence::of(self.inf).filter(|_| self.incidence().is_some())?;
        (due == self.text("cLocEmi")).then_some(true)
    }
    /// Returns the kind of the benefit, if known.
    pub(super) fn benefit(&self) -> Option<u8> {
        self.facts.terms?.benefit.filter(|_| self.has("valores/trib/tribMun/BM")).map(|benefit| benefit.tipo)
    }
    pub(super) fn amounts(&self) -> NfseAmounts {
        amounts::of(self.inf, self.facts.terms.as_ref())
    }
    /// True for a number that is given and is not between zero and the service's price.
    pub(super) fn is_no_part_of_the_price(&self, path: &str) -> bool {
        self.number(path).is_some_and(|part| part <= Decimal::ZERO || part >= self.money(SERVICE))
    }
}

/// True when a party's CNPJ or CPF has wrong check digits.
pub(super) fn has_wrong_document(party: Option<&Element>, tag: &str) -> bool {
    party.and_then(|party| party.text_at(tag)).is_some_and(|number| CnpjCpf::parse(number).is_err())
}

/// Returns the CNPJ or CPF of a party.
pub(super) fn document_of(party: &Element) -> Option<&str> {
    ["CNPJ", "CPF"].iter().find_map(|tag| party.text_at(tag))
}

/// True for a code that is not in the IBGE table.
pub(super) fn is_unknown_city(code: &str) -> bool {
    code.parse().ok().and_then(municipio::find).is_none()
}

/// True when a CEP belongs to no range, or to another state than the município. The table of prefixes is only
/// approximate.
pub(super) fn is_elsewhere(CEP: &str, cMun: &str) -> bool {
    let Some(home) = cMun.parse().ok().and_then(municipio::find).and_then(|found| found.uf()) else { return false };
    CEP.parse().ok().and_then(cep::uf) != Some(home)
}

/// True when a text lacks a name, `@`, or a domain with a point.
pub(super) fn is_no_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return true };
    name.is_empty() || domain.split('.').count() < 2 || domain.split('.').any(str::is_empty)
}

/// True when a key of an NFS-e has a wrong check digit. Keys with letters are not checked: the official texts
/// contradict each other.
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
