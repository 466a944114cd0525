//! A run of cargo: its whole output in a log, its result, and the part of the output to show.

use super::count::{TestCounts, flaky, remarks};
use super::records;
use crate::shell;
use crate::thread_output::say;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A run of cargo that has not begun.
pub(super) struct CargoRun {
    log: String,
    command: Command,
}

impl CargoRun {
    /// `cargo <args>` with its output in `target/xtask-test/<log>.log`.
    pub(super) fn new(log: &str, args: &[&str]) -> Self {
        let mut command = cargo_with_timeout();
        command
            .args(args)
            .current_dir(shell::root())
            .stdin(Stdio::null())
            .env("CARGO_TERM_COLOR", "never")
            .env("TERM", "dumb");
        // variables that `cargo run` set for xtask do not apply to this run
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
                command.env_remove(name);
            }
        }
        Self { log: log.to_owned(), command }
    }

    /// Sets an environment variable of the run.
    pub(super) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Makes the suites record their calls and answers.
    pub(super) fn with_records(self) -> Self {
        self.env("CONTRACT_LOG", records::contract_folder()).env("NFSE_LOG", records::nfse_folder())
    }

    /// Runs as one check: green or red.
    pub(super) fn check(self) -> Result<TestCounts> {
        let (log, success) = self.finish()?;
        if !success {
            show(&log);
        }
        Ok(TestCounts::of(success))
    }

    /// Runs tests and counts them.
    pub(super) fn tests(self) -> Result<TestCounts> {
        let (log, success) = self.finish()?;
        let tally = TestCounts::read(&log, success);
        if tally.failed > 0 {
            show(&log);
        } else {
            remarks(&log).into_iter().for_each(|line| say!("    {line}"));
        }
        flaky(&log).into_iter().for_each(|name| say!("    FLAKY, to be mended: {name}"));
        Ok(tally)
    }

    fn finish(mut self) -> Result<(String, bool)> {
        let folder = shell::root().join("target/xtask-test");
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{}.log", self.log));
        let file = File::create(&path).with_context(|| path.display().to_string())?;
        self.command.stdout(file.try_clone()?).stderr(file);
        let status =
            self.command.status().with_context(|| format!("{:?} could not start", self.command.get_program()))?;
        let log = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        if !status.success() {
            say!("{status}; whole log: {}", path.display());
        }
        Ok((log, status.success()))
    }
}

/// Runs another program as one check, its output in `target/xtask-test/<log>.log`; returns its success and the last
/// line of its output.
pub(super) fn program(log: &str, mut command: Command) -> Result<(bool, String)> {
    command.current_dir(shell::root()).stdin(Stdio::null()).env("TERM", "dumb");
    let (log, success) = CargoRun { log: log.to_owned(), command }.finish()?;
    if !success {
        show(&log);
    }
    let last = log.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    Ok((success, last.to_owned()))
}

/// Returns the binary of the tests' own build, made once in a run; `None` when the build failed, which has been shown.
pub(super) fn carimbo() -> Result<Option<PathBuf>> {
    static BUILT: Mutex<Option<bool>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if built.is_none() {
        *built = Some(CargoRun::new("build", &["test", "--workspace", "--no-run"]).check()?.failed == 0);
    }
    Ok((*built == Some(true)).then(|| shell::target().join("debug/carimbo")))
}

/// `true` if cargo-nextest is installed; without it libtest runs the tests.
pub(super) fn has_nextest() -> bool {
    let mut command = Command::new(cargo());
    shell::capture(command.args(["nextest", "--version"])).is_ok_and(|output| output.success)
}

/// Returns cargo under a time limit, so that a hanging test becomes a failure.
fn cargo_with_timeout() -> Command {
    if shell::find("timeout").is_none() {
        return Command::new(cargo());
    }
    let mut command = Command::new("timeout");
    command.args(["--kill-after=30", LIMIT_S]).arg(cargo());
    command
}

fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Prints the end of the log, where cargo puts its errors; of a test run also every failed test.
fn show(log: &str) {
    let lines: Vec<&str> = log.lines().filter(|line| !is_progress(line)).collect();
    for line in &lines[lines.len().saturating_sub(SHOWN_LINES)..] {
        say!("    {line}");
    }
}

fn is_progress(line: &str) -> bool {
    let line = line.trim_start();
    let words =
        ["Compiling ", "Checking ", "Downloaded ", "Downloading ", "PASS [", "Documenting ", "Running ", "Finished "];
    words.iter().any(|word| line.starts_with(word)) || (line.starts_with("test ") && line.ends_with("... ok"))
}

const LIMIT_S: &str = "3000";
const SHOWN_LINES: usize = 600;

#[cfg(test)]
mod tests {
    use super::is_progress;

    #[test]
    fn shows_failures_and_not_progress() {
        assert!(is_progress("   Compiling fiscal v0.0.0"));
        assert!(is_progress("test a::b ... ok"));
        assert!(!is_progress("test a::b ... FAILED"));
        assert!(!is_progress("error[E0308]: mismatched types"));
    }
}
