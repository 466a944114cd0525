//! When, where and for whom a rule acts.

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
    /// Of what acts nowhere.
    pub const NEVER: Terms = Terms { homologacao: Term::NEVER, producao: Term::NEVER };
    /// Of what acts everywhere, since before anybody asked.
    pub const ALWAYS: Terms = Terms { homologacao: Term::ALWAYS, producao: Term::ALWAYS };
    /// Of what is printed without a day: it refuses once it is given one.
    pub const UNDATED: Terms = Terms { homologacao: Term::UNDATED, producao: Term::UNDATED };

    /// Of an environment.
    pub fn of(&self, ambiente: TpAmb) -> &Term {
        match ambiente {
            TpAmb::Homologacao => &self.homologacao,
            TpAmb::Producao => &self.producao,
        }
    }

    /// The same, to be changed.
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
    /// From when.
    pub onset: Onset,
    /// Last day; none: no end is known.
    pub last: Option<Date>,
    /// Which day is compared with both.
    pub occasion: Occasion,
    /// Issuers of these states; none: of every state.
    pub ufs: Option<Vec<Uf>>,
    /// Issuers of these CRT; none: of every regime.
    pub crts: Option<Vec<u8>>,
    /// What happens to a document that breaks it.
    pub effect: Effect,
}

/// From when a rule acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Onset {
    /// With the manual.
    Manual,
    /// On its first day.
    Day(Date),
    /// No day is printed.
    Never,
}

/// The day that a rule goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// The day on which the authority receives the document, in Brasília.
    Reception,
    /// The day that `dhEmi` writes, in its own offset.
    Emission,
}

/// What a broken rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The document is refused.
    Rejeicao,
    /// The document passes, and its issuer is told.
    Aviso,
    /// Nothing.
    Nada,
}

impl Effect {
    /// The notice of a broken rule: its code, and the verb of what the authority does.
    pub(crate) fn foretold(self) -> (&'static str, &'static str) {
        match self {
            Effect::Rejeicao => ("rejeicao_prevista", "deve"),
            Effect::Aviso | Effect::Nada => ("rejeicao_possivel", "pode"),
        }
    }
}

/// What of a document and its reception decides whether a rule acts.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances {
    /// Day of the reception, in Brasília.
    pub received: Date,
    /// Day of `dhEmi`; none where it cannot be read.
    pub issued: Option<Date>,
    /// State of the issuer.
    pub uf: Option<Uf>,
    /// CRT of the issuer.
    pub crt: Option<u8>,
}

/// A rule that a document breaks.
#[derive(Debug, Clone)]
pub struct Breach<R: 'static, B> {
    /// The rule.
    pub rule: &'static R,
    /// What it does.
    pub effect: Effect,
    /// Where it is broken.
    pub broken: B,
}

impl Term {
    /// Of what acts on everybody, since before anybody asked.
    pub const ALWAYS: Term = Term { onset: Onset::Manual, effect: Effect::Rejeicao, ..Term::NEVER };
    /// Of what is printed without a day.
    pub const UNDATED: Term = Term { effect: Effect::Rejeicao, ..Term::NEVER };
    /// Of what acts nowhere.
    pub const NEVER: Term = Term {
        onset: Onset::Never,
        last: None,
        occasion: Occasion::Reception,
        ufs: None,
        crts: None,
        effect: Effect::Nada,
    };

    /// What the rule does to a document that breaks it.
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

    /// The first day; none of a rule that is as old as the manual, or has no day.
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
