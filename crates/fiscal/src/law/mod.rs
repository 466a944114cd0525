//! The law of an installation: the printed terms of every rule, with the operator's changes.
//!
//! Law: the rule books (`nfe::rules::book`, `cte::rules::book`) print terms with their sources. Days of technical notes
//! move often, so a file of the operator can change them. Must not know: the place of that file, the conditions of
//! rules.

mod calendar;
mod change;
mod file;
mod printed_rules;
mod term;
#[cfg(test)]
mod tests;

pub use calendar::{CalendarEntry, calendar};
pub use change::LawChange;
pub use term::{DecidingDay, ReceptionFacts, RuleBreach, RuleEffect, RuleStart, RuleTerm, RuleTerms};

use crate::reference::ibscbs::{self, ReformRates};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// Family of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleFamily {
    /// NF-e and NFC-e.
    #[default]
    Nfe,
    /// CT-e and CT-e OS.
    Cte,
    /// National NFS-e; a code is that of the annexes without its letter.
    Nfse,
}

impl RuleFamily {
    /// Name in the operator's file.
    pub fn word(self) -> &'static str {
        match self {
            RuleFamily::Nfe => "nfe",
            RuleFamily::Cte => "cte",
            RuleFamily::Nfse => "nfse",
        }
    }
}

/// Identity of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleKey {
    pub documento: RuleFamily,
    /// Id in the manual or the technical note: `UB12-10`.
    pub id: &'static str,
    /// Code of the authority.
    pub codigo: u16,
}

/// The law of an installation. The default is the printed one.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Law {
    /// The operator's file.
    written: Value,
    changes: Vec<LawChange>,
    /// Terms of the changed rules.
    changed: HashMap<RuleKey, RuleTerms>,
    /// `pCBS` by year.
    cbs: BTreeMap<i16, Decimal>,
}

impl Law {
    /// The printed law, without changes.
    pub fn printed() -> &'static Law {
        static PRINTED: LazyLock<Law> = LazyLock::new(Law::default);
        &PRINTED
    }

    /// The operator's changes, in the order of the file.
    pub fn changes(&self) -> &[LawChange] {
        &self.changes
    }

    /// Rates of the CBS set by the operator, by year, in per cent.
    pub fn cbs(&self) -> impl Iterator<Item = (i16, Decimal)> {
        self.cbs.iter().map(|(year, rate)| (*year, *rate))
    }

    /// True without changes.
    pub fn is_as_printed(&self) -> bool {
        self.changes.is_empty() && self.cbs.is_empty()
    }

    /// The terms of a rule, with `printed` as the default.
    pub fn terms<'t>(&'t self, key: &RuleKey, printed: &'t RuleTerms) -> &'t RuleTerms {
        // in most installations nothing is changed, and the lookup is skipped
        if self.changed.is_empty() { printed } else { self.changed.get(key).unwrap_or(printed) }
    }

    /// The rates of IBS and CBS on a day. The CBS of 2027 and 2028 is present when the operator set it.
    pub fn rates(&self, on: Date) -> Option<ReformRates> {
        let printed = ibscbs::rates(on)?;
        Some(ReformRates { cbs: printed.cbs.or_else(|| self.cbs.get(&on.year()).copied()), ..printed })
    }
}

/// The notice for a rate of the CBS that could not be checked, in Portuguese.
pub(crate) fn unknown_rate(year: i16) -> String {
    format!(
        "A alíquota da CBS de {year} não é conhecida por esta instalação, e pCBS não foi conferida: o operador a informa em lei.toml \
         (cbs_{year}) quando for publicada."
    )
}

impl From<Law> for Value {
    fn from(law: Law) -> Value {
        law.written
    }
}
