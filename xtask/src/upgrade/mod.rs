//! `cargo xtask upgrade BINARY [JOBS]`: today's version opens a database that an older version filled, and nothing may
//! have changed.
//!
//! The older binary issues JOBS documents in every state for one account, and every answer of all its routes is
//! recorded. For a second account it is killed during its work: notes with unknown outcome, waiting or off-line,
//! cancellations and voids under way. Today's binary then opens the database: the first account must get equal answers,
//! the second's jobs must all end, and the authorities must hold each document once. Runs on SQLite and on PostgreSQL
//! concurrently: most of the time both wait. The caller provides the older binary: `git worktree add ../before REF`,
//! and `cargo build --release` there.

mod answers;
mod fill;
mod in_progress;

use crate::lab::{self, Lab, LabOptions};
use crate::postgres::{Durability, PrivatePostgres};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{panic, thread};

/// The company whose service is killed.
const IN_FLIGHT: &str = "11444777000161";

/// Runs on both databases.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let Some(before) = args.first().map(PathBuf::from) else { bail!("which binary filled the database?") };
    let before = before.canonicalize().with_context(|| format!("{}", before.display()))?;
    let jobs = args.get(1).map_or(Ok(10_000), |text| text.parse().with_context(|| text.clone()))?;
    let today = lab::release()?;
    let server = PrivatePostgres::start(Durability::None, &std::env::temp_dir())?;
    let url = server.url();
    let on = |name: &'static str, url: Option<&str>| {
        upgrade(name, url, &before, &today, jobs).map(|harm| print_differences(name, harm))
    };
    let harm = thread::scope(|scope| {
        let sqlite = scope.spawn(|| on("upgrade-sqlite", None));
        let postgres = on("upgrade-postgres", Some(&url))?;
        let sqlite = sqlite.join().unwrap_or_else(|broken| panic::resume_unwind(broken))?;
        Ok::<_, anyhow::Error>(sqlite + postgres)
    })?;
    ensure!(harm == 0, "{harm} things are not as they were");
    Ok(())
}

/// Prints the differences; returns their number.
fn print_differences(name: &str, harm: Vec<String>) -> usize {
    harm.iter().for_each(|one| println!("{name}: {one}"));
    println!("{name}: {} differences", harm.len());
    harm.len()
}

/// Returns the differences on one database.
fn upgrade(name: &str, database: Option<&str>, before: &Path, today: &Path, jobs: usize) -> Result<Vec<String>> {
    // no request limits: they are not what is tested; today's simulator serves both versions, since it outlives the
    // older service
    let variables = [("CARIMBO_LIMITES_REQUISICOES", "0")];
    let setup = LabOptions { variables: &variables, authorities: Some(today), database, ..LabOptions::default() };
    let mut lab = Lab::start(name, before, &setup)?;
    let other = lab.another_account(before, "voo@exemplo.com.br")?;
    let mut began = Instant::now();
    let mut step = |said: String| {
        println!("{name}: {:>5.0} s  {said}", began.elapsed().as_secs_f32());
        began = Instant::now();
    };
    let filled = fill::fill_account(&lab, jobs)?;
    step(format!("{} jobs: {}", filled.jobs.len(), filled.summary()));
    let flight = in_progress::start(&lab, &other)?;
    step(format!("{} jobs in flight: {}", flight.jobs.len(), flight.summary()));
    let questions = answers::paths_to_query(&lab, &filled)?;
    let session = answers::session(&lab)?;
    let were = answers::query_paths(&lab, &questions, &session)?;
    step(format!("{} questions answered", were.len()));
    lab.service.kill()?;

    lab.reopen(today)?;
    step("opened by today's version".to_owned());
    let mut harm = answers::differences(&were, &answers::query_paths(&lab, &questions, &session)?);
    step(format!("asked again: {} differences", harm.len()));
    harm.extend(in_progress::settle_after_upgrade(&lab, &other, &flight)?);
    step("what was in flight has ended".to_owned());
    harm.extend(in_progress::authorities_agree(&lab, &other)?);
    Ok(harm)
}
