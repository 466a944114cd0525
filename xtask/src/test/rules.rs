//! Coverage of the rule book, as recorded by the tests of the fiscal core: printed; incomplete coverage is a failure.

use super::count::TestCounts;
use crate::shell;
use crate::thread_output::say;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;

/// Returns the records of NF-e, CT-e and national NFS-e.
fn files() -> [PathBuf; 3] {
    ["target/rulebook.txt", "target/rulebook_cte.txt", "target/rulebook_nfse.txt"].map(|file| shell::root().join(file))
}

/// Deletes the records of an earlier run.
pub(super) fn delete_rule_records() -> Result<()> {
    for file in files().iter().filter(|file| file.exists()) {
        fs::remove_file(file)?;
    }
    Ok(())
}

/// Prints the tables.
pub(super) fn step() -> Result<TestCounts> {
    let mut whole = true;
    for file in files() {
        let table = fs::read_to_string(file).context("nothing was written down: run the step `tests` first")?;
        table.lines().for_each(|line| say!("    {line}"));
        whole &= table.contains(": 100 %");
    }
    Ok(TestCounts::of(whole))
}
