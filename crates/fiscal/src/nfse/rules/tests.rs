//! The table against the book: codes, texts, remedies, and the reasons of rules without a function (`book.tsv`).

use super::book::{NfseOmissionReason, NfseRuleEntry};
use super::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[test]
fn every_rule_has_a_code_of_its_own_and_an_official_text() {
    assert!(all().is_sorted_by(|one, other| one.codigo < other.codigo));
    for rule in all().iter().copied().chain(later()) {
        assert!(book::mensagem(rule.codigo).is_some(), "{}", rule.codigo);
        assert!(rule.mensagem().chars().count() > 10 && !rule.source().is_empty(), "{}", rule.codigo);
    }
}

#[test]
fn remedies_are_sorted_and_of_rules() {
    let codes: BTreeSet<&str> = all().iter().map(|rule| rule.codigo).collect();
    let told: Vec<&str> = remedy::codes().collect();
    assert!(told.is_sorted_by(|one, other| one < other), "{told:?}");
    let strange: Vec<_> = told.iter().filter(|code| !codes.contains(**code)).collect();
    assert!(strange.is_empty(), "{strange:?}");
}

#[test]
fn every_rule_of_the_book_has_a_function_or_says_why_not() {
    let lines = include_str!("book.tsv").lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(book::entries().len(), lines, "a line is no rule");
    assert!(book::entries().is_sorted_by(|one, other| one.codigo < other.codigo));
    let codes: BTreeSet<&str> = all().iter().map(|rule| rule.codigo).collect();
    let of_notes_to_come: BTreeSet<&str> = later().iter().map(|rule| rule.codigo).collect();
    for entry in book::entries() {
        assert_eq!(codes.contains(entry.codigo), entry.reason.is_none(), "{entry:?}");
        assert!(entry.reason.is_some() || entry.is_played, "{entry:?}");
        assert!(
            !of_notes_to_come.contains(entry.codigo) || entry.reason == Some(NfseOmissionReason::Later),
            "{entry:?}"
        );
    }
    let printed: BTreeSet<&str> = book::entries().iter().map(|entry| entry.codigo).collect();
    assert!(codes.union(&of_notes_to_come).all(|code| printed.contains(code)));
}

/// The table that `cargo xtask test rules` prints.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test command reads what this test leaves in target")]
fn the_coverage_of_the_book_is_written_down() {
    let mut counts = BTreeMap::<(bool, Option<NfseOmissionReason>), [usize; 2]>::new();
    for entry in book::entries() {
        counts.entry((!entry.common, entry.reason)).or_default()[usize::from(entry.is_played)] += 1;
    }
    let mut text = format!("{:<40}{:>8}{:>12}\n", "rules of the national NFS-e", "printed", "simulated");
    for ((rare, why), [idle, played]) in counts {
        let why = why.map_or_else(|| "by a function".to_owned(), |why| format!("{why:?}").to_lowercase());
        let name = format!("rank {}, {why}", if rare { 2 } else { 1 });
        text.push_str(&format!("{name:<40}{:>8}{played:>12}\n", idle + played));
    }
    let decidable = |entry: &&NfseRuleEntry| {
        matches!(
            entry.reason,
            None | Some(
                NfseOmissionReason::Layout
                    | NfseOmissionReason::Unverified
                    | NfseOmissionReason::Ended
                    | NfseOmissionReason::Later
            )
        )
    };
    let due = || book::entries().iter().filter(|entry| entry.common).filter(decidable);
    let (all, done) = (due().count(), due().filter(|entry| entry.reason.is_none()).count());
    // a row without reason and without function has failed the test above
    let reasoned = due()
        .filter(|entry| matches!(entry.reason, Some(NfseOmissionReason::Layout | NfseOmissionReason::Later)))
        .count();
    let percent = (done + reasoned) * 100 / all;
    text.push_str(&format!(
        "rank 1, decidable: {done} by a function and {reasoned} with a reason, of {all}: {percent} %\n"
    ));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rulebook_nfse.txt");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, &text).unwrap();
}
