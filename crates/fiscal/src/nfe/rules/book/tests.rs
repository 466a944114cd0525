//! The book against the table of rules: what is mandatory, decidable and in force has its function or its reason, and nothing else acts.

use super::aside::ASIDE;
use super::*;
use crate::nfe::rules::{Facts, Model, RULES, Rule};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// One that an operator of the simulator may switch on before its day.
const BEFORE_THEIR_DAY: &[u16] = &[975];

fn due() -> impl Iterator<Item = &'static Entry> {
    entries().iter().filter(|row| row.is_of_the_note() && row.kind == Enforcement::Mandatory && row.needs.decidable())
}

/// Whether a model is asked: `nfe` and `nfce` as columns of the book.
fn covers(row: &Entry, on: Model) -> bool {
    match on {
        Model::Both => row.nfe && row.nfce,
        Model::NFe => row.nfe,
        Model::NFCe => row.nfce,
        // of model 55 only what is printed as tipo 2: the book says both, or 65 where only the text of the exception widens it
        Model::Retail => row.nfce,
    }
}

fn has_function(row: &Entry) -> bool {
    RULES.iter().any(|rule| (rule.id, rule.cStat) == (row.id, row.cStat))
}

#[test]
fn every_row_is_read_and_stands_once() {
    let lines = |table: &str| table.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(entries().len(), lines(include_str!("note.tsv")) + lines(include_str!("services.tsv")));
    let mut seen = BTreeSet::new();
    for row in entries() {
        assert!(row.nfe || row.nfce, "{row:?}");
        assert!(seen.insert((row.document, row.id, row.nfe, row.nfce, row.cStat)), "{row:?}");
    }
}

#[test]
fn every_mandatory_rule_that_can_be_decided_here_has_a_function_or_a_reason() {
    let missing: Vec<String> = due()
        .filter(|row| !has_function(row) && reason(row.id, row.cStat).is_none())
        .map(|row| format!("{} {} {:?}", row.id, row.cStat, row.needs))
        .collect();
    assert!(missing.is_empty(), "{} rules: {missing:#?}", missing.len());
}

#[test]
fn every_rule_of_the_table_is_in_the_book_for_its_model_and_in_force() {
    for rule in RULES {
        let row = entry(rule.id, rule.cStat).unwrap_or_else(|| panic!("{} {} is in no book", rule.id, rule.cStat));
        assert!(covers(row, rule.on), "{} {:?}: the book says {row:?}", rule.id, rule.on);
        let acts = matches!(row.kind, Enforcement::Mandatory | Enforcement::Optional | Enforcement::OfTheState);
        assert!(acts || BEFORE_THEIR_DAY.contains(&row.cStat), "{row:?} is not in force");
    }
}

#[test]
fn reasons_are_of_mandatory_rules_without_a_function() {
    for (id, cStat, why) in ASIDE {
        let row = entry(id, *cStat).unwrap_or_else(|| panic!("{id} {cStat}"));
        assert!(row.kind == Enforcement::Mandatory && row.needs.decidable() && !has_function(row), "{row:?}");
        if let Reason::FoundBy(other) = why {
            assert!(RULES.iter().any(|rule: &Rule| rule.id == *other && rule.cStat == *cStat), "{id}: {other}");
        }
    }
}

#[test]
fn no_rule_acts_before_its_date() {
    let at = |text: &str, ambiente| Facts::new(text.parse().unwrap(), ambiente);
    let ids = |facts: &Facts| crate::nfe::rules::in_force(facts).map(|rule| rule.id).collect::<BTreeSet<_>>();
    let (test, live) =
        (at("2026-07-15T10:00:00-03:00", TpAmb::Homologacao), at("2026-07-15T10:00:00-03:00", TpAmb::Producao));
    // NT 2026.002: homologação on 2026-07-01, production on 2026-08-03
    assert!(ids(&test).contains("B09-40") && !ids(&live).contains("B09-40"));
    assert!(ids(&at("2026-08-03T00:00:30-03:00", TpAmb::Producao)).contains("B09-40"));
    assert!(!ids(&at("2026-08-02T23:59:30-03:00", TpAmb::Producao)).contains("B09-40"));
    let long_ago = ids(&at("2020-10-31T10:00:00-03:00", TpAmb::Producao));
    for rule in RULES {
        let row = entry(rule.id, rule.cStat).unwrap();
        assert_eq!(long_ago.contains(rule.id), row.since.1.is_none(), "{row:?}");
    }
}

/// The table that the test command prints (`cargo xtask test rules`).
#[test]
#[expect(clippy::disallowed_methods, reason = "the test command reads what this test leaves in target")]
fn the_coverage_of_the_book_is_written_down() {
    let mut text = format!("{:<32}{:>8}{:>12}\n", "rules of the note", "printed", "predicted");
    let mut counts: BTreeMap<(&str, Enforcement), (usize, usize)> = BTreeMap::new();
    for row in entries().iter().filter(|row| row.is_of_the_note()) {
        let whose = if row.needs.decidable() { "decidable" } else { "authority's" };
        let count = counts.entry((whose, row.kind)).or_default();
        count.0 += 1;
        count.1 += usize::from(has_function(row));
    }
    for ((whose, kind), (all, done)) in counts {
        text.push_str(&format!("{:<32}{all:>8}{done:>12}\n", format!("{whose}, {kind:?}")));
    }
    let (all, done) = (due().count(), due().filter(|row| has_function(row)).count());
    let reasons = due().filter(|row| reason(row.id, row.cStat).is_some()).count();
    let percent = (done + reasons) * 100 / all;
    text.push_str(&format!(
        "mandatory, in force, decidable: {done} by a function and {reasons} with a reason, of {all}: {percent} %\n"
    ));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rulebook.txt");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, &text).unwrap();
}
