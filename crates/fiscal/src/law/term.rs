//! Terms of a rule: dates, environment, states and regimes in which it acts.

use crate::value::{TpAmb, Uf};
use jiff::civil::Date;

/// A rule's terms in both environments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTerms {
    /// In homologação; in produção restrita of the NFS-e.
    pub homologacao: RuleTerm,
    /// In production.
    pub producao: RuleTerm,
}

impl RuleTerms {
    /// Terms of a rule that never acts.
    pub const NEVER: RuleTerms = RuleTerms { homologacao: RuleTerm::NEVER, producao: RuleTerm::NEVER };
    /// Terms of a rule that always acts.
    pub const ALWAYS: RuleTerms = RuleTerms { homologacao: RuleTerm::ALWAYS, producao: RuleTerm::ALWAYS };
    /// Terms of a rule printed without a day; it refuses once the operator sets one.
    pub const UNDATED: RuleTerms = RuleTerms { homologacao: RuleTerm::UNDATED, producao: RuleTerm::UNDATED };

    /// Terms in an environment.
    pub fn of(&self, ambiente: TpAmb) -> &RuleTerm {
        match ambiente {
            TpAmb::Homologacao => &self.homologacao,
            TpAmb::Producao => &self.producao,
        }
    }

    /// Mutable terms in an environment.
    pub(super) fn of_mut(&mut self, ambiente: TpAmb) -> &mut RuleTerm {
        match ambiente {
            TpAmb::Homologacao => &mut self.homologacao,
            TpAmb::Producao => &mut self.producao,
        }
    }
}

/// A rule's terms in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTerm {
    /// Start.
    pub onset: RuleStart,
    /// Last day; `None` without a known end.
    pub last: Option<Date>,
    /// Day that is compared with both.
    pub occasion: DecidingDay,
    /// States of the issuers; `None` for all.
    pub ufs: Option<Vec<Uf>>,
    /// CRT of the issuers; `None` for all.
    pub crts: Option<Vec<u8>>,
    /// Effect on a document that breaks the rule.
    pub effect: RuleEffect,
}

/// Start of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleStart {
    /// In force with the manual.
    Manual,
    /// From a day on.
    Day(Date),
    /// No day is printed.
    Never,
}

/// Day that decides whether a rule acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidingDay {
    /// The day on which the authority receives the document, in Brasília.
    Reception,
    /// The date that `dhEmi` writes, in its own offset.
    Emission,
}

/// Effect of a broken rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleEffect {
    /// The document is refused.
    Rejeicao,
    /// The document passes, with a notice for its issuer.
    Aviso,
    /// Nothing.
    Nada,
}

impl RuleEffect {
    /// Notice of a broken rule: its code, and the verb for the authority's action.
    pub(crate) fn predicted_notice(self) -> (&'static str, &'static str) {
        match self {
            RuleEffect::Rejeicao => ("rejeicao_prevista", "deve"),
            RuleEffect::Aviso | RuleEffect::Nada => ("rejeicao_possivel", "pode"),
        }
    }
}

/// Facts about a document and its reception that decide whether a rule acts.
#[derive(Debug, Clone, Copy)]
pub struct ReceptionFacts {
    /// Day of the reception, in Brasília.
    pub received: Date,
    /// Date of `dhEmi`; `None` when it cannot be read.
    pub issued: Option<Date>,
    /// State of the issuer.
    pub uf: Option<Uf>,
    /// CRT of the issuer.
    pub crt: Option<u8>,
}

/// A rule that a document breaks.
#[derive(Debug, Clone)]
pub struct RuleBreach<R: 'static, B> {
    pub rule: &'static R,
    pub effect: RuleEffect,
    /// Place of the breach.
    pub breach: B,
}

impl RuleTerm {
    /// Always acts, on every issuer.
    pub const ALWAYS: RuleTerm = RuleTerm { onset: RuleStart::Manual, effect: RuleEffect::Rejeicao, ..RuleTerm::NEVER };
    /// Printed without a day.
    pub const UNDATED: RuleTerm = RuleTerm { effect: RuleEffect::Rejeicao, ..RuleTerm::NEVER };
    /// Never acts.
    pub const NEVER: RuleTerm = RuleTerm {
        onset: RuleStart::Never,
        last: None,
        occasion: DecidingDay::Reception,
        ufs: None,
        crts: None,
        effect: RuleEffect::Nada,
    };

    /// Effect of the rule on a document that breaks it.
    pub fn effect_on(&self, met: &ReceptionFacts) -> RuleEffect {
        let day = match self.occasion {
            DecidingDay::Reception => Some(met.received),
            DecidingDay::Emission => met.issued,
        };
        let acts = day.is_some_and(|day| self.is_in_force(day))
            && is_among(self.ufs.as_deref(), met.uf)
            && is_among(self.crts.as_deref(), met.crt);
        if acts { self.effect } else { RuleEffect::Nada }
    }

    /// The first day; `None` for a rule as old as the manual, or without a day.
    pub fn first(&self) -> Option<Date> {
        match self.onset {
            RuleStart::Day(first) => Some(first),
            RuleStart::Manual | RuleStart::Never => None,
        }
    }

    fn is_in_force(&self, day: Date) -> bool {
        let has_begun = match self.onset {
            RuleStart::Manual => true,
            RuleStart::Day(first) => first <= day,
            RuleStart::Never => false,
        };
        has_begun && self.last.is_none_or(|last| day <= last)
    }
}

fn is_among<T: PartialEq>(chosen: Option<&[T]>, one: Option<T>) -> bool {
    chosen.is_none_or(|chosen| one.is_some_and(|one| chosen.contains(&one)))
}
