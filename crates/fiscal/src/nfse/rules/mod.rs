//! Rules of the Sefin Nacional that a DPS decides by itself, with what is known around it: what is told before it is
//! sent, and what a simulator refuses by.
//!
//! Law: anexo I of 2026-02-09 (rules of DPS and NFS-e, column of the Sefin), codes and texts as published (`book`). A
//! row each, in files by their subject. What a register, the stored notes or the rest of a município's parameters
//! decide is not here; the book says so of each.

pub mod book;
mod case;
mod deduction;
mod federal;
mod identification;
mod issqn;
mod issuer;
mod later;
mod parties;
mod rate;
mod reform;
mod reimbursed;
mod remedy;
mod service;
mod values;
mod works;

#[cfg(test)]
mod tests;

pub(super) use deduction::has_no_floor;

use super::amounts;
use crate::law::{Breach, Circumstances, Documento, Effect, Law, RuleKey, Terms};
use crate::value::{TpAmb, brasilia};
use crate::xml::Element;
use case::Case;
use jiff::Timestamp;
use std::sync::LazyLock;

/// A rule.
pub struct Rule {
    /// `E0015`.
    pub codigo: &'static str,
    /// The element that it speaks of, below `infDPS`, when the document shows no better place; empty: the document.
    pub path: &'static str,
    look: Look,
}

/// How a rule looks.
enum Look {
    /// Broken at its own path.
    Whole(fn(&Case<'_>) -> bool),
    /// Broken at a path below `infDPS`.
    Within(fn(&Case<'_>) -> Option<String>),
}

/// What a rule may know beside the document.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'l> {
    /// The law it is judged by.
    pub law: &'l Law,
    /// Moment of reception.
    pub now: Timestamp,
    /// Environment that receives it.
    pub ambiente: TpAmb,
    /// What the município the ISSQN is due to decided, where it was asked.
    pub terms: Option<amounts::Terms>,
}

/// A rule that is broken, and where: a path below `infDPS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Path of the XML, with positions where elements are repeated.
    pub path: String,
}

impl Rule {
    /// What it is known by.
    pub fn key(&self) -> RuleKey {
        let digits = self.codigo.trim_start_matches(|sign: char| !sign.is_ascii_digit());
        RuleKey { documento: Documento::Nfse, id: self.codigo, codigo: digits.parse().unwrap_or_default() }
    }
    /// The official text.
    pub fn mensagem(&self) -> &'static str {
        book::mensagem(self.codigo).unwrap_or("Rejeição")
    }
    /// What to do about it, where the official text does not say.
    pub fn remedy(&self) -> Option<&'static str> {
        remedy::of(self.codigo)
    }
    /// Where it is written.
    pub fn source(&self) -> &'static str {
        match self.codigo {
            "E0529" | "E0530" | "E0590" | "E0591" => {
                "Anexo I de 2026-02-09, com a planilha EXPORTACAO_EMISSAO_NFS-e do mesmo pacote"
            }
            "E0694" | "E0696" => "Anexo I de 2026-02-09; tolerância de R$ 0,01 da NT 007",
            "E0684" | "E0690" => "NT 009, ainda sem vigência",
            _ => "Anexo I de 2026-02-09",
        }
    }
    /// When it acts by the printed law.
    pub fn terms(&self) -> &'static Terms {
        if later::RULES.iter().any(|rule| rule.codigo == self.codigo) { &Terms::UNDATED } else { &Terms::ALWAYS }
    }
    /// Where the document breaks it.
    fn check(&self, case: &Case<'_>) -> Option<Broken> {
        match self.look {
            Look::Whole(is_broken) => is_broken(case).then(|| Broken { path: self.path.to_owned() }),
            Look::Within(find) => find(case).map(|path| Broken { path }),
        }
    }
}

/// What a caller does about a refusal, by its code; `None` where the official text says it.
pub fn advice(codigo: &str) -> Option<&'static str> {
    remedy::of(codigo).or_else(|| remedy::after(codigo))
}

/// Every rule in force, in the order of its code.
pub fn all() -> &'static [&'static Rule] {
    &ORDERED
}

/// Rules of notes that are published and not in force: they are foreseen and refused by where an operator's law gives
/// them a day, and a simulator refuses by them when its switch is on.
pub fn later() -> &'static [Rule] {
    later::RULES
}

/// Every rule that has a function.
pub fn printed() -> impl Iterator<Item = &'static Rule> {
    all().iter().copied().chain(later::RULES)
}

/// The rules that a DPS breaks, which the layout accepts.
pub fn predict(dps: &Element, facts: &Facts<'_>) -> Vec<Breach<Rule, Broken>> {
    let Some(case) = Case::of(dps, facts) else { return Vec::new() };
    let met = Circumstances {
        received: brasilia::day(facts.now),
        issued: case.text("dhEmi").get(..10).and_then(|day| day.parse().ok()),
        // a município has no state of its own in the law, and a DPS no CRT
        uf: None,
        crt: None,
    };
    let predicted = |rule: &'static Rule| {
        let effect = facts.law.terms(&rule.key(), rule.terms()).of(facts.ambiente).effect_on(&met);
        let broken = (effect != Effect::Nada).then(|| rule.check(&case)).flatten()?;
        Some(Breach { rule, effect, broken })
    };
    printed().filter_map(predicted).collect()
}

/// The rules of [`later`] that a DPS breaks, whatever day it is.
pub fn predict_later(dps: &Element, facts: &Facts<'_>) -> Vec<(&'static Rule, Broken)> {
    let Some(case) = Case::of(dps, facts) else { return Vec::new() };
    later::RULES.iter().filter_map(|rule| Some((rule, rule.check(&case)?))).collect()
}

/// The rules by their subject: identification, prestador, other parties, service, works and events, values, deductions,
/// ISSQN, rate, federal taxes, IBS and CBS, reimbursements.
pub fn subjects() -> [&'static [Rule]; 12] {
    [
        identification::RULES,
        issuer::RULES,
        parties::RULES,
        service::RULES,
        works::RULES,
        values::RULES,
        deduction::RULES,
        issqn::RULES,
        rate::RULES,
        federal::RULES,
        reform::RULES,
        reimbursed::RULES,
    ]
}

/// Sorted once, not for each document.
static ORDERED: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let mut rules: Vec<&'static Rule> = subjects().into_iter().flatten().collect();
    rules.sort_by_key(|rule| rule.codigo);
    rules
});

/// A rule broken at its own path.
const fn rule(codigo: &'static str, path: &'static str, is_broken: fn(&Case<'_>) -> bool) -> Rule {
    Rule { codigo, path, look: Look::Whole(is_broken) }
}

/// A rule that says where it is broken.
const fn within(codigo: &'static str, path: &'static str, find: fn(&Case<'_>) -> Option<String>) -> Rule {
    Rule { codigo, path, look: Look::Within(find) }
}
