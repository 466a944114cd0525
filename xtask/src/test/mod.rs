//! `cargo xtask test`: everything that must be green, from a fresh machine to a last line `N passed, N failed`.
//!
//! All steps run: a red one does not hide the next. Steps that compile go first, one after the other, since cargo locks
//! its target folder and uses all processors. Steps that wait more than they compute (the suites, the interface) run
//! concurrently; steps that read their records follow, concurrently too. Each writes its whole output to
//! `target/xtask-test/<step>.log`; failures are also shown when the step ends. clippy, doc and tests share one profile,
//! one set of features and one set of flags, so that nothing is compiled twice.

mod clocks;
mod contract;
mod count;
mod explore;
mod interface;
mod nacional;
mod rules;
mod run;
mod scratch;
mod tools;

use crate::postgres::{Durability, Server};
use crate::said::{self, say};
use crate::shell;
use anyhow::{Context, Result, bail};
use count::Tally;
use run::Cargo;
use scratch::Scratch;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A step: its name on the command line, its phase, and its function.
struct Step {
    name: &'static str,
    when: When,
    run: fn(&Mutex<Session>) -> Result<Tally>,
}

/// The phase of a step.
#[derive(Clone, Copy, PartialEq)]
enum When {
    /// First, one at a time.
    Alone,
    /// Second, concurrently.
    Beside,
    /// Third, concurrently: steps that read records of the second phase, or need an idle machine.
    After,
    /// Last, one at a time: steps that use every processor.
    Last,
}
use When::{After, Alone, Beside, Last};

/// Resources that steps share.
#[derive(Default)]
struct Session {
    /// Started by the first step that needs it, stopped when the run ends, however it ends.
    postgres: Option<Server>,
    /// Templates of the suites' databases: a SQLite file, and the PostgreSQL clause of `CREATE DATABASE` that copies
    /// one.
    models: Option<(PathBuf, String)>,
    /// Outlives the server, whose data it contains.
    scratch: Option<Scratch>,
}

const STEPS: &[Step] = &[
    Step { name: "tools", when: Alone, run: |_| tools::step() },
    Step { name: "schemas", when: Alone, run: |_| command(&["schemas"]) },
    Step { name: "layouts", when: Alone, run: |_| command(&["layouts", "--check"]) },
    Step { name: "fmt", when: Alone, run: |_| Cargo::new("fmt", &["fmt", "--all", "--check"]).check() },
    Step {
        name: "clippy",
        when: Alone,
        run: |_| Cargo::new("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).check(),
    },
    Step {
        name: "doc",
        when: Alone,
        run: |_| Cargo::new("doc", &["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings").check(),
    },
    Step { name: "tidy", when: Alone, run: |_| tidy() },
    Step { name: "build", when: Alone, run: |_| Ok(Tally::of(run::carimbo()?.is_some())) },
    Step { name: "tests", when: Beside, run: tests },
    Step { name: "http-postgres", when: Beside, run: http_postgres },
    Step {
        name: "doctests",
        when: Beside,
        run: |_| Cargo::new("doctests", &["test", "--workspace", "--doc", "--no-fail-fast"]).tests(),
    },
    Step { name: "interface", when: Beside, run: |_| interface::step() },
    Step { name: "clocks", when: After, run: |_| clocks::step() },
    Step { name: "contract", when: After, run: |_| contract::step() },
    Step { name: "rules", when: After, run: |_| rules::step() },
    Step { name: "nacional", when: After, run: |_| nacional::step() },
    Step { name: "answers", when: After, run: |_| interface::recorded() },
    Step { name: "fuzz", when: After, run: |_| fuzz() },
    Step { name: "explore", when: Last, run: |_| explore::step() },
];

pub(crate) use nacional::compare;

/// Returns the names of all steps, for the help.
pub(crate) fn names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// `cargo xtask test [STEP…]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    if let Some(unknown) = args.iter().find(|arg| !names().contains(&arg.as_str())) {
        bail!("no step `{unknown}`; there are {}", names().join(", "));
    }
    let chosen = |step: &&Step| args.is_empty() || args.iter().any(|name| name == step.name);
    let steps: Vec<&Step> = STEPS.iter().filter(chosen).collect();
    if steps.iter().any(|step| step.name == "tests") {
        forget()?;
    }
    let session = Mutex::new(Session::default());
    let of = |when: When| steps.iter().copied().filter(move |step| step.when == when).collect::<Vec<&Step>>();
    let mut times: Vec<Timed> = of(Alone).into_iter().map(|step| alone(step, &session)).collect();
    times.extend(together(&of(Beside), &session));
    times.extend(together(&of(After), &session));
    times.extend(of(Last).into_iter().map(|step| alone(step, &session)));
    drop(session);
    let total = times.iter().fold(Tally::default(), |sum, (_, tally, _)| sum + *tally);
    summary(&times, total);
    if total.failed > 0 {
        // the counts are the last line, so no error message follows them
        std::process::exit(1);
    }
    Ok(())
}

/// A step with its counts and its duration.
type Timed = (&'static str, Tally, Duration);

/// Deletes the records of earlier runs.
fn forget() -> Result<()> {
    contract::forget()?;
    nacional::forget()?;
    rules::forget()
}

fn alone(step: &Step, session: &Mutex<Session>) -> Timed {
    say!("==> {}", step.name);
    let began = Instant::now();
    let tally = (step.run)(session).unwrap_or_else(|error| {
        say!("{error:#}");
        Tally::FAILED
    });
    let took = began.elapsed();
    say!("<== {}: {} passed, {} failed in {:.1?}\n", step.name, tally.passed, tally.failed, took);
    (step.name, tally, took)
}

/// Runs each step on its own thread; prints its output when it ends.
fn together(steps: &[&'static Step], session: &Mutex<Session>) -> Vec<Timed> {
    if let [step] = steps {
        return vec![alone(step, session)];
    }
    if !steps.is_empty() {
        println!("... {}\n", steps.iter().map(|step| step.name).collect::<Vec<_>>().join(", "));
    }
    let apart = |step: &'static Step| {
        let (timed, words) = said::kept(|| alone(step, session));
        println!("{words}");
        timed
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = steps.iter().map(|step| (step.name, scope.spawn(move || apart(step)))).collect();
        // a panic has printed its own message
        running.into_iter().map(|(name, step)| step.join().unwrap_or((name, Tally::FAILED, Duration::ZERO))).collect()
    })
}

fn summary(times: &[Timed], total: Tally) {
    for (name, tally, took) in times {
        let verdict = if tally.failed == 0 { "ok" } else { "FAILED" };
        println!("{name:<14} {:>5}.{} s  {verdict}", took.as_secs(), took.subsec_millis() / 100);
    }
    println!("{} passed, {} failed", total.passed, total.failed);
}

/// Runs another command of xtask as one check.
fn command(args: &[&str]) -> Result<Tally> {
    crate::dispatch(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>())?;
    Ok(Tally::PASSED)
}

/// Sends random requests to the tests' own binary; `cargo xtask fuzz` sends a million of them.
fn fuzz() -> Result<Tally> {
    let Some(carimbo) = run::carimbo()? else { return Ok(Tally::FAILED) };
    say!("    {}", crate::fuzz::quick(&carimbo, 20_000)?);
    Ok(Tally::PASSED)
}

fn tidy() -> Result<Tally> {
    let outcomes = crate::tidy::outcomes(&[])?;
    Ok(outcomes.into_iter().fold(Tally::default(), |sum, (_, passed)| sum + Tally::of(passed)))
}

/// Runs all tests. The tests of the store run on both databases, the HTTP suite on SQLite.
fn tests(session: &Mutex<Session>) -> Result<Tally> {
    let Some(_) = run::carimbo()? else { return Ok(Tally::FAILED) };
    if run::has_nextest() {
        let tests = nextest("tests", TESTS_AT_ONCE, &[]);
        return at_work(tests, "sqlite", session)?.tests();
    }
    let all = ["test", "--workspace", "--all-targets", "--no-fail-fast", "--", "--show-output"];
    at_work(Cargo::new("tests", &all), "sqlite", session)?.tests()
}

/// Runs the HTTP suite again, with the service on PostgreSQL and in the coming year: a change of the law by date must
/// not turn the suite red.
fn http_postgres(session: &Mutex<Session>) -> Result<Tally> {
    let Some(_) = run::carimbo()? else { return Ok(Tally::FAILED) };
    let suite = if run::has_nextest() {
        nextest("http-postgres", AGAIN_AT_ONCE, &["-E", "binary_id(carimbo::it)"])
    } else {
        let suite = ["test", "--package", "carimbo", "--test", "it", "--no-fail-fast", "--", "--show-output"];
        Cargo::new("http-postgres", &suite)
    };
    clocks::at(clocks::POSTGRES_SUITE_MOMENT, at_work(suite, "postgres", session)?)?.tests()
}

/// Returns nextest with several tests per core: a test waits for sockets and clocks longer than it computes.
fn nextest(log: &str, to_a_core: usize, which: &[&str]) -> Cargo {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let at_once = (cores * to_a_core).to_string();
    let how = ["nextest", "run", "--workspace", "--no-fail-fast", "--test-threads", &at_once];
    let shown = ["--success-output", "immediate", "--failure-output", "immediate-final"];
    Cargo::new(log, &[&how[..], &shown, which].concat())
}

/// Tests of `tests` per core. The kill tests, which last longest and begin first, run three at a time
/// (`.config/nextest.toml`). With five per core some tests timed out.
const TESTS_AT_ONCE: usize = 3;
/// Tests of `http-postgres` per core, which run at the same time.
const AGAIN_AT_ONCE: usize = 1;

/// Sets the environment of a run of tests: a folder, a PostgreSQL, the kind of database under the service, and the
/// templates of the databases.
fn at_work(tests: Cargo, store: &str, session: &Mutex<Session>) -> Result<Cargo> {
    let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
    let (url, folder) = (session.database()?, session.scratch()?);
    let tests = match scratch::few_roots(&folder)? {
        Some(roots) => tests.env("SSL_CERT_FILE", roots),
        None => tests,
    };
    let (file, how) = session.models(&url, &folder)?;
    // the reader of barcodes would otherwise busy-wait with a thread per core
    let tests = tests.env("TEST_MODEL_SQLITE", file).env("TEST_MODEL_POSTGRES", how).env("OMP_NUM_THREADS", "1");
    Ok(tests.env("TMPDIR", folder).env("TEST_DATABASE_URL", url).env("TEST_STORE", store).recorded())
}

impl Session {
    fn database(&mut self) -> Result<String> {
        if self.postgres.is_none() {
            let server = Server::start(Durability::None, &self.scratch()?)?;
            say!("private PostgreSQL at {}", server.url());
            self.postgres = Some(server);
        }
        Ok(self.postgres.as_ref().map(Server::url).unwrap_or_default())
    }

    /// Makes the templates with the suites' own build. Running all migrations takes a third of the time of a small
    /// test, and on PostgreSQL most of it.
    fn models(&mut self, server: &str, folder: &Path) -> Result<(PathBuf, String)> {
        if self.models.is_none() {
            let make =
                |place: &OsStr| shell::expect(Command::new(shell::target().join("debug/examples/model")).arg(place));
            let file = folder.join("modelo.db");
            make(file.as_os_str())?;
            let (base, _) = server.rsplit_once('/').context("the URL of a database")?;
            let how = make(format!("{base}/carimbo_modelo").as_ref())?;
            self.models = Some((file, how.trim().to_owned()));
        }
        self.models.clone().context("made above")
    }

    fn scratch(&mut self) -> Result<PathBuf> {
        if self.scratch.is_none() {
            self.scratch = Some(Scratch::make()?);
        }
        self.scratch.as_ref().map(|scratch| scratch.folder().to_path_buf()).context("made above")
    }
}
