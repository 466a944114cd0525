//! The law of an installation: the printed terms of every rule, and what its operator changed without a release.
//!
//! Law: the rule books (`nfe::rules::book`, `cte::rules::book`) print terms with their source; days of technical notes
//! move often, so a file of the operator moves them again. Must not know: where that file is, how a rule is decided.

mod calendar;
mod file;
mod term;
#[cfg(test)]
mod tests;

pub use calendar::{CalendarEntry, calendar};
pub use file::Change;
pub use term::{Breach, Circumstances, Effect, Occasion, Onset, Term, Terms};

use crate::cte::rules as cte;
use crate::nfe::rules as nfe;
use crate::nfse::rules as nfse;
use crate::reference::ibscbs::{self, Rates};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// Whose rules they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Documento {
    /// NF-e and NFC-e.
    #[default]
    Nfe,
    /// CT-e and CT-e OS.
    Cte,
    /// National NFS-e; a code is that of the annexes without its letter.
    Nfse,
}

impl Documento {
    /// Its word in the operator's file.
    pub fn word(self) -> &'static str {
        match self {
            Documento::Nfe => "nfe",
            Documento::Cte => "cte",
            Documento::Nfse => "nfse",
        }
    }
}

/// A rule, by what it is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleKey {
    /// Whose it is.
    pub documento: Documento,
    /// Its id in the manual or the technical note, e.g. `UB12-10`.
    pub id: &'static str,
    /// Code that the authority answers.
    pub codigo: u16,
}

/// The law that an installation goes by. The default is the printed one.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Law {
    /// What the operator wrote.
    written: Value,
    changes: Vec<Change>,
    /// Terms of the rules that were changed.
    changed: HashMap<RuleKey, Terms>,
    /// `pCBS` by year.
    cbs: BTreeMap<i16, Decimal>,
}

impl Law {
    /// The law as it is printed.
    pub fn printed() -> &'static Law {
        static PRINTED: LazyLock<Law> = LazyLock::new(Law::default);
        &PRINTED
    }

    /// Reads what an operator wrote. Gives back everything that is wrong with it, in words for people.
    pub fn read(written: Value) -> Result<Law, Vec<String>> {
        let file::Read { changes, cbs } = file::read(&written)?;
        let mut changed = HashMap::new();
        for change in &changes {
            for (key, printed) in rules().filter(|(key, _)| change.is_of(key)) {
                change.apply(changed.entry(key).or_insert_with(|| printed.clone()));
            }
        }
        Ok(Law { written, changes, changed, cbs })
    }

    /// What the operator changed, in the order in which it was written.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The rates of the CBS that the operator set, by year, in per cent.
    pub fn cbs(&self) -> impl Iterator<Item = (i16, Decimal)> {
        self.cbs.iter().map(|(year, rate)| (*year, *rate))
    }

    /// Whether nothing was changed.
    pub fn is_as_printed(&self) -> bool {
        self.changes.is_empty() && self.cbs.is_empty()
    }

    /// The terms of a rule whose printed ones are given.
    pub fn terms<'t>(&'t self, key: &RuleKey, printed: &'t Terms) -> &'t Terms {
        // nearly every installation: no rule is looked up
        if self.changed.is_empty() { printed } else { self.changed.get(key).unwrap_or(printed) }
    }

    /// The rates of IBS and CBS of a day; the CBS of 2027 and 2028 is known where the operator set it.
    pub fn rates(&self, on: Date) -> Option<Rates> {
        let printed = ibscbs::rates(on)?;
        Some(Rates { cbs: printed.cbs.or_else(|| self.cbs.get(&on.year()).copied()), ..printed })
    }
}

/// What is told of a CBS that could not be compared with any rate, in words for people.
pub(crate) fn unknown_rate(year: i16) -> String {
    format!(
        "A alíquota da CBS de {year} não é conhecida por esta instalação, e pCBS não foi conferida: o operador a informa em lei.toml \
         (cbs_{year}) quando for publicada."
    )
}

impl TryFrom<Value> for Law {
    type Error = String;

    fn try_from(written: Value) -> Result<Law, String> {
        Law::read(written).map_err(|wrong| wrong.join("; "))
    }
}

impl From<Law> for Value {
    fn from(law: Law) -> Value {
        law.written
    }
}

/// Every rule that has a function or is asked by the simulator, with its printed terms.
fn rules() -> impl Iterator<Item = (RuleKey, &'static Terms)> {
    let of_the_authority = nfe::book::OF_THE_AUTHORITY.iter().filter_map(|(id, cStat)| nfe::book::entry(id, *cStat));
    let of_transport = cte::all().map(|rule| (rule.key(), rule.terms()));
    let of_services = nfse::printed().map(|rule| (rule.key(), rule.terms()));
    nfe::RULES
        .iter()
        .zip(nfe::printed())
        .map(|(rule, terms)| (rule.key(), *terms))
        .chain(of_the_authority.map(|entry| (entry.key(), &entry.terms)))
        .chain(of_transport)
        .chain(of_services)
}
