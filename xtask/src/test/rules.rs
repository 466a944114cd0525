//! The coverage of the rule book, as the tests of the fiscal core wrote it down: printed, and whole or a failure.

use super::count::Tally;
use crate::shell;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;

fn file() -> PathBuf {
    shell::root().join("target/rulebook.txt")
}

/// Forgets an earlier run.
pub(super) fn forget() -> Result<()> {
    if file().exists() {
        fs::remove_file(file())?;
    }
    Ok(())
}

/// Prints the table.
pub(super) fn step() -> Result<Tally> {
    let table = fs::read_to_string(file()).context("nothing was written down: run the step `tests` first")?;
    table.lines().for_each(|line| println!("    {line}"));
    Ok(Tally::of(table.contains(": 100 %")))
}
