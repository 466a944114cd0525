//! `cargo xtask mutants [NAME…]`: faults that were mended come back one at a time, and the exploration must find each
//! of them again.
//!
//! A mutant is a patch in `crates/explore/mutants` that takes one mend out of the product. It is applied to a copy of
//! the tree below `target/mutants`, with a target folder of its own, so that the next run compiles only what a patch
//! changes. A mutant is caught when a promise that its header names is broken with it and kept without it, in the
//! same seeds.

mod patch;
mod seeds;
mod tree;

use patch::Mutant;
pub(crate) use patch::{FOLDER, all};

use crate::shell;
use anyhow::{Result, bail};
use seeds::{Breach, Explorer};
use std::time::Instant;
use tree::Tree;

/// Seeds of one run of the exploration: what is found late in a long run cost all of it.
const BATCH: u64 = 25;

/// What came of a mutant.
enum Verdict {
    /// The first promise and seed that show it, and how to see that again.
    Caught { promise: String, seed: u64, replay: String },
    /// Why nothing shows it.
    Missed(String),
}

/// `cargo xtask mutants [NAME…]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let all = all(&shell::root())?;
    if let Some(unknown) = args.iter().find(|arg| !all.iter().any(|mutant| mutant.name == **arg)) {
        bail!("no mutant `{unknown}` in {FOLDER}");
    }
    let tree = Tree::copied()?;
    let unmutated = Explorer::built(&tree)?.kept()?;
    let mut missed = 0;
    let chosen: Vec<&Mutant> = all.iter().filter(|it| args.is_empty() || args.contains(&it.name)).collect();
    for mutant in &chosen {
        let began = Instant::now();
        let verdict = tree.with(mutant, || look(&tree, mutant, &unmutated));
        let verdict = verdict.unwrap_or_else(|error| Verdict::Missed(format!("{error:#}")));
        missed += usize::from(matches!(verdict, Verdict::Missed(_)));
        print(mutant, &verdict, began.elapsed().as_secs());
    }
    println!("{} caught, {missed} missed", chosen.len() - missed);
    if missed > 0 {
        // the counts are the last word, so no error message follows them
        std::process::exit(1);
    }
    Ok(())
}

/// Explores the mutated tree until a seed breaks a promise that the unmutated tree keeps in that seed and in every
/// one before.
fn look(tree: &Tree, mutant: &Mutant, unmutated: &Explorer) -> Result<Verdict> {
    let mutated = Explorer::built(tree)?;
    for first in (1..=mutant.seeds).step_by(usize::try_from(BATCH)?) {
        let broken = mutated.broken(mutant, first, BATCH.min(mutant.seeds - first + 1))?;
        let Some(last) = broken.iter().map(|it| it.seed).max() else { continue };
        let before = unmutated.broken(mutant, 1, last)?;
        let is_kept = |it: &Breach| !before.iter().any(|old| old.promise == it.promise && old.seed <= it.seed);
        if let Some(Breach { promise, seed, replay }) = broken.into_iter().filter(is_kept).min_by_key(|it| it.seed) {
            return Ok(Verdict::Caught { promise, seed, replay });
        }
    }
    Ok(Verdict::Missed(format!("{} seeds break none of {} anew", mutant.seeds, mutant.breaks.join(", "))))
}

fn print(mutant: &Mutant, verdict: &Verdict, took_s: u64) {
    let name = &mutant.name;
    match verdict {
        Verdict::Caught { promise, seed, replay } => {
            println!("caught {name:<24} {promise:<30} seed {seed:<4} {took_s:>4} s\n       {replay}");
        }
        Verdict::Missed(why) => println!("MISSED {name:<24} {why} {took_s} s\n       {}", mutant.fault),
    }
}
