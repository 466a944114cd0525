//! The rules as printed in the official documents, with their dates, and the reasons of those without a function
//! (`book.tsv`).
//!
//! Law: MOC CT-e 4.00 anexo I, 2.1 and 2.2, and the notes up to NT 2026.004.

use crate::law::{DecidingDay, RuleEffect, RuleStart, RuleTerm, RuleTerms};
use crate::value::Uf;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A printed rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedCteRule {
    /// Numbers in the tables of 57 and of 67: `G158/H099`.
    pub ids: &'static str,
    /// `57`, `67`, `57+67`.
    pub models: &'static str,
    /// Code of the authority.
    pub cStat: u16,
    /// True for a rule that any issuer may break.
    pub common: bool,
    /// Reason why the rule has no function; `None` when it has one.
    pub reason: Option<UndecidedReason>,
    /// Dates, by the day of reception in Brasília.
    pub terms: RuleTerms,
    /// The latest document that prints it.
    pub source: &'static str,
}

/// Reason why a rule is not decided here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UndecidedReason {
    /// Needs registers of the authority.
    Register,
    /// Needs documents stored by the authority.
    Stored,
    /// Concerns the signature or the message, which only the receiver can check.
    Receiver,
    /// The service ended (EPEC, NT 2026.004).
    Ended,
    /// The sources used have no reliable condition.
    Unverified,
    /// Concerns a rarely used service; not implemented yet.
    Rare,
}

/// Every printed rule, in the order of the tables.
pub fn entries() -> &'static [PrintedCteRule] {
    &ENTRIES
}

/// The row of a code. A code names one rule.
pub fn entry(cStat: u16) -> Option<&'static PrintedCteRule> {
    BY_CODE.get(&cStat).copied()
}

static BY_CODE: LazyLock<HashMap<u16, &'static PrintedCteRule>> =
    LazyLock::new(|| entries().iter().map(|entry| (entry.cStat, entry)).collect());

static ENTRIES: LazyLock<Vec<PrintedCteRule>> =
    LazyLock::new(|| include_str!("book.tsv").lines().filter_map(read).collect());

/// Reads a line; `None` for a comment or an invalid row.
fn read(line: &'static str) -> Option<PrintedCteRule> {
    let mut columns = line.split('\t');
    let (ids, models, cStat) = (columns.next()?, columns.next()?, columns.next()?.parse().ok()?);
    let common = columns.next()? == "1";
    let reason = match columns.next()? {
        "-" => None,
        "register" => Some(UndecidedReason::Register),
        "stored" => Some(UndecidedReason::Stored),
        "receiver" => Some(UndecidedReason::Receiver),
        "epec" => Some(UndecidedReason::Ended),
        "rare" => Some(UndecidedReason::Rare),
        _ => Some(UndecidedReason::Unverified),
    };
    let (homologacao, producao, source) = (term(columns.next()?)?, term(columns.next()?)?, columns.next()?);
    let ufs: Option<Vec<Uf>> = columns.next().map(|ufs| ufs.split(' ').filter_map(Uf::from_sigla).collect());
    let terms =
        RuleTerms { homologacao: RuleTerm { ufs: ufs.clone(), ..homologacao }, producao: RuleTerm { ufs, ..producao } };
    Some(PrintedCteRule { ids, models, cStat, common, reason, terms, source })
}

/// Term from a day on. `-`: in force with the manual, or since a day that the sources do not print. `futura`: announced
/// without a day.
fn term(text: &str) -> Option<RuleTerm> {
    let onset = match text {
        "-" => RuleStart::Manual,
        "futura" => RuleStart::Never,
        day => RuleStart::Day(day.parse().ok()?),
    };
    Some(RuleTerm {
        onset,
        last: None,
        occasion: DecidingDay::Reception,
        ufs: None,
        crts: None,
        effect: RuleEffect::Rejeicao,
    })
}
