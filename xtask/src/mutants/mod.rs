//! `cargo xtask mutants [NAME…]`: faults that were repaired are reintroduced one at a time, and the exploration, or a
//! test, must find each of them.
//!
//! A mutant is a patch in `crates/explore/mutants` that removes one repair from the product. It is applied to a copy of
//! the tree below `target/mutants`, with its own target folder, so that the next run compiles only what a patch
//! changes. A mutant is caught when a promise of its header is broken with it and kept without it, in the same seeds;
//! or when the test of its header fails with it and passes without it.

mod header;
mod named_test;
mod patch;
mod seeds;
mod tree;

pub(crate) use named_test::TestAddress;
use patch::Mutant;
pub(crate) use patch::{Detector, FOLDER, all};

use crate::shell;
use anyhow::{Result, bail};
use seeds::{BrokenPromise, ExplorerBinary, SeedSearch};
use std::time::Instant;
use tree::TreeCopy;

/// Seeds of one run of the exploration. A larger batch would run to its end even when an early seed shows the fault.
const BATCH: u64 = 25;

/// The result of a mutant.
enum MutantResult {
    /// The promise and seed, or the test, and the command that shows it again.
    Caught { by: String, replay: String },
    /// The reason.
    Missed(String),
}

/// `cargo xtask mutants [NAME…]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let all = all(&shell::root())?;
    if let Some(unknown) = args.iter().find(|arg| !all.iter().any(|mutant| mutant.name == **arg)) {
        bail!("no mutant `{unknown}` in {FOLDER}");
    }
    let tree = TreeCopy::copy_repository()?;
    let chosen: Vec<&Mutant> = all.iter().filter(|it| args.is_empty() || args.contains(&it.name)).collect();
    let mut unmutated = None;
    let mut missed = 0;
    for mutant in &chosen {
        let began = Instant::now();
        let verdict = match &mutant.detector {
            Detector::Seeds(search) => explore(&tree, mutant, search, &mut unmutated),
            Detector::Test(test) => run_test(&tree, mutant, test),
        };
        let verdict = verdict.unwrap_or_else(|error| MutantResult::Missed(format!("{error:#}")));
        missed += usize::from(matches!(verdict, MutantResult::Missed(_)));
        print(mutant, &verdict, began.elapsed().as_secs());
    }
    println!("{} caught, {missed} missed", chosen.len() - missed);
    if missed > 0 {
        // the counts are the last line, so no error message follows them
        std::process::exit(1);
    }
    Ok(())
}

/// Explores the mutated tree until a seed breaks a promise that the unmutated tree keeps in that seed and in every one
/// before.
fn explore(
    tree: &TreeCopy,
    mutant: &Mutant,
    search: &SeedSearch,
    unmutated: &mut Option<ExplorerBinary>,
) -> Result<MutantResult> {
    let unmutated = match unmutated {
        Some(built) => built,
        none => none.insert(ExplorerBinary::build_explorer(tree)?.copy_aside()?),
    };
    mutant.with_patch(tree, || search_seeds(&ExplorerBinary::build_explorer(tree)?, search, unmutated))
}

fn search_seeds(mutated: &ExplorerBinary, search: &SeedSearch, unmutated: &ExplorerBinary) -> Result<MutantResult> {
    for first in (1..=search.seeds).step_by(usize::try_from(BATCH)?) {
        let broken = mutated.find_broken_promises(search, first, BATCH.min(search.seeds - first + 1))?;
        let Some(last) = broken.iter().map(|it| it.seed).max() else { continue };
        let before = unmutated.find_broken_promises(search, 1, last)?;
        let is_kept = |it: &BrokenPromise| !before.iter().any(|old| old.promise == it.promise && old.seed <= it.seed);
        if let Some(BrokenPromise { promise, seed, replay }) =
            broken.into_iter().filter(is_kept).min_by_key(|it| it.seed)
        {
            return Ok(MutantResult::Caught { by: format!("{promise}, seed {seed}"), replay });
        }
    }
    Ok(MutantResult::Missed(format!("{} seeds break none of {} anew", search.seeds, search.breaks.join(", "))))
}

/// Runs a test in the tree as it is, and in the mutated one.
fn run_test(tree: &TreeCopy, mutant: &Mutant, test: &TestAddress) -> Result<MutantResult> {
    let function = test.function();
    if !test.passes(tree)? {
        return Ok(MutantResult::Missed(format!("{function} fails without it")));
    }
    match mutant.with_patch(tree, || test.passes(tree))? {
        true => Ok(MutantResult::Missed(format!("{function} passes with it"))),
        false => Ok(MutantResult::Caught { by: function.to_owned(), replay: test.to_string() }),
    }
}

fn print(mutant: &Mutant, verdict: &MutantResult, took_s: u64) {
    let name = &mutant.name;
    match verdict {
        MutantResult::Caught { by, replay } => println!("caught {name:<24} {by:<40} {took_s:>4} s\n       {replay}"),
        MutantResult::Missed(why) => println!("MISSED {name:<24} {why} {took_s} s\n       {}", mutant.fault),
    }
}
