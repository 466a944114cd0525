//! `cargo xtask test`: everything that must be green, from a fresh machine to one last line `N passed, N failed`.
//!
//! Steps run in order and all of them run: a red one does not hide the next. Each writes its whole output to
//! `target/xtask-test/<step>.log`; what failed is also shown. clippy, doc and tests share one profile, one set of features
//! and one set of flags, so that nothing is compiled twice.

mod contract;
mod count;
mod interface;
mod nacional;
mod rules;
mod run;
mod scratch;
mod tools;

use crate::postgres::{Durability, Server};
use anyhow::{Context, Result, bail};
use count::Tally;
use run::Cargo;
use scratch::Scratch;
use std::path::Path;
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
    /// Outlives the server, which keeps its data there.
    scratch: Option<Scratch>,
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
    Step { name: "nacional", run: |_| nacional::step() },
    Step { name: "interface", run: |_| interface::step() },
    Step { name: "fuzz", run: |_| fuzz() },
];

pub(crate) use nacional::compare;

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
    contract::forget()?;
    nacional::forget()?;
    rules::forget()?;
    if run::has_nextest() {
        let tests = nextest("tests", &[]);
        let examples = Cargo::new("doctests", &["test", "--workspace", "--doc", "--no-fail-fast"]).tests()?;
        return Ok(at_work(tests, "sqlite", session)?.tests()? + examples);
    }
    let tests = Cargo::new("tests", &["test", "--workspace", "--no-fail-fast", "--", "--show-output"]);
    at_work(tests, "sqlite", session)?.tests()
}

/// The HTTP suite again, with the service on PostgreSQL.
fn http_postgres(session: &mut Session) -> Result<Tally> {
    let suite = if run::has_nextest() {
        nextest("http-postgres", &["-E", "binary_id(server::it)"])
    } else {
        let suite = ["test", "--package", "server", "--test", "it", "--no-fail-fast", "--", "--show-output"];
        Cargo::new("http-postgres", &suite)
    };
    at_work(suite, "postgres", session)?.tests()
}

/// nextest, two tests to a core: a test waits for a socket or a clock longer than it computes.
fn nextest(log: &str, which: &[&str]) -> Cargo {
    let at_once = std::thread::available_parallelism().map_or(2, |cores| cores.get() * 2).to_string();
    let how = ["nextest", "run", "--workspace", "--no-fail-fast", "--test-threads", &at_once];
    let shown = ["--success-output", "immediate", "--failure-output", "immediate-final"];
    Cargo::new(log, &[&how[..], &shown, which].concat())
}

/// What a run of tests needs around it: a folder, a PostgreSQL, and the kind of database under the service.
fn at_work(tests: Cargo, store: &str, session: &mut Session) -> Result<Cargo> {
    let url = session.database()?;
    Ok(tests.env("TMPDIR", session.scratch()?).env("TEST_DATABASE_URL", url).env("TEST_STORE", store).recorded())
}

impl Session {
    fn database(&mut self) -> Result<String> {
        if self.postgres.is_none() {
            let server = Server::start(Durability::None, self.scratch()?)?;
            println!("private PostgreSQL at {}", server.url());
            self.postgres = Some(server);
        }
        Ok(self.postgres.as_ref().map(Server::url).unwrap_or_default())
    }

    fn scratch(&mut self) -> Result<&Path> {
        if self.scratch.is_none() {
            self.scratch = Some(Scratch::make()?);
        }
        self.scratch.as_ref().map(Scratch::folder).context("made above")
    }
}
