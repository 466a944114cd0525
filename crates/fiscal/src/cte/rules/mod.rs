//! The rules that a document of CT-e or CT-e OS breaks by itself: a row each, in files by their subject. We warn by
//! them, the simulator rejects by them.
//!
//! Law: MOC CT-e 4.00 anexo I, 2.1 and 2.2, with the notes up to NT 2026.004. A row carries its number in the table of
//! each model, and their order is that of the numbers. What needs a register, the stored documents or the key of who
//! signed is not here.

pub mod book;
mod cargo;
mod case;
mod gathered;
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
mod remedy;
mod route;
mod values;

#[cfg(test)]
mod tests;

pub(super) use case::day_of;
pub use case::{Case, base, holder, key as key_of, tomador};
pub(super) use identification::NEVER_EXEMPT;
pub use qr::parameter_of as parameter_of_qr;

use crate::cstat;
use crate::law::{Breach, Circumstances, Documento, Effect, Law, RuleKey, Terms};
use crate::value::{TpAmb, Uf, brasilia};
use crate::xml::Element;
use jiff::Timestamp;
use jiff::civil::Date;
use key::Of;
use std::sync::LazyLock;

/// A validation rule of the manual.
pub struct Rule {
    /// Number in the table of 57 (`G…`), in that of 67 (`H…`); empty where the model does not have it.
    id: [&'static str; 2],
    /// Code the authority answers.
    pub cStat: u16,
    /// Where it is broken, below `infCte` of a CT-e, when `look` knows no better.
    field: &'static str,
    look: fn(&Case<'_>) -> Option<Found>,
}

/// What a rule may know beside the document.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'l> {
    /// The law it is judged by.
    pub law: &'l Law,
    /// Moment of reception.
    pub now: Timestamp,
    /// Environment of the authority.
    pub ambiente: TpAmb,
    /// `tpEmis` that the authority answers for, when it is one of contingency.
    pub contingency: Option<u8>,
    /// Whether what comes after the writing stands (`infCTeSupl`): rules about that are asked only then.
    pub finished: bool,
}

impl Facts<'_> {
    /// Day of reception in Brasília, by which the technical notes count.
    fn today(&self) -> Date {
        brasilia::day(self.now)
    }
}

/// Where a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Path of the XML below the root.
    pub path: String,
    /// What the authority appends to its text; empty when it appends nothing.
    pub extra: String,
}

/// What a rule found: at its own field, unless there is a path below `infCte`.
#[derive(Debug, Default)]
struct Found {
    path: Option<String>,
    extra: String,
}

impl Found {
    fn at(path: String) -> Found {
        Found { path: Some(path), ..Found::default() }
    }

    fn saying(extra: String) -> Found {
        Found { path: None, extra }
    }
}

/// Column of a model in `Rule::id`: a CT-e OS is known by its root.
fn column(document: &Element) -> usize {
    usize::from(document.name == "CTeOS")
}

impl Rule {
    /// Number in the table of this document's model.
    pub fn id(&self, document: &Element) -> &'static str {
        self.id.get(column(document)).copied().unwrap_or("")
    }

    /// Numbers in the tables of 57 and 67; empty where the model does not have it.
    pub fn ids(&self) -> [&'static str; 2] {
        self.id
    }

    /// Where it is broken, below `infCte` of a CT-e, when the document shows no better place.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// The authority's text, verbatim.
    pub fn xMotivo(&self) -> &'static str {
        cstat::cte::motivo(self.cStat).unwrap_or("Rejeição")
    }

    /// The document that prints it last.
    pub fn source(&self) -> &'static str {
        book::entry(self.cStat).map_or("", |entry| entry.source)
    }

    /// When it acts by the printed law.
    pub fn terms(&self) -> &'static Terms {
        book::entry(self.cStat).map_or(&Terms::NEVER, |entry| &entry.terms)
    }

    /// What it is known by.
    pub fn key(&self) -> RuleKey {
        let id = self.id.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
        RuleKey { documento: Documento::Cte, id, codigo: self.cStat }
    }

    /// What to do about it, where the authority's text does not say.
    pub fn remedy(&self) -> Option<&'static str> {
        remedy::of(self.cStat)
    }

    /// Where the document breaks it.
    pub fn check(&self, case: &Case<'_>) -> Option<Broken> {
        let found = (self.look)(case)?;
        let path = found.path.unwrap_or_else(|| self.field_in(case.document));
        Some(Broken { path: format!("infCte/{path}"), extra: found.extra })
    }

    /// The field in this model: who takes the service of a CT-e OS is always described, and not inside of `ide`.
    fn field_in(&self, document: &Element) -> String {
        match self.field.strip_prefix("ide/toma4") {
            Some(rest) if column(document) == 1 => format!("toma{rest}"),
            _ => self.field.to_owned(),
        }
    }
}

/// The rules of a document's model that act where, when and for whom it is received, in the order in which the
/// authority looks, with what each does.
pub fn in_force<'f>(
    document: &Element,
    facts: &'f Facts<'_>,
) -> impl Iterator<Item = (&'static Rule, Effect)> + use<'f> {
    let inf = document.child("infCte");
    let text = |path| inf.and_then(|inf| inf.text_at(path));
    let met = Circumstances {
        received: facts.today(),
        issued: inf.and_then(day_of),
        uf: text("ide/cUF").and_then(|code| code.parse().ok()).and_then(Uf::from_code),
        crt: text("emit/CRT").and_then(|crt| crt.parse().ok()),
    };
    let ordered = ORDERED.get(column(document)).into_iter().flatten().copied();
    ordered.filter_map(move |rule| {
        let terms = facts.law.terms(&rule.key(), rule.terms()).of(facts.ambiente);
        Some((rule, terms.effect_on(&met))).filter(|(_, effect)| *effect != Effect::Nada)
    })
}

/// The rules a read document breaks.
pub fn predict(document: &Element, facts: &Facts<'_>) -> Vec<Breach<Rule, Broken>> {
    let Some(case) = Case::of(document, facts) else { return Vec::new() };
    let broken = |(rule, effect): (&'static Rule, Effect)| Some(Breach { rule, effect, broken: rule.check(&case)? });
    in_force(document, facts).filter_map(broken).collect()
}

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    subjects().into_iter().flatten()
}

/// The rules by their subject.
pub fn subjects() -> [&'static [Rule]; 13] {
    [
        identification::RULES,
        own_key::RULES,
        places::RULES,
        qr::RULES,
        parties::RULES,
        cargo::RULES,
        gathered::RULES,
        values::RULES,
        os::RULES,
        route::RULES,
        related::RULES,
        reform::RULES,
        reform_groups::RULES,
    ]
}

/// Sorted once, not for each document.
static ORDERED: LazyLock<[Vec<&'static Rule>; 2]> = LazyLock::new(|| {
    [0, 1].map(|column: usize| {
        let id = |rule: &Rule| rule.id.get(column).copied().unwrap_or("");
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
    look: fn(&Case<'_>) -> Option<Found>,
) -> Rule {
    Rule { id: [g, h], cStat, field, look }
}

/// A rule of 57 alone.
const fn cte(g: &'static str, cStat: u16, field: &'static str, look: fn(&Case<'_>) -> Option<Found>) -> Rule {
    both(g, "", cStat, field, look)
}

/// A rule of 67 alone.
const fn os(h: &'static str, cStat: u16, field: &'static str, look: fn(&Case<'_>) -> Option<Found>) -> Rule {
    both("", h, cStat, field, look)
}

/// Broken at the rule's own field, with nothing to append.
fn when(broken: bool) -> Option<Found> {
    broken.then(Found::default)
}

/// The first of the keys in a repeated group that cannot be one of the documents they must be of.
fn foreign_key<'k>(
    keys: impl Iterator<Item = &'k str>,
    group: &str,
    tag: &str,
    of: Of,
    case: &Case<'_>,
) -> Option<Found> {
    // one that names something else, a paper say, keeps its place and has no key
    keys.enumerate().filter(|(_, chave)| !chave.is_empty()).find_map(|(index, chave)| {
        let extra = key::fault(chave, of, case.facts.now)?;
        Some(Found { path: Some(format!("{group}[{index}]/{tag}")), extra })
    })
}

/// Whole seconds between two instants, positive when the second is later.
fn seconds_between(from: Timestamp, until: Timestamp) -> i64 {
    until.as_second() - from.as_second()
}
