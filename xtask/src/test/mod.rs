//! `cargo xtask test`: everything that must be green, from a fresh machine to one last line `N passed, N failed`.
//!
//! Steps run in order and all of them run: a red one does not hide the next. Each writes its whole output to
//! `target/xtask-test/<step>.log`; what failed is also shown. clippy, doc and tests share one profile, one set of features
//! and one set of flags, so that nothing is compiled twice.

mod contract;
mod count;
mod interface;
mod rules;
mod run;
mod tools;

use crate::postgres::{Durability, Server};
use anyhow::{Result, bail};
use count::Tally;
use run::Cargo;
use std::time::{Duration, Instant};

/// One step: a name for the command line, and what it does.
struct Step {
    name: &'static str,
    run: fn(&mut Session) -> Result<Tally>,
}

/// What steps leave for later ones.
#[derive(Default)]
struct Session {
    /// Started by the first step that needs it, stopped when the run ends, however it ends.
    postgres: Option<Server>,
}

const STEPS: &[Step] = &[
    Step { name: "tools", run: |_| tools::step() },
    Step { name: "schemas", run: |_| command(&["schemas"]) },
    Step { name: "layouts", run: |_| command(&["layouts", "--check"]) },
    Step { name: "fmt", run: |_| Cargo::new("fmt", &["fmt", "--all", "--check"]).check() },
    Step {
        name: "clippy",
        run: |_| Cargo::new("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).check(),
    },
    Step {
        name: "doc",
        run: |_| Cargo::new("doc", &["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings").check(),
    },
    Step { name: "tidy", run: |_| tidy() },
    Step { name: "tests", run: tests },
    Step { name: "http-postgres", run: http_postgres },
    Step { name: "contract", run: |_| contract::step() },
    Step { name: "rules", run: |_| rules::step() },
    Step { name: "interface", run: |_| interface::step() },
    Step { name: "fuzz", run: |_| fuzz() },
];

/// The names of all steps, for the help.
pub(crate) fn names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// `cargo xtask test [STEP…]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    if let Some(unknown) = args.iter().find(|arg| !names().contains(&arg.as_str())) {
        bail!("no step `{unknown}`; there are {}", names().join(", "));
    }
    let mut session = Session::default();
    let mut total = Tally::default();
    let mut times = Vec::new();
    for step in STEPS.iter().filter(|step| args.is_empty() || args.iter().any(|name| name == step.name)) {
        let (tally, took) = announce(step, &mut session);
        total = total + tally;
        times.push((step.name, tally, took));
    }
    drop(session);
    summary(&times, total);
    if total.failed > 0 {
        // the counts are the last word, so no error message follows them
        std::process::exit(1);
    }
    Ok(())
}

fn announce(step: &Step, session: &mut Session) -> (Tally, Duration) {
    println!("==> {}", step.name);
    let began = Instant::now();
    let tally = (step.run)(session).unwrap_or_else(|error| {
        println!("{error:#}");
        Tally::FAILED
    });
    let took = began.elapsed();
    println!("<== {}: {} passed, {} failed in {:.1?}\n", step.name, tally.passed, tally.failed, took);
    (tally, took)
}

fn summary(times: &[(&str, Tally, Duration)], total: Tally) {
    for (name, tally, took) in times {
        let verdict = if tally.failed == 0 { "ok" } else { "FAILED" };
        println!("{name:<14} {:>5}.{} s  {verdict}", took.as_secs(), took.subsec_millis() / 100);
    }
    println!("{} passed, {} failed", total.passed, total.failed);
}

/// Another command of xtask, as one check.
fn command(args: &[&str]) -> Result<Tally> {
    crate::dispatch(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>())?;
    Ok(Tally::PASSED)
}

/// Requests drawn by chance at the tests' own binary; a million of them by hand (`cargo xtask fuzz`).
fn fuzz() -> Result<Tally> {
    let Some(carimbo) = run::carimbo()? else { return Ok(Tally::FAILED) };
    println!("    {}", crate::fuzz::quick(&carimbo, 20_000)?);
    Ok(Tally::PASSED)
}

fn tidy() -> Result<Tally> {
    let outcomes = crate::tidy::outcomes(&[])?;
    Ok(outcomes.into_iter().fold(Tally::default(), |sum, (_, passed)| sum + Tally::of(passed)))
}

/// All tests; stories of the store run on both databases inside, the HTTP suite on SQLite.
fn tests(session: &mut Session) -> Result<Tally> {
    let url = database(session)?;
    contract::forget()?;
    rules::forget()?;
    if run::has_nextest() {
        let tests = ["nextest", "run", "--workspace", "--no-fail-fast", "--success-output", "immediate"];
        let tests = Cargo::new("tests", &tests)
            .env("TEST_DATABASE_URL", &url)
            .env("TEST_STORE", "sqlite")
            .recorded()
            .tests()?;
        let examples = Cargo::new("doctests", &["test", "--workspace", "--doc", "--no-fail-fast"]).tests()?;
        return Ok(tests + examples);
    }
    let tests = ["test", "--workspace", "--no-fail-fast", "--", "--show-output"];
    Cargo::new("tests", &tests).env("TEST_DATABASE_URL", &url).env("TEST_STORE", "sqlite").recorded().tests()
}

/// The HTTP suite again, with the service on PostgreSQL.
fn http_postgres(session: &mut Session) -> Result<Tally> {
    let url = database(session)?;
    let suite: &[&str] = if run::has_nextest() {
        &[
            "nextest",
            "run",
            "--workspace",
            "--no-fail-fast",
            "--success-output",
            "immediate",
            "-E",
            "binary_id(server::it)",
        ]
    } else {
        &["test", "--package", "server", "--test", "it", "--no-fail-fast", "--", "--show-output"]
    };
    Cargo::new("http-postgres", suite).env("TEST_DATABASE_URL", &url).env("TEST_STORE", "postgres").recorded().tests()
}

fn database(session: &mut Session) -> Result<String> {
    if session.postgres.is_none() {
        let server = Server::start(Durability::None)?;
        println!("private PostgreSQL at {}", server.url());
        session.postgres = Some(server);
    }
    Ok(session.postgres.as_ref().map(Server::url).unwrap_or_default())
}
