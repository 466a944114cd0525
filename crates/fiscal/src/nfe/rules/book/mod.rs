//! The rule book: every validation rule that the manual and the technical notes print, with its kind and its day.
//!
//! Facts only, each row with its source. The conditions are the functions of the rules. Must not know how a rule is
//! decided.

mod omitted_rules;
#[cfg(test)]
mod tests;

pub use omitted_rules::{OmissionReason, reason};

use crate::law::{DecidingDay, RuleEffect, RuleFamily, RuleKey, RuleStart, RuleTerm, RuleTerms};
use crate::value::{TpAmb, Uf};
use jiff::civil::Date;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Rule as printed in the official documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NfeRuleEntry {
    /// Message or event of the rule: `nota` for the document itself, `todos` for every message.
    pub document: &'static str,
    /// Id, e.g. `W16-10`; `-` where the text gives none.
    pub id: &'static str,
    /// Model 55.
    pub nfe: bool,
    /// Model 65.
    pub nfce: bool,
    /// Code that the authority answers.
    pub cStat: u16,
    /// Obligation of an authority to check the rule.
    pub kind: Enforcement,
    /// Data that decide the rule.
    pub needs: DecidingData,
    /// Day, environment, state and regime in which the rule acts.
    pub terms: RuleTerms,
    /// Last document that prints the rule.
    pub source: &'static str,
}

/// Obligation of an authority to check a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Enforcement {
    /// Every authority checks it.
    Mandatory,
    /// An authority may check it.
    Optional,
    /// Each state chooses.
    OfTheState,
    /// Printed, not in force.
    Future,
    /// Taken out.
    Revoked,
}

/// Data that decide a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidingData {
    /// The caller's payload.
    Payload,
    /// Record of the company.
    Company,
    /// A public table, by name.
    Table(&'static str),
    /// Register of the authority.
    Register,
    /// Documents stored by the authority.
    Stored,
    /// Signature or certificate.
    Signature,
    /// Connection, envelope or state of the authority's service.
    Connection,
}

impl DecidingData {
    /// True when the rule can be decided before sending.
    pub fn decidable(self) -> bool {
        matches!(self, DecidingData::Payload | DecidingData::Company | DecidingData::Table(_))
    }
}

impl NfeRuleEntry {
    /// First day in an environment. `None` when the rule is as old as the manual, or has no day.
    pub fn since(&self, ambiente: TpAmb) -> Option<Date> {
        self.terms.of(ambiente).first()
    }

    /// Key of the rule among those of the NF-e and NFC-e.
    pub fn key(&self) -> RuleKey {
        RuleKey { documento: RuleFamily::Nfe, id: self.id, codigo: self.cStat }
    }

    /// True for a rule about the document itself.
    pub fn is_of_the_note(&self) -> bool {
        self.document == NOTE
    }
}

/// Returns all rows: first those of the document, then those of messages and events.
pub fn entries() -> &'static [NfeRuleEntry] {
    &BOOK
}

/// Returns the row of a rule about the document.
pub fn entry(id: &str, cStat: u16) -> Option<&'static NfeRuleEntry> {
    let at = *BY_RULE.get(&(id, cStat))?;
    BOOK.get(at)
}

/// Returns the field where a rule is broken first, as an XML path, for search by field.
pub fn field(id: &str, cStat: u16) -> Option<&'static str> {
    let lines = include_str!("fields.tsv").lines();
    let of_the_rule =
        |line: &'static str| line.strip_prefix(id)?.strip_prefix('\t')?.strip_prefix(&format!("{cStat}\t"));
    lines.filter_map(of_the_rule).next()
}

/// Rules with days but without a function, which the simulator checks or a notice covers. An operator can move their
/// days too.
pub const OF_THE_AUTHORITY: &[(&str, u16)] = &[
    ("12C02-10", 178),
    ("12C02-20", 179),
    ("12C21-20", 180),
    ("-", 181),
    ("-", 182),
    ("-", 183),
    ("-", 184),
    ("-", 185),
    ("-", 186),
    ("1C17-02", 163),
    ("1C17-04", 164),
    ("5E17-70", 246),
    ("C17-11", 166),
    ("I08-191", 159),
];

const NOTE: &str = "nota";

static BOOK: LazyLock<Vec<NfeRuleEntry>> = LazyLock::new(|| {
    let note = rows(include_str!("note.tsv")).filter_map(|row| read(NOTE, row));
    let services = rows(include_str!("services.tsv")).filter_map(|row| {
        let (document, rest) = row.split_once('\t')?;
        read(document, rest)
    });
    note.chain(services).collect()
});

static BY_RULE: LazyLock<HashMap<(&'static str, u16), usize>> = LazyLock::new(|| {
    let of_the_note = BOOK.iter().enumerate().filter(|(_, entry)| entry.is_of_the_note());
    of_the_note.map(|(at, entry)| ((entry.id, entry.cStat), at)).collect()
});

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// Reads a row. `None` for an unreadable one, which a test refuses.
fn read(document: &'static str, row: &'static str) -> Option<NfeRuleEntry> {
    let mut columns = row.split('\t');
    let mut next = || columns.next();
    let (id, models, cStat, kind, needs) = (next()?, next()?, next()?, next()?, next()?);
    let (homologacao, producao, source) = (next()?, next()?, next()?);
    let cStat = cStat.parse().ok()?;
    let limits = limits(id, cStat);
    Some(NfeRuleEntry {
        document,
        id,
        nfe: models.contains("55"),
        nfce: models.contains("65"),
        cStat,
        kind: read_kind(kind)?,
        needs: read_needs(needs)?,
        terms: limits.terms(onset(homologacao)?, onset(producao)?),
        source,
    })
}

/// Limits that few rules have (`limits.tsv`).
struct TermLimits {
    occasion: DecidingDay,
    ufs: Option<Vec<Uf>>,
    crts: Option<Vec<u8>>,
    /// Last day in homologação and in production.
    last: [Option<Date>; 2],
}

impl TermLimits {
    fn terms(self, homologacao: RuleStart, producao: RuleStart) -> RuleTerms {
        let TermLimits { occasion, ufs, crts, last } = self;
        let effect = RuleEffect::Rejeicao;
        let producao = RuleTerm { onset: producao, last: last[1], occasion, ufs, crts, effect };
        RuleTerms { homologacao: RuleTerm { onset: homologacao, last: last[0], ..producao.clone() }, producao }
    }
}

fn limits(id: &str, cStat: u16) -> TermLimits {
    let row = rows(include_str!("limits.tsv")).map(|row| row.split('\t').collect::<Vec<_>>());
    let own = row.into_iter().find(|row| row.first() == Some(&id) && row.get(1) == Some(&cStat.to_string().as_str()));
    let column = |at: usize| own.as_ref().and_then(|row| row.get(at)).copied().filter(|text| *text != "-");
    let listed = |text: &'static str| text.split(',').filter(|one| *one != NOBODY);
    TermLimits {
        occasion: if column(2) == Some("emissao") { DecidingDay::Emission } else { DecidingDay::Reception },
        ufs: column(3).map(|text| listed(text).filter_map(Uf::from_sigla).collect()),
        crts: column(4).map(|text| listed(text).filter_map(|crt| crt.parse().ok()).collect()),
        last: [5, 6].map(|at| column(at).and_then(|day| day.parse().ok())),
    }
}

/// A limit that matches no company until an operator sets one.
const NOBODY: &str = "ninguem";

fn read_kind(text: &str) -> Option<Enforcement> {
    Some(match text {
        "obrig" => Enforcement::Mandatory,
        "facul" => Enforcement::Optional,
        "uf" => Enforcement::OfTheState,
        "futura" => Enforcement::Future,
        "fora" => Enforcement::Revoked,
        _ => return None,
    })
}

fn read_needs(text: &'static str) -> Option<DecidingData> {
    Some(match text {
        "P" => DecidingData::Payload,
        "C" => DecidingData::Company,
        "R" => DecidingData::Register,
        "D" => DecidingData::Stored,
        "S" => DecidingData::Signature,
        "X" => DecidingData::Connection,
        _ => DecidingData::Table(text.strip_prefix("T ")?),
    })
}

/// Reads a day: `-` for a rule as old as the manual, `nunca` for one without a day.
fn onset(text: &str) -> Option<RuleStart> {
    Some(match text {
        "-" => RuleStart::Manual,
        "nunca" => RuleStart::Never,
        day => RuleStart::Day(day.parse().ok()?),
    })
}
