//! The book against the table of rules: every mandatory, decidable rule in force has its function or its reason, and no
//! other rule acts.

use super::omitted_rules::ASIDE;
use super::*;
use crate::law::ReceptionFacts;
use crate::nfe::rules::{NfeRule, RULES, RuleModels};
use jiff::civil::date;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A rule that an operator of the simulator may switch on before its day.
const BEFORE_THEIR_DAY: &[u16] = &[975];

fn due() -> impl Iterator<Item = &'static NfeRuleEntry> {
    entries().iter().filter(|row| row.is_of_the_note() && row.kind == Enforcement::Mandatory && row.needs.decidable())
}

/// True when the columns `nfe` and `nfce` of the book cover a model.
fn covers(row: &NfeRuleEntry, on: RuleModels) -> bool {
    match on {
        RuleModels::Both => row.nfe && row.nfce,
        RuleModels::NFe => row.nfe,
        RuleModels::NFCe => row.nfce,
        // Of model 55 only documents printed as tipo 2. The book has both models, or only 65 where the exception's text
        // alone extends the rule.
        RuleModels::Retail => row.nfce,
    }
}

fn has_function(row: &NfeRuleEntry) -> bool {
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
        if let OmissionReason::FoundBy(other) = why {
            assert!(RULES.iter().any(|rule: &NfeRule| rule.id == *other && rule.cStat == *cStat), "{id}: {other}");
        }
    }
}

/// A document whose reception, emission, state and regime are inside all limits of a rule on a day.
fn met(term: &RuleTerm, day: Date) -> ReceptionFacts {
    let uf = term.ufs.as_ref().map_or(Some(Uf::SP), |ufs| ufs.first().copied());
    let crt = term.crts.as_ref().map_or(Some(3), |crts| crts.first().copied());
    ReceptionFacts { received: day, issued: Some(day), uf, crt }
}

#[test]
fn no_rule_acts_before_its_day_and_each_does_from_it_on() {
    let mut dated = 0;
    for rule in RULES {
        let row = entry(rule.id, rule.cStat).unwrap();
        for ambiente in [TpAmb::Homologacao, TpAmb::Producao] {
            let term = row.terms.of(ambiente);
            let on = |day: Date| term.effect_on(&met(term, day)) == RuleEffect::Rejeicao;
            let nobodys = term.ufs.as_ref().is_some_and(Vec::is_empty);
            let (before, after) = match term.onset {
                RuleStart::Manual => (!nobodys, !nobodys),
                RuleStart::Day(first) => {
                    dated += 1;
                    assert!(!on(first.yesterday().unwrap()) && on(first), "{row:?} {ambiente:?}");
                    (false, true)
                }
                RuleStart::Never => (false, false),
            };
            if let Some(last) = term.last {
                assert!(on(last) && !on(last.tomorrow().unwrap()), "{row:?} {ambiente:?}");
            }
            let after = after && term.last.is_none();
            assert_eq!((on(date(2017, 1, 1)), on(date(2099, 1, 1))), (before, after), "{row:?} {ambiente:?}");
        }
    }
    assert!(dated > 300, "only {dated} days");
}

/// Days that the technical notes moved or struck out late in 2026, and the rules they removed.
#[test]
fn the_days_of_the_end_of_2026_are_those_of_the_last_texts() {
    let production = |id, cStat| entry(id, cStat).unwrap().terms.producao.onset;
    assert_eq!(production("UB12-10", 1115), RuleStart::Never);
    assert_eq!(production("VC02-14", 321), RuleStart::Day(date(2026, 11, 3)));
    for (id, cStat) in [("I08-180", 375), ("BA02-35", 679), ("VC02-40", 679)] {
        assert_eq!(production(id, cStat), RuleStart::Day(date(2026, 12, 14)), "{id}");
    }
    let taken_out = [
        ("UB14-40", 1057),
        ("I08-184", 701),
        ("I08-186", 953),
        ("VC02-50", 708),
        ("ZX01-10", 393),
        ("BA05-10", 317),
        ("BA06-10", 548),
        ("UB16-10", 1104),
    ];
    for (id, cStat) in taken_out {
        let row = entry(id, cStat).unwrap();
        assert!(row.kind == Enforcement::Revoked && !has_function(row), "{row:?}");
    }
}

/// Rules that NT 2026.007 ended on the day on which issuers without IE became possible.
#[test]
fn the_ie_of_the_issuer_is_demanded_until_it_need_not_be_there() {
    for (id, cStat) in [("C17-10", 229), ("5E17-70", 246)] {
        let terms = &entry(id, cStat).unwrap().terms;
        for (term, first) in [(&terms.homologacao, date(2026, 9, 1)), (&terms.producao, date(2026, 11, 3))] {
            let on = |day: Date| term.effect_on(&met(term, day));
            assert_eq!((on(first.yesterday().unwrap()), on(first)), (RuleEffect::Rejeicao, RuleEffect::Nada), "{id}");
        }
    }
}

#[test]
fn rules_that_only_the_authority_asks_have_days_and_no_function() {
    for (id, cStat) in OF_THE_AUTHORITY {
        let row = entry(id, *cStat).unwrap_or_else(|| panic!("{id} {cStat}"));
        let dated = row.since(TpAmb::Producao).is_some() || row.terms.producao.last.is_some();
        assert!(dated && !has_function(row), "{row:?}");
    }
}

#[test]
fn every_limit_is_of_a_rule_and_can_be_read() {
    for row in rows(include_str!("limits.tsv")) {
        let columns: Vec<_> = row.split('\t').collect();
        let [id, cStat, occasion, ufs, crts, homologacao, producao, source] = columns[..] else { panic!("{row}") };
        let terms = &entry(id, cStat.parse().unwrap()).unwrap_or_else(|| panic!("{row}")).terms;
        let printed = &terms.producao;
        for (term, last) in [(&terms.homologacao, homologacao), (printed, producao)] {
            assert_eq!(term.last, (last != "-").then(|| last.parse().unwrap()), "{row}");
        }
        assert!(matches!(occasion, "-" | "emissao") && !source.is_empty(), "{row}");
        let listed = |text: &str| text.split(',').filter(|one| *one != NOBODY).count();
        assert_eq!(printed.ufs.as_ref().map(Vec::len), (ufs != "-").then(|| listed(ufs)), "{row}");
        assert_eq!(printed.crts.as_ref().map(Vec::len), (crts != "-").then(|| listed(crts)), "{row}");
    }
}

/// The table that `cargo xtask test rules` prints.
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
