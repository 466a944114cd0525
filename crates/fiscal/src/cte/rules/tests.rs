//! The table against the book of printed rules: numbers, texts, remedies, and reasons of rules without a function
//! (`book.tsv`).

use super::book::{PrintedCteRule, UndecidedReason};
use super::*;
use crate::law::RuleStart;
use jiff::civil::date;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[test]
fn every_rule_has_a_number_of_its_own_and_an_official_text() {
    for column in 0..2 {
        let ids: Vec<&str> = all().map(|rule| rule.id[column]).filter(|id| !id.is_empty()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    }
    let silent: BTreeSet<u16> =
        all().map(|rule| rule.cStat).filter(|cStat| cstat::cte::motivo(*cStat).is_none()).collect();
    assert_eq!(silent, BTreeSet::from(SILENT));
}

/// Codes of NT 2025.001 whose full texts the sources do not give.
const SILENT: [u16; 35] = [
    303, 304, 314, 319, 320, 324, 325, 328, 329, 331, 332, 333, 334, 335, 366, 367, 368, 369, 376, 380, 381, 382, 383,
    384, 385, 388, 389, 390, 391, 392, 393, 394, 395, 396, 397,
];

#[test]
fn a_facultative_rule_acts_where_a_state_is_known_to_have_it() {
    for cStat in [722, 723, 724, 725, 726, 727, 728, 730, 737, 743, 744] {
        let on = |uf| {
            let received = "2026-11-20".parse().unwrap();
            let met = ReceptionFacts { received, issued: None, uf: Some(uf), crt: None };
            book::entry(cStat).unwrap().terms.of(TpAmb::Producao).effect_on(&met)
        };
        assert_eq!((on(Uf::MG), on(Uf::SP)), (RuleEffect::Rejeicao, RuleEffect::Nada), "{cStat}");
    }
}

#[test]
fn remedies_are_sorted_and_of_rules() {
    let codes: Vec<u16> = all().map(|rule| rule.cStat).collect();
    let told: Vec<u16> = remedies::codes().collect();
    assert!(told.is_sorted_by(|one, other| one < other), "{told:?}");
    let strange: Vec<_> = told.iter().filter(|code| !codes.contains(code)).collect();
    assert!(strange.is_empty(), "{strange:?}");
}

#[test]
fn every_rule_of_the_book_has_a_function_or_says_why_not() {
    let lines = include_str!("book.tsv").lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(book::entries().len(), lines, "a line is no rule");
    let codes: BTreeSet<u16> = all().map(|rule| rule.cStat).collect();
    for entry in book::entries() {
        assert_eq!(codes.contains(&entry.cStat), entry.reason.is_none(), "{entry:?}");
        assert!(!entry.common || entry.reason != Some(UndecidedReason::Rare), "{entry:?}");
    }
    let printed: BTreeSet<u16> = book::entries().iter().map(|entry| entry.cStat).collect();
    assert_eq!(codes.difference(&printed).collect::<Vec<_>>(), Vec::<&u16>::new());
}

#[test]
fn a_code_names_one_row_of_the_book_and_every_row_its_source() {
    let codes: BTreeSet<u16> = book::entries().iter().map(|entry| entry.cStat).collect();
    assert_eq!(codes.len(), book::entries().len());
    let unnamed: Vec<u16> = book::entries().iter().filter(|e| e.source.is_empty()).map(|e| e.cStat).collect();
    assert_eq!(unnamed, Vec::<u16>::new());
}

/// Checks at instants around the first day of a code whether it acts.
fn check_days(cStat: u16, ambiente: TpAmb, expected: &[(&str, bool)]) {
    for (now, acts) in expected {
        let received = brasilia::day(now.parse().unwrap());
        let met = ReceptionFacts { received, issued: None, uf: None, crt: None };
        let found = book::entry(cStat).unwrap().terms.of(ambiente).effect_on(&met) == RuleEffect::Rejeicao;
        assert_eq!(found, *acts, "{cStat} at {now}");
    }
}

#[test]
fn a_rule_acts_from_its_day_on_by_the_reception_in_brasilia() {
    use TpAmb::{Homologacao, Producao};
    check_days(1051, Homologacao, &[("2027-01-31T23:59:59-03:00", false), ("2027-02-01T00:00:00-03:00", true)]);
    check_days(1052, Producao, &[("2027-02-28T23:59:59-03:00", false), ("2027-03-01T02:59:59Z", false)]);
    check_days(1053, Producao, &[("2027-03-01T03:00:00Z", true), ("2027-03-01T00:00:00-03:00", true)]);
    check_days(586, Producao, &[("2026-11-15T23:59:59-03:00", false), ("2026-11-16T00:00:00-03:00", true)]);
    check_days(310, Homologacao, &[("2026-06-30T23:59:59-03:00", false), ("2026-07-01T00:00:00-03:00", true)]);
    check_days(310, Producao, &[("2026-11-20T10:00:00-03:00", false), ("2029-01-01T00:00:00-03:00", false)]);
    check_days(252, Producao, &[("2023-06-01T00:00:00-03:00", true)]);
}

#[test]
fn no_rule_acts_before_its_day_and_each_does_from_it_on() {
    let mut dated = 0;
    for rule in all() {
        for ambiente in [TpAmb::Homologacao, TpAmb::Producao] {
            let term = rule.terms().of(ambiente);
            let acts = |day: Date| {
                let uf = term.ufs.as_ref().and_then(|ufs| ufs.first().copied()).or(Some(Uf::SP));
                let met = ReceptionFacts { received: day, issued: Some(day), uf, crt: Some(3) };
                term.effect_on(&met) == RuleEffect::Rejeicao
            };
            if let RuleStart::Day(first) = term.onset {
                dated += 1;
                assert!(!acts(first.yesterday().unwrap()) && acts(first), "{} {ambiente:?}", rule.cStat);
            }
            let expected = (term.onset == RuleStart::Manual, term.onset != RuleStart::Never);
            assert_eq!((acts(date(2017, 1, 1)), acts(date(2099, 1, 1))), expected, "{} {ambiente:?}", rule.cStat);
        }
    }
    assert!(dated >= 30, "only {dated} days");
}

fn named(codes: &[u16]) -> String {
    codes.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")
}

/// The table that the test command prints (`cargo xtask test rules`).
#[test]
#[expect(clippy::disallowed_methods, reason = "the test command reads what this test leaves in target")]
fn the_coverage_of_the_book_is_written_down() {
    let mut codes = BTreeMap::<(bool, Option<UndecidedReason>), Vec<u16>>::new();
    for entry in book::entries() {
        codes.entry((!entry.common, entry.reason)).or_default().push(entry.cStat);
    }
    let mut text = format!("{:<40}{:>8}\n", "rules of the CT-e and CT-e OS", "printed");
    for ((rare, reason), codes) in codes {
        let why = reason.map_or_else(|| "by a function".to_owned(), |why| format!("{why:?}").to_lowercase());
        let count = codes.len();
        text.push_str(&format!("{:<40}{count:>8}\n", format!("rank {}, {why}", if rare { 2 } else { 1 })));
        // codes that are not decided here are listed
        if matches!(reason, Some(UndecidedReason::Unverified | UndecidedReason::Rare)) {
            codes.chunks(20).for_each(|line| text.push_str(&format!("    {}\n", named(line))));
        }
    }
    let decidable = |entry: &&PrintedCteRule| {
        matches!(entry.reason, None | Some(UndecidedReason::Unverified | UndecidedReason::Rare))
    };
    let due = || book::entries().iter().filter(|entry| entry.common).filter(decidable);
    let (all, done) = (due().count(), due().filter(|entry| entry.reason.is_none()).count());
    let percent = due().filter(|entry| entry.reason != Some(UndecidedReason::Rare)).count() * 100 / all;
    text.push_str(&format!(
        "rank 1, decidable: {done} by a function and {} with a reason, of {all}: {percent} %\n",
        all - done
    ));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rulebook_cte.txt");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, &text).unwrap();
}
