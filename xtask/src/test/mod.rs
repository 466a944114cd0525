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
mod records;
mod rules;
mod run;
mod scratch;
mod tools;

use crate::postgres::{Durability, PrivatePostgres};
use crate::shell;
use crate::thread_output::{self, say};
use anyhow::{Context, Result, bail};
use count::TestCounts;
use run::CargoRun;
use scratch::ScratchFolder;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A step: its name on the command line, its phase, and its function.
struct TestStep {
    name: &'static str,
    phase: StepPhase,
    run: fn(&Mutex<SharedResources>) -> Result<TestCounts>,
}

/// The phase of a step.
#[derive(Clone, Copy, PartialEq)]
enum StepPhase {
    /// First, one at a time.
    Alone,
    /// Second, concurrently.
    Beside,
    /// Third, concurrently: steps that read records of the second phase, or need an idle machine.
    After,
    /// Last, one at a time: steps that use every processor.
    Last,
}
use StepPhase::{After, Alone, Beside, Last};

/// Resources that steps share.
#[derive(Default)]
struct SharedResources {
    /// Started by the first step that needs it, stopped when the run ends, however it ends.
    postgres: Option<PrivatePostgres>,
    /// Templates of the suites' databases: a SQLite file, and the PostgreSQL clause of `CREATE DATABASE` that copies
    /// one.
    database_templates: Option<(PathBuf, String)>,
    /// Outlives the server, whose data it contains.
    scratch: Option<ScratchFolder>,
}

const STEPS: &[TestStep] = &[
    TestStep { name: "tools", phase: Alone, run: |_| tools::step() },
    TestStep { name: "schemas", phase: Alone, run: |_| command(&["schemas"]) },
    TestStep { name: "layouts", phase: Alone, run: |_| command(&["layouts", "--check"]) },
    TestStep { name: "fmt", phase: Alone, run: |_| CargoRun::new("fmt", &["fmt", "--all", "--check"]).check() },
    TestStep {
        name: "clippy",
        phase: Alone,
        run: |_| CargoRun::new("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).check(),
    },
    TestStep {
        name: "doc",
        phase: Alone,
        run: |_| CargoRun::new("doc", &["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings").check(),
    },
    TestStep { name: "tidy", phase: Alone, run: |_| tidy() },
    TestStep { name: "build", phase: Alone, run: |_| Ok(TestCounts::of(run::carimbo()?.is_some())) },
    TestStep { name: "tests", phase: Beside, run: tests },
    TestStep { name: "http-postgres", phase: Beside, run: http_postgres },
    TestStep {
        name: "doctests",
        phase: Beside,
        run: |_| CargoRun::new("doctests", &["test", "--workspace", "--doc", "--no-fail-fast"]).tests(),
    },
    TestStep { name: "interface", phase: Beside, run: |_| interface::step() },
    TestStep { name: "mails", phase: Beside, run: |_| interface::check_mails() },
    TestStep { name: "clocks", phase: After, run: |_| clocks::step() },
    TestStep { name: "contract", phase: After, run: |_| contract::step() },
    TestStep { name: "rules", phase: After, run: |_| rules::step() },
    TestStep { name: "nacional", phase: After, run: |_| nacional::step() },
    TestStep { name: "answers", phase: After, run: |_| interface::check_records() },
    TestStep { name: "fuzz", phase: After, run: |_| fuzz() },
    TestStep { name: "explore", phase: Last, run: |_| explore::step() },
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
    let chosen = |step: &&TestStep| args.is_empty() || args.iter().any(|name| name == step.name);
    let steps: Vec<&TestStep> = STEPS.iter().filter(chosen).collect();
    if steps.iter().any(|step| step.name == "tests") {
        delete_records()?;
    }
    let session = Mutex::new(SharedResources::default());
    let of = |when: StepPhase| steps.iter().copied().filter(move |step| step.phase == when).collect::<Vec<&TestStep>>();
    let mut times: Vec<StepResult> = of(Alone).into_iter().map(|step| run_step(step, &session)).collect();
    times.extend(run_steps_concurrently(&of(Beside), &session));
    times.extend(run_steps_concurrently(&of(After), &session));
    times.extend(of(Last).into_iter().map(|step| run_step(step, &session)));
    drop(session);
    let total = times.iter().fold(TestCounts::default(), |sum, (_, tally, _)| sum + *tally);
    summary(&times, total);
    if total.failed > 0 {
        // the counts are the last line, so no error message follows them
        std::process::exit(1);
    }
    Ok(())
}

/// A step with its counts and its duration.
type StepResult = (&'static str, TestCounts, Duration);

/// Deletes the records of earlier runs.
fn delete_records() -> Result<()> {
    records::delete_records()?;
    rules::delete_rule_records()
}

fn run_step(step: &TestStep, session: &Mutex<SharedResources>) -> StepResult {
    say!("==> {}", step.name);
    let began = Instant::now();
    let tally = (step.run)(session).unwrap_or_else(|error| {
        say!("{error:#}");
        TestCounts::FAILED
    });
    let took = began.elapsed();
    say!("<== {}: {} passed, {} failed in {:.1?}\n", step.name, tally.passed, tally.failed, took);
    (step.name, tally, took)
}

/// Runs each step on its own thread; prints its output when it ends.
fn run_steps_concurrently(steps: &[&'static TestStep], session: &Mutex<SharedResources>) -> Vec<StepResult> {
    if let [step] = steps {
        return vec![run_step(step, session)];
    }
    if !steps.is_empty() {
        println!("... {}\n", steps.iter().map(|step| step.name).collect::<Vec<_>>().join(", "));
    }
    let apart = |step: &'static TestStep| {
        let (timed, words) = thread_output::capture_output(|| run_step(step, session));
        println!("{words}");
        timed
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = steps.iter().map(|step| (step.name, scope.spawn(move || apart(step)))).collect();
        // a panic has printed its own message
        running
            .into_iter()
            .map(|(name, step)| step.join().unwrap_or((name, TestCounts::FAILED, Duration::ZERO)))
            .collect()
    })
}

fn summary(times: &[StepResult], total: TestCounts) {
    for (name, tally, took) in times {
        let verdict = if tally.failed == 0 { "ok" } else { "FAILED" };
        println!("{name:<14} {:>5}.{} s  {verdict}", took.as_secs(), took.subsec_millis() / 100);
    }
    println!("{} passed, {} failed", total.passed, total.failed);
}

/// Runs another command of xtask as one check.
fn command(args: &[&str]) -> Result<TestCounts> {
    crate::dispatch(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>())?;
    Ok(TestCounts::PASSED)
}

/// Sends random requests to the tests' own binary; `cargo xtask fuzz` sends a million of them.
fn fuzz() -> Result<TestCounts> {
    let Some(carimbo) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    say!("    {}", crate::fuzz::quick(&carimbo, 20_000)?);
    Ok(TestCounts::PASSED)
}

fn tidy() -> Result<TestCounts> {
    let outcomes = crate::tidy::outcomes(&[])?;
    Ok(outcomes.into_iter().fold(TestCounts::default(), |sum, (_, passed)| sum + TestCounts::of(passed)))
}

/// Runs all tests. The tests of the store run on both databases, the HTTP suite on SQLite.
fn tests(session: &Mutex<SharedResources>) -> Result<TestCounts> {
    let Some(_) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    if run::has_nextest() {
        let tests = nextest("tests", TESTS_AT_ONCE, &[]);
        return with_test_environment(tests, "sqlite", session)?.tests();
    }
    let all = ["test", "--workspace", "--all-targets", "--no-fail-fast", "--", "--show-output"];
    with_test_environment(CargoRun::new("tests", &all), "sqlite", session)?.tests()
}

/// Runs the HTTP suite again, with the service on PostgreSQL and in the coming year: a change of the law by date must
/// not turn the suite red.
fn http_postgres(session: &Mutex<SharedResources>) -> Result<TestCounts> {
    let Some(_) = run::carimbo()? else { return Ok(TestCounts::FAILED) };
    let suite = if run::has_nextest() {
        nextest("http-postgres", AGAIN_AT_ONCE, &["-E", "binary_id(carimbo::it)"])
    } else {
        let suite = ["test", "--package", "carimbo", "--test", "it", "--no-fail-fast", "--", "--show-output"];
        CargoRun::new("http-postgres", &suite)
    };
    clocks::with_clock_at(clocks::POSTGRES_SUITE_MOMENT, with_test_environment(suite, "postgres", session)?)?.tests()
}

/// Returns nextest with several tests per core: a test waits for sockets and clocks longer than it computes.
fn nextest(log: &str, to_a_core: usize, which: &[&str]) -> CargoRun {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let at_once = (cores * to_a_core).to_string();
    let how = ["nextest", "run", "--workspace", "--no-fail-fast", "--test-threads", &at_once];
    let shown = ["--success-output", "immediate", "--failure-output", "immediate-final"];
    CargoRun::new(log, &[&how[..], &shown, which].concat())
}

/// Tests of `tests` per core. The kill tests, which last longest and begin first, run three at a time
/// (`.config/nextest.toml`). With five per core some tests timed out.
const TESTS_AT_ONCE: usize = 3;
/// Tests of `http-postgres` per core, which run at the same time.
const AGAIN_AT_ONCE: usize = 1;

/// Sets the environment of a run of tests: a folder, a PostgreSQL, the kind of database under the service, and the
/// templates of the databases.
fn with_test_environment(tests: CargoRun, store: &str, session: &Mutex<SharedResources>) -> Result<CargoRun> {
    let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
    let (url, folder) = (session.database()?, session.scratch()?);
    let tests = match scratch::write_root_bundle(&folder)? {
        Some(roots) => tests.env("SSL_CERT_FILE", roots),
        None => tests,
    };
    let (file, how) = session.models(&url, &folder)?;
    // the reader of barcodes would otherwise busy-wait with a thread per core
    let tests = tests.env("TEST_MODEL_SQLITE", file).env("TEST_MODEL_POSTGRES", how).env("OMP_NUM_THREADS", "1");
    Ok(tests.env("TMPDIR", folder).env("TEST_DATABASE_URL", url).env("TEST_STORE", store).with_records())
}

impl SharedResources {
    fn database(&mut self) -> Result<String> {
        if self.postgres.is_none() {
            let server = PrivatePostgres::start(Durability::None, &self.scratch()?)?;
            say!("private PostgreSQL at {}", server.url());
            self.postgres = Some(server);
        }
        Ok(self.postgres.as_ref().map(PrivatePostgres::url).unwrap_or_default())
    }

    /// Makes the templates with the suites' own build. Running all migrations takes a third of the time of a small
    /// test, and on PostgreSQL most of it.
    fn models(&mut self, server: &str, folder: &Path) -> Result<(PathBuf, String)> {
        if self.database_templates.is_none() {
            let make = |place: &OsStr| {
                shell::capture_success(Command::new(shell::target().join("debug/examples/model")).arg(place))
            };
            let file = folder.join("modelo.db");
            make(file.as_os_str())?;
            let (base, _) = server.rsplit_once('/').context("the URL of a database")?;
            let how = make(format!("{base}/carimbo_modelo").as_ref())?;
            self.database_templates = Some((file, how.trim().to_owned()));
        }
        self.database_templates.clone().context("made above")
    }

    fn scratch(&mut self) -> Result<PathBuf> {
        if self.scratch.is_none() {
            self.scratch = Some(ScratchFolder::make()?);
        }
        self.scratch.as_ref().map(|scratch| scratch.folder().to_path_buf()).context("made above")
    }
}
