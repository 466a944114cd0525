//! Runs of the exploration that must hold on every commit.

#![cfg(test)]

use explore::faults::RunFaults;
use explore::fixture::RunFixture;
use explore::sale::SaleKind;
use explore::{RunOptions, RunOutcome, explore};
use std::sync::LazyLock;

static HOUSE: LazyLock<RunFixture> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(RunFixture::build_fixture()).unwrap()
});

fn options(troubles: &str) -> RunOptions {
    let troubles = RunFaults::parse(troubles).unwrap();
    RunOptions { steps: 50, troubles, kinds: SaleKind::ALL.to_vec(), is_traced: true, is_printed: false }
}

/// Number of seeds of a test: `EXPLORE_SEEDS`, or `few`.
fn seeds(few: u64) -> u64 {
    std::env::var("EXPLORE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// Asserts that no promise is broken in these runs.
fn keeps_every_promise(troubles: &str, few: u64) {
    let options = options(troubles);
    for seed in 1..=seeds(few) {
        let outcome = explore(seed, &HOUSE, &options).unwrap();
        let trace = outcome.trace.join("\n");
        assert!(outcome.breaches.is_empty(), "seed {seed} of {troubles}: {:#?}\n{trace}", outcome.breaches);
    }
}

/// A line without the codes of keys: they follow from the ids of jobs, which the operating system draws.
fn unkeyed(line: &str) -> String {
    line.split(' ')
        .map(|word| if word.starts_with('…') || word.len() > 40 { "#" } else { unnumbered(word) })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The part of a key before its code, e.g. of `55/000001/tpEmis1/…297204063`.
fn unnumbered(word: &str) -> &str {
    word.split_once('…').map_or(word, |(before, _)| before)
}

#[test]
fn a_seed_replays_line_by_line() {
    let options = options("all");
    for seed in 1..=seeds(8).min(50) {
        let [first, second] = [(); 2].map(|()| explore(seed, &HOUSE, &options).unwrap());
        let trace = |outcome: &RunOutcome| outcome.trace.iter().map(|line| unkeyed(line)).collect::<Vec<_>>();
        assert_eq!(trace(&first), trace(&second), "seed {seed}");
        assert_eq!(first.breaches.len(), second.breaches.len(), "seed {seed}");
    }
}

#[test]
fn undisturbed_sales_keep_every_promise() {
    keeps_every_promise("", 20);
}

#[test]
fn troubled_sales_keep_every_promise() {
    keeps_every_promise("all", 40);
}
