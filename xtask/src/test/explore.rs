//! Seeds of `crates/explore` in the tests' own build; for many more see `docs/concepts/exploration.md`.

use super::count::TestCounts;
use super::run;
use crate::shell;
use crate::thread_output::say;
use anyhow::Result;
use std::process::Command;

const SEEDS: &str = "2000";

pub(super) fn step() -> Result<TestCounts> {
    let Some(_) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).to_string();
    let mut command = Command::new(shell::target().join("debug/explore"));
    command.args(["--seeds", SEEDS, "--steps", "50", "--threads", &threads]);
    let (success, last) = run::program("explore", command)?;
    say!("    {last}");
    Ok(TestCounts::of(success))
}
