//! Terms of a rule: dates, environment, states and regimes in which it acts.

use crate::value::{TpAmb, Uf};
use jiff::civil::Date;

/// A rule's terms in both environments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// In homologação; in produção restrita of the NFS-e.
    pub homologacao: Term,
    /// In production.
    pub producao: Term,
}

impl Terms {
    /// Terms of a rule that never acts.
    pub const NEVER: Terms = Terms { homologacao: Term::NEVER, producao: Term::NEVER };
    /// Terms of a rule that always acts.
    pub const ALWAYS: Terms = Terms { homologacao: Term::ALWAYS, producao: Term::ALWAYS };
    /// Terms of a rule printed without a day; it refuses once the operator sets one.
    pub const UNDATED: Terms = Terms { homologacao: Term::UNDATED, producao: Term::UNDATED };

    /// Terms in an environment.
    pub fn of(&self, ambiente: TpAmb) -> &Term {
        match ambiente {
            TpAmb::Homologacao => &self.homologacao,
            TpAmb::Producao => &self.producao,
        }
    }

    /// Mutable terms in an environment.
    pub(super) fn of_mut(&mut self, ambiente: TpAmb) -> &mut Term {
        match ambiente {
            TpAmb::Homologacao => &mut self.homologacao,
            TpAmb::Producao => &mut self.producao,
        }
    }
}

/// A rule's terms in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Start.
    pub onset: Onset,
    /// Last day; `None` without a known end.
    pub last: Option<Date>,
    /// Day that is compared with both.
    pub occasion: Occasion,
    /// States of the issuers; `None` for all.
    pub ufs: Option<Vec<Uf>>,
    /// CRT of the issuers; `None` for all.
    pub crts: Option<Vec<u8>>,
    /// Effect on a document that breaks the rule.
    pub effect: Effect,
}

/// Start of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Onset {
    /// In force with the manual.
    Manual,
    /// From a day on.
    Day(Date),
    /// No day is printed.
    Never,
}

/// Day that decides whether a rule acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// The day on which the authority receives the document, in Brasília.
    Reception,
    /// The date that `dhEmi` writes, in its own offset.
    Emission,
}

/// Effect of a broken rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The document is refused.
    Rejeicao,
    /// The document passes, with a notice for its issuer.
    Aviso,
    /// Nothing.
    Nada,
}

impl Effect {
    /// Notice of a broken rule: its code, and the verb for the authority's action.
    pub(crate) fn foretold(self) -> (&'static str, &'static str) {
        match self {
            Effect::Rejeicao => ("rejeicao_prevista", "deve"),
            Effect::Aviso | Effect::Nada => ("rejeicao_possivel", "pode"),
        }
    }
}

/// Facts about a document and its reception that decide whether a rule acts.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances {
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
pub struct Breach<R: 'static, B> {
    pub rule: &'static R,
    pub effect: Effect,
    /// Place of the breach.
    pub broken: B,
}

impl Term {
    /// Always acts, on every issuer.
    pub const ALWAYS: Term = Term { onset: Onset::Manual, effect: Effect::Rejeicao, ..Term::NEVER };
    /// Printed without a day.
    pub const UNDATED: Term = Term { effect: Effect::Rejeicao, ..Term::NEVER };
    /// Never acts.
    pub const NEVER: Term = Term {
        onset: Onset::Never,
        last: None,
        occasion: Occasion::Reception,
        ufs: None,
        crts: None,
        effect: Effect::Nada,
    };

    /// Effect of the rule on a document that breaks it.
    pub fn effect_on(&self, met: &Circumstances) -> Effect {
        let day = match self.occasion {
            Occasion::Reception => Some(met.received),
            Occasion::Emission => met.issued,
        };
        let acts = day.is_some_and(|day| self.is_in_force(day))
            && is_among(self.ufs.as_deref(), met.uf)
            && is_among(self.crts.as_deref(), met.crt);
        if acts { self.effect } else { Effect::Nada }
    }

    /// The first day; `None` for a rule as old as the manual, or without a day.
    pub fn first(&self) -> Option<Date> {
        match self.onset {
            Onset::Day(first) => Some(first),
            Onset::Manual | Onset::Never => None,
        }
    }

    fn is_in_force(&self, day: Date) -> bool {
        let has_begun = match self.onset {
            Onset::Manual => true,
            Onset::Day(first) => first <= day,
            Onset::Never => false,
        };
        has_begun && self.last.is_none_or(|last| day <= last)
    }
}

fn is_among<T: PartialEq>(chosen: Option<&[T]>, one: Option<T>) -> bool {
    chosen.is_none_or(|chosen| one.is_some_and(|one| chosen.contains(&one)))
}
