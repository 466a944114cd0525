//! The rules as the official documents print them, since when, and why some have no function (`book.tsv`).
//!
//! Law: MOC CT-e 4.00 anexo I, 2.1 and 2.2, and the notes up to NT 2026.004.

use crate::law::{Effect, Occasion, Onset, Term, Terms};
use crate::value::Uf;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One printed rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its numbers in the tables of 57 and of 67: `G158/H099`.
    pub ids: &'static str,
    /// `57`, `67`, `57+67`.
    pub models: &'static str,
    /// Code the authority answers.
    pub cStat: u16,
    /// Whether any issuer may meet it.
    pub common: bool,
    /// Why the table has no function of it; `None`: it has one.
    pub reason: Option<Reason>,
    /// When it acts: by the day of reception, in Brasília.
    pub terms: Terms,
    /// The document that prints it last.
    pub source: &'static str,
}

/// Why a rule is not decided here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Registers of the authority.
    Register,
    /// Documents that the authority keeps.
    Stored,
    /// The signature or the message, which only who receives can look at.
    Receiver,
    /// The service ended (EPEC, NT 2026.004).
    Ended,
    /// No condition at hand that can be relied on.
    Unverified,
    /// Of services that few use; not written yet.
    Rare,
}

/// Every printed rule, in the order of the tables.
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

/// The row of a code, which names one rule.
pub fn entry(cStat: u16) -> Option<&'static Entry> {
    BY_CODE.get(&cStat).copied()
}

static BY_CODE: LazyLock<HashMap<u16, &'static Entry>> =
    LazyLock::new(|| entries().iter().map(|entry| (entry.cStat, entry)).collect());

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| include_str!("book.tsv").lines().filter_map(read).collect());

/// A line; comments and what is no rule are none.
fn read(line: &'static str) -> Option<Entry> {
    let mut columns = line.split('\t');
    let (ids, models, cStat) = (columns.next()?, columns.next()?, columns.next()?.parse().ok()?);
    let common = columns.next()? == "1";
    let reason = match columns.next()? {
        "-" => None,
        "register" => Some(Reason::Register),
        "stored" => Some(Reason::Stored),
        "receiver" => Some(Reason::Receiver),
        "epec" => Some(Reason::Ended),
        "rare" => Some(Reason::Rare),
        _ => Some(Reason::Unverified),
    };
    let (homologacao, producao, source) = (term(columns.next()?)?, term(columns.next()?)?, columns.next()?);
    let ufs: Option<Vec<Uf>> = columns.next().map(|ufs| ufs.split(' ').filter_map(Uf::from_sigla).collect());
    let terms = Terms { homologacao: Term { ufs: ufs.clone(), ..homologacao }, producao: Term { ufs, ..producao } };
    Some(Entry { ids, models, cStat, common, reason, terms, source })
}

/// From a day on; `-`: with the manual, or since a day that no text at hand prints; `futura`: printed to come, without
/// a day.
fn term(text: &str) -> Option<Term> {
    let onset = match text {
        "-" => Onset::Manual,
        "futura" => Onset::Never,
        day => Onset::Day(day.parse().ok()?),
    };
    Some(Term { onset, last: None, occasion: Occasion::Reception, ufs: None, crts: None, effect: Effect::Rejeicao })
}
