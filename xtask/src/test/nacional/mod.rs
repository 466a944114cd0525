//! Check of the national NFS-e by an independent validator: every recorded request of the service and every answer of
//! the simulator, against the OpenAPI of the Sefin Nacional, of the ADN and of the municípios' parameters.
//!
//! No package registry has the official files, and they are not ours to distribute. `nacional/*.yaml` states their
//! content in our words; `cargo xtask sefin` compares it with the official files, for those who have them, and checks
//! the records by them.

use super::count::TestCounts;
use super::{interface, records, run};
use crate::shell;
use crate::thread_output::say;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

const JUDGE: &str = "xtask/src/test/nacional/judge.py";
const SHAPES: &str = "xtask/src/test/nacional";

/// Checks the records by our table.
pub(super) fn step() -> Result<TestCounts> {
    ensure!(records::nfse_folder().is_dir(), "nothing was recorded: run the step `tests` first");
    let (passed, last) = run::program("nacional", validate_records(None)?)?;
    say!("    {last}");
    Ok(TestCounts::of(passed))
}

/// `cargo xtask sefin FOLDER`.
pub(crate) fn compare(args: &[String]) -> Result<()> {
    let [official] = args else {
        bail!("cargo xtask sefin FOLDER: the folder with Sefin-Nacional-v1.json and the ADN's two")
    };
    let official = fs::canonicalize(official).with_context(|| official.clone())?;
    fs::create_dir_all(records::nfse_folder())?;
    let output = shell::capture(&mut validate_records(Some(&official))?)?;
    print!("{}", output.text);
    ensure!(output.success, "they differ");
    Ok(())
}

fn validate_records(official: Option<&Path>) -> Result<Command> {
    let mut command = interface::python(&interface::tools()?);
    command.arg(JUDGE).arg(SHAPES).arg(records::nfse_folder()).args(official);
    Ok(command)
}
