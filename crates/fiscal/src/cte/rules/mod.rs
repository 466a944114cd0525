//! Rules that a CT-e or CT-e OS breaks by itself, one row each, in files by subject. We warn by them; the simulator
//! rejects by them.
//!
//! Law: MOC CT-e 4.00 anexo I, 2.1 and 2.2, with the notes up to NT 2026.004. A row has its number in the table of each
//! model, which also gives the order. Rules that need a register, stored documents or the signer's key are left out.

pub mod book;
mod cargo;
mod case;
mod globalizado;
mod identification;
pub mod key;
mod os;
mod own_key;
mod parties;
mod places;
mod qr;
mod reform;
mod reform_groups;
mod related;
mod remedies;
mod route;
mod values;

#[cfg(test)]
mod tests;

pub(super) use case::day_of;
pub use case::{CteCase, base, key as key_of, party_document, tomador};
pub(super) use identification::NEVER_EXEMPT;
pub use qr::parameter_of as parameter_of_qr;

use crate::cstat;
use crate::law::{Law, ReceptionFacts, RuleBreach, RuleEffect, RuleFamily, RuleKey, RuleTerms};
use crate::value::{TpAmb, Uf, brasilia};
use crate::xml::Element;
use jiff::Timestamp;
use jiff::civil::Date;
use key::KeyKind;
use std::sync::LazyLock;

/// A validation rule of the manual.
pub struct CteRule {
    /// Numbers in the tables of 57 (`G…`) and 67 (`H…`); empty for a model without the rule.
    id: [&'static str; 2],
    /// Code of the authority.
    pub cStat: u16,
    /// Field below `infCte` of a CT-e, unless `evaluate` finds a more precise one.
    field: &'static str,
    evaluate: fn(&CteCase<'_>) -> Option<CteFinding>,
}

/// Inputs of a rule besides the document.
#[derive(Debug, Clone, Copy)]
pub struct CteReception<'l> {
    /// Terms of the rules.
    pub law: &'l Law,
    /// Instant of reception.
    pub now: Timestamp,
    /// Environment of the authority.
    pub ambiente: TpAmb,
    /// `tpEmis` of the receiving authority, when it is one of contingency.
    pub contingency: Option<u8>,
    /// True when the document is complete. Rules about the part added after signing (`infCTeSupl`) apply only then.
    pub finished: bool,
}

impl CteReception<'_> {
    /// Day of reception in Brasília, which the technical notes refer to.
    fn today(&self) -> Date {
        brasilia::day(self.now)
    }
}

/// Place of a broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CteBreach {
    /// Path in the XML, below the root.
    pub path: String,
    /// Text that the authority appends to its own; empty when there is none.
    pub extra: String,
}

/// Result of a rule: its own field, unless there is a path below `infCte`.
#[derive(Debug, Default)]
struct CteFinding {
    path: Option<String>,
    extra: String,
}

impl CteFinding {
    fn at(path: String) -> CteFinding {
        CteFinding { path: Some(path), ..CteFinding::default() }
    }

    fn with_extra(extra: String) -> CteFinding {
        CteFinding { path: None, extra }
    }
}

/// Index of the model in `CteRule::id`; the root element distinguishes a CT-e OS.
fn column(document: &Element) -> usize {
    usize::from(document.name == "CTeOS")
}

impl CteRule {
    /// Number in the table of this document's model.
    pub fn id(&self, document: &Element) -> &'static str {
        self.id.get(column(document)).copied().unwrap_or("")
    }

    /// Numbers in the tables of 57 and 67; empty for a model without the rule.
    pub fn ids(&self) -> [&'static str; 2] {
        self.id
    }

    /// Field below `infCte` of a CT-e.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// Text of the authority, verbatim.
    pub fn xMotivo(&self) -> &'static str {
        cstat::cte::motivo(self.cStat).unwrap_or("Rejeição")
    }

    /// The latest document that prints the rule.
    pub fn source(&self) -> &'static str {
        book::entry(self.cStat).map_or("", |entry| entry.source)
    }

    /// Printed terms.
    pub fn terms(&self) -> &'static RuleTerms {
        book::entry(self.cStat).map_or(&RuleTerms::NEVER, |entry| &entry.terms)
    }

    /// Key of the rule in the law file.
    pub fn key(&self) -> RuleKey {
        let id = self.id.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
        RuleKey { documento: RuleFamily::Cte, id, codigo: self.cStat }
    }

    /// Remedy, for a rule whose text has none.
    pub fn remedy(&self) -> Option<&'static str> {
        remedies::of(self.cStat)
    }

    /// Checks the rule; returns its place when it is broken.
    pub fn check(&self, case: &CteCase<'_>) -> Option<CteBreach> {
        let found = (self.evaluate)(case)?;
        let path = found.path.unwrap_or_else(|| self.field_in(case.document));
        Some(CteBreach { path: format!("infCte/{path}"), extra: found.extra })
    }

    /// The field in this model. The tomador of a CT-e OS is always described, and not inside of `ide`.
    fn field_in(&self, document: &Element) -> String {
        match self.field.strip_prefix("ide/toma4") {
            Some(rest) if column(document) == 1 => format!("toma{rest}"),
            _ => self.field.to_owned(),
        }
    }
}

/// The rules of a document's model that are in force for its reception, in the order of the authority, with their
/// effects.
pub fn in_force<'f>(
    document: &Element,
    facts: &'f CteReception<'_>,
) -> impl Iterator<Item = (&'static CteRule, RuleEffect)> + use<'f> {
    let inf = document.child("infCte");
    let text = |path| inf.and_then(|inf| inf.text_at(path));
    let met = ReceptionFacts {
        received: facts.today(),
        issued: inf.and_then(day_of),
        uf: text("ide/cUF").and_then(|code| code.parse().ok()).and_then(Uf::from_code),
        crt: text("emit/CRT").and_then(|crt| crt.parse().ok()),
    };
    let ordered = ORDERED.get(column(document)).into_iter().flatten().copied();
    ordered.filter_map(move |rule| {
        let terms = facts.law.terms(&rule.key(), rule.terms()).of(facts.ambiente);
        Some((rule, terms.effect_on(&met))).filter(|(_, effect)| *effect != RuleEffect::Nada)
    })
}

/// The rules that a document breaks.
pub fn predict(document: &Element, facts: &CteReception<'_>) -> Vec<RuleBreach<CteRule, CteBreach>> {
    let Some(case) = CteCase::of(document, facts) else { return Vec::new() };
    let broken =
        |(rule, effect): (&'static CteRule, RuleEffect)| Some(RuleBreach { rule, effect, breach: rule.check(&case)? });
    in_force(document, facts).filter_map(broken).collect()
}

pub fn all() -> impl Iterator<Item = &'static CteRule> {
    subjects().into_iter().flatten()
}

/// Rules by subject.
pub fn subjects() -> [&'static [CteRule]; 13] {
    [
        identification::RULES,
        own_key::RULES,
        places::RULES,
        qr::RULES,
        parties::RULES,
        cargo::RULES,
        globalizado::RULES,
        values::RULES,
        os::RULES,
        route::RULES,
        related::RULES,
        reform::RULES,
        reform_groups::RULES,
    ]
}

/// Rules of each model by number, sorted once.
static ORDERED: LazyLock<[Vec<&'static CteRule>; 2]> = LazyLock::new(|| {
    [0, 1].map(|column: usize| {
        let id = |rule: &CteRule| rule.id.get(column).copied().unwrap_or("");
        let mut rules: Vec<_> = all().filter(|rule| !id(rule).is_empty()).collect();
        rules.sort_by_key(|rule| id(rule));
        rules
    })
});

/// A rule of both tables.
const fn both(
    g: &'static str,
    h: &'static str,
    cStat: u16,
    field: &'static str,
    look: fn(&CteCase<'_>) -> Option<CteFinding>,
) -> CteRule {
    CteRule { id: [g, h], cStat, field, evaluate: look }
}

/// A rule of 57 alone.
const fn cte(
    g: &'static str,
    cStat: u16,
    field: &'static str,
    look: fn(&CteCase<'_>) -> Option<CteFinding>,
) -> CteRule {
    both(g, "", cStat, field, look)
}

/// A rule of 67 alone.
const fn os(h: &'static str, cStat: u16, field: &'static str, look: fn(&CteCase<'_>) -> Option<CteFinding>) -> CteRule {
    both("", h, cStat, field, look)
}

/// A result at the rule's own field, without appended text.
fn breach_if(broken: bool) -> Option<CteFinding> {
    broken.then(CteFinding::default)
}

/// The first key of a repeated group that is not of the required kind.
fn wrong_key<'k>(
    keys: impl Iterator<Item = &'k str>,
    group: &str,
    tag: &str,
    of: KeyKind,
    case: &CteCase<'_>,
) -> Option<CteFinding> {
    // an entry for another document, such as one on paper, has no key but counts for the index
    keys.enumerate().filter(|(_, chave)| !chave.is_empty()).find_map(|(index, chave)| {
        let extra = key::fault(chave, of, case.facts.now)?;
        Some(CteFinding { path: Some(format!("{group}[{index}]/{tag}")), extra })
    })
}

/// Whole seconds between two instants, positive when the second is later.
fn seconds_between(from: Timestamp, until: Timestamp) -> i64 {
    until.as_second() - from.as_second()
}
