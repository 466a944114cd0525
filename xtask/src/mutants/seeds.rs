//! The program of `crates/explore` built from a tree, and the promises that its seeds break.

use super::header::PatchHeader;
use super::tree::{TreeCopy, folder};
use crate::shell;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A built exploration.
pub(super) struct ExplorerBinary(PathBuf);

/// The seeds that detect a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeedSearch {
    /// Kinds of documents of the exploration.
    pub(super) kinds: String,
    pub(super) troubles: String,
    /// Most seeds to explore.
    pub(super) seeds: u64,
    /// Promises; a breach of any of them detects the fault.
    pub(super) breaks: Vec<String>,
}

impl SeedSearch {
    pub(super) fn read(header: &PatchHeader<'_>) -> Result<SeedSearch> {
        Ok(SeedSearch {
            kinds: header.text("kinds")?.to_owned(),
            troubles: header.text("troubles")?.to_owned(),
            seeds: header.text("seeds")?.parse().context("seeds")?,
            breaks: header.text("breaks")?.split(',').map(|word| word.trim().to_owned()).collect(),
        })
    }
}

/// A promise that a run of seeds broke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BrokenPromise {
    pub(super) promise: String,
    /// The first seed that broke it.
    pub(super) seed: u64,
    /// The command that shows it again with the patch applied.
    pub(super) replay: String,
}

impl ExplorerBinary {
    /// Builds the program without optimisation: a patch compiles in seconds, and a seed takes a fifth of one.
    pub(super) fn build_explorer(tree: &TreeCopy) -> Result<ExplorerBinary> {
        let target = folder().join("target");
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--quiet", "--package", "explore", "--manifest-path"]).arg(tree.root().join("Cargo.toml"));
        cargo.env("CARGO_TARGET_DIR", &target).env("CARGO_INCREMENTAL", "1").env("CARGO_TERM_COLOR", "never");
        shell::capture_success(&mut cargo)?;
        Ok(ExplorerBinary(target.join("debug/explore")))
    }

    /// Copies the program to a path that the next build does not overwrite.
    pub(super) fn copy_aside(self) -> Result<ExplorerBinary> {
        let kept = folder().join("unmutated");
        fs::copy(&self.0, &kept).with_context(|| kept.display().to_string())?;
        Ok(ExplorerBinary(kept))
    }

    /// Returns the promises of a search that these seeds break.
    pub(super) fn find_broken_promises(
        &self,
        search: &SeedSearch,
        first: u64,
        many: u64,
    ) -> Result<Vec<BrokenPromise>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut explore = Command::new(&self.0);
        explore.args(["--kinds", &search.kinds, "--troubles", &search.troubles]);
        for (name, value) in [("--first", first), ("--seeds", many), ("--threads", u64::try_from(threads)?)] {
            explore.arg(name).arg(value.to_string());
        }
        let output = shell::capture(&mut explore)?;
        ensure!(output.text.contains(" seeds broke a promise"), "seeds from {first} on: {}", output.text);
        Ok(read(&output.text).into_iter().filter(|it| search.breaks.contains(&it.promise)).collect())
    }
}

/// Reads the broken promises from an output, each with the line of its replay.
fn read(output: &str) -> Vec<BrokenPromise> {
    let lines: Vec<&str> = output.lines().collect();
    let told = lines.windows(2).filter_map(|pair| {
        let (promise, rest) = pair[0].split_once(": ")?;
        let (seed, _) = rest.split_once(" seeds, first ")?.1.split_once(':')?;
        let replay = pair[1].trim().strip_prefix("replay: ")?;
        Some(BrokenPromise { promise: promise.to_owned(), seed: seed.parse().ok()?, replay: replay.to_owned() })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_promise_with_its_first_seed_and_its_replay() {
        let output = [
            "25 seeds of 50 steps in 5655 ms, 17 virtual hours",
            "no_false_refusal: 3 seeds, first 12: webhook nfe.rejeitada of 35: SP has it",
            "  replay: cargo run -- --seed 12",
            "went_back: 1 seeds, first 7: J1",
            "  replay: cargo run -- --seed 7",
            "3 of 25 seeds broke a promise",
        ];
        let of =
            |promise: &str, seed, replay: &str| BrokenPromise { promise: promise.into(), seed, replay: replay.into() };
        let expected =
            vec![of("no_false_refusal", 12, "cargo run -- --seed 12"), of("went_back", 7, "cargo run -- --seed 7")];
        assert_eq!(read(&output.join("\n")), expected);
        assert_eq!(read("0 of 25 seeds broke a promise\n"), Vec::new());
    }
}
