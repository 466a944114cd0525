//! Rules of the Sefin Nacional that a DPS and its known circumstances decide. The service warns by them before sending,
//! the simulator refuses by them.
//!
//! Law: anexo I of 2026-02-09 (rules of DPS and NFS-e, column of the Sefin), codes and texts as published (`book`). A
//! row for each rule, in files by subject. Rules that need a register, the stored NFS-e or other parameters of a
//! município are absent; the book gives the reason for each.

pub mod book;
mod case;
mod deduction;
mod federal;
mod future_rules;
mod identification;
mod issqn;
mod issuer;
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
use crate::law::{Law, ReceptionFacts, RuleBreach, RuleEffect, RuleFamily, RuleKey, RuleTerms};
use crate::value::{TpAmb, brasilia};
use crate::xml::Element;
use case::DpsCase;
use jiff::Timestamp;
use std::sync::LazyLock;

/// A rule of the Sefin Nacional.
pub struct NfseRule {
    /// Code, e.g. `E0015`.
    pub codigo: &'static str,
    /// Element of the rule, below `infDPS`, when the document shows no more precise place; empty for the document.
    pub path: &'static str,
    look: RuleCondition,
}

/// Condition of a rule.
enum RuleCondition {
    /// Broken at its own path.
    Whole(fn(&DpsCase<'_>) -> bool),
    /// Broken at a path below `infDPS`.
    Within(fn(&DpsCase<'_>) -> Option<String>),
}

/// Circumstances that a rule may know beside the document.
#[derive(Debug, Clone, Copy)]
pub struct NfseRuleContext<'l> {
    /// Law that applies.
    pub law: &'l Law,
    /// Moment of reception.
    pub now: Timestamp,
    /// Environment that receives it.
    pub ambiente: TpAmb,
    /// Decisions of the município that the ISSQN is due to, if queried.
    pub terms: Option<amounts::MunicipalTerms>,
}

/// Place where a rule is broken, as a path below `infDPS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenPath {
    /// XML path, with positions of repeated elements.
    pub path: String,
}

impl NfseRule {
    /// Key of the rule.
    pub fn key(&self) -> RuleKey {
        let digits = self.codigo.trim_start_matches(|sign: char| !sign.is_ascii_digit());
        RuleKey { documento: RuleFamily::Nfse, id: self.codigo, codigo: digits.parse().unwrap_or_default() }
    }
    /// Official text.
    pub fn mensagem(&self) -> &'static str {
        book::mensagem(self.codigo).unwrap_or("Rejeição")
    }
    /// Remedy, where the official text states none.
    pub fn remedy(&self) -> Option<&'static str> {
        remedy::of(self.codigo)
    }
    /// Official source.
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
    /// Days of the rule by the printed law.
    pub fn terms(&self) -> &'static RuleTerms {
        if future_rules::RULES.iter().any(|rule| rule.codigo == self.codigo) {
            &RuleTerms::UNDATED
        } else {
            &RuleTerms::ALWAYS
        }
    }
    /// Returns the place where the document breaks the rule.
    fn check(&self, case: &DpsCase<'_>) -> Option<BrokenPath> {
        match self.look {
            RuleCondition::Whole(is_broken) => is_broken(case).then(|| BrokenPath { path: self.path.to_owned() }),
            RuleCondition::Within(find) => find(case).map(|path| BrokenPath { path }),
        }
    }
}

/// Returns the remedy for a refusal, by its code; `None` where the official text states it.
pub fn advice(codigo: &str) -> Option<&'static str> {
    remedy::of(codigo).or_else(|| remedy::after(codigo))
}

/// Returns every rule in force, in the order of codes.
pub fn all() -> &'static [&'static NfseRule] {
    &ORDERED
}

/// Returns the rules of technical notes that are published but not in force. They are predicted and refuse only when an
/// operator's law gives them a day, or a simulator's switch is on.
pub fn later() -> &'static [NfseRule] {
    future_rules::RULES
}

/// Returns every rule that has a function.
pub fn printed() -> impl Iterator<Item = &'static NfseRule> {
    all().iter().copied().chain(future_rules::RULES)
}

/// Returns the rules that a DPS, valid against the layout, breaks.
pub fn predict(dps: &Element, facts: &NfseRuleContext<'_>) -> Vec<RuleBreach<NfseRule, BrokenPath>> {
    let Some(case) = DpsCase::of(dps, facts) else { return Vec::new() };
    let met = ReceptionFacts {
        received: brasilia::day(facts.now),
        issued: case.text("dhEmi").get(..10).and_then(|day| day.parse().ok()),
        // the law knows no state of a município, and a DPS has no CRT
        uf: None,
        crt: None,
    };
    let predicted = |rule: &'static NfseRule| {
        let effect = facts.law.terms(&rule.key(), rule.terms()).of(facts.ambiente).effect_on(&met);
        let broken = (effect != RuleEffect::Nada).then(|| rule.check(&case)).flatten()?;
        Some(RuleBreach { rule, effect, breach: broken })
    };
    printed().filter_map(predicted).collect()
}

/// Returns the rules of [`later`] that a DPS breaks, on any day.
pub fn predict_later(dps: &Element, facts: &NfseRuleContext<'_>) -> Vec<(&'static NfseRule, BrokenPath)> {
    let Some(case) = DpsCase::of(dps, facts) else { return Vec::new() };
    future_rules::RULES.iter().filter_map(|rule| Some((rule, rule.check(&case)?))).collect()
}

/// Returns the rules by subject: identification, prestador, other parties, service, works and events, values,
/// deductions, ISSQN, rate, federal taxes, IBS and CBS, reimbursements.
pub fn subjects() -> [&'static [NfseRule]; 12] {
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

/// Rules in the order of codes, sorted once.
static ORDERED: LazyLock<Vec<&'static NfseRule>> = LazyLock::new(|| {
    let mut rules: Vec<&'static NfseRule> = subjects().into_iter().flatten().collect();
    rules.sort_by_key(|rule| rule.codigo);
    rules
});

/// Creates a rule broken at its own path.
const fn rule(codigo: &'static str, path: &'static str, is_broken: fn(&DpsCase<'_>) -> bool) -> NfseRule {
    NfseRule { codigo, path, look: RuleCondition::Whole(is_broken) }
}

/// Creates a rule that returns the place where it is broken.
const fn within(codigo: &'static str, path: &'static str, find: fn(&DpsCase<'_>) -> Option<String>) -> NfseRule {
    NfseRule { codigo, path, look: RuleCondition::Within(find) }
}
