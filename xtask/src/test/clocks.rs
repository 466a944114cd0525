//! The demonstration, the notes of the guides, the recipes and both sides of each change, on the days on which the law
//! changes. A library of Debian (`libfaketime`) moves the clock of the tests' processes and of their children.

use super::count::TestCounts;
use super::run::{self, CargoRun};
use crate::thread_output::say;
use anyhow::{Context, Result};
use jiff::Timestamp;
use std::fs;
use std::path::PathBuf;

/// In production the law changes on the second and the fourth; the third run ends after midnight.
const MOMENTS: [&str; 10] = [
    "2026-12-13T10:00:00-03:00",
    "2026-12-14T10:00:00-03:00",
    "2026-12-31T23:55:00-03:00",
    "2026-12-31T23:59:57-03:00",
    "2027-01-01T10:00:00-03:00",
    "2027-02-01T10:00:00-03:00",
    "2027-03-01T10:00:00-03:00",
    "2027-07-01T10:00:00-03:00",
    "2028-01-01T10:00:00-03:00",
    "2029-01-01T10:00:00-03:00",
];

/// Instant at which the whole HTTP suite runs on PostgreSQL.
pub(super) const POSTGRES_SUITE_MOMENT: &str = "2027-01-02T10:00:00-03:00";

/// Tests that run at each instant.
const TESTS: &str = "binary_id(carimbo::it) & (test(the_demonstration_tells_its_story) | test(every_note_of_the_guides_is_taken) \
     | test(every_recipe_is_issued) | test(what_is_foretold_is_refused))";

pub(super) fn step() -> Result<TestCounts> {
    let Some(_) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    let mut all = TestCounts::default();
    for moment in MOMENTS {
        let log = format!("clocks-{}", moment.get(..16).unwrap_or(moment).replace(':', ""));
        let how = ["nextest", "run", "--workspace", "--no-fail-fast", "--success-output", "immediate", "-E", TESTS];
        let tally = with_clock_at(moment, CargoRun::new(&log, &how))?.tests()?;
        say!("    {moment}: {} passed, {} failed; {}", tally.passed, tally.failed, note_counts_of(&log));
        all = all + tally;
    }
    Ok(all)
}

/// Returns the outcomes of a run's notes as the test counted them.
fn note_counts_of(log: &str) -> String {
    let text =
        fs::read_to_string(crate::shell::root().join(format!("target/xtask-test/{log}.log"))).unwrap_or_default();
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("relógio em "));
    line.and_then(|line| line.split_once("Z: ")).map_or("no counts", |(_, counts)| counts).to_owned()
}

/// Returns the run with its clock moved to another instant.
pub(super) fn with_clock_at(moment: &str, tests: CargoRun) -> Result<CargoRun> {
    let then: Timestamp = moment.parse()?;
    let ahead = then.as_second() - Timestamp::now().as_second();
    let library = library()?;
    // monotonic clock and file times stay real: the one measures waits, the others show which builds are current
    let runner = format!(
        "env LD_PRELOAD={} FAKETIME={ahead:+}s FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1",
        library.display()
    );
    Ok(tests.env(&format!("CARGO_TARGET_{}_RUNNER", triple()), runner))
}

/// Returns the target triple as cargo's variables spell it.
fn triple() -> String {
    format!("{}_UNKNOWN_LINUX_GNU", std::env::consts::ARCH).to_ascii_uppercase()
}

fn library() -> Result<PathBuf> {
    let folders = fs::read_dir("/usr/lib").context("/usr/lib")?.flatten();
    let found = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1")).find(|path| path.is_file());
    found.context("libfaketime is not there: apt-get install faketime")
}
