//! `cargo xtask upgrade BINARY [JOBS]`: a database that an older version filled is opened by today's, and nothing may
//! have changed.
//!
//! The older binary issues JOBS documents in every state for one account, and every answer of every route it has is
//! written down. For a second account it is killed in the middle of everything: notes in doubt, waiting, off-line,
//! cancellations and voids under way. Today's binary then opens the database: the first account must be answered the
//! same, the second's jobs must all come to an end, and the authorities must hold each document once. On SQLite and on
//! PostgreSQL, side by side: most of the time both wait. Where the older binary comes from is the caller's: `git
//! worktree add ../before REF`, and `cargo build --release` there.

mod answers;
mod fill;
mod flight;

use crate::lab::{self, Lab, Setup};
use crate::postgres::{Durability, Server};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{panic, thread};

/// The company that is killed in the middle of its work.
const IN_FLIGHT: &str = "11444777000161";

/// Both databases, one after the other.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let Some(before) = args.first().map(PathBuf::from) else { bail!("which binary filled the database?") };
    let before = before.canonicalize().with_context(|| format!("{}", before.display()))?;
    let jobs = args.get(1).map_or(Ok(10_000), |text| text.parse().with_context(|| text.clone()))?;
    let today = lab::release()?;
    let server = Server::start(Durability::None, &std::env::temp_dir())?;
    let url = server.url();
    let on =
        |name: &'static str, url: Option<&str>| upgrade(name, url, &before, &today, jobs).map(|harm| told(name, harm));
    let harm = thread::scope(|scope| {
        let sqlite = scope.spawn(|| on("upgrade-sqlite", None));
        let postgres = on("upgrade-postgres", Some(&url))?;
        let sqlite = sqlite.join().unwrap_or_else(|broken| panic::resume_unwind(broken))?;
        Ok::<_, anyhow::Error>(sqlite + postgres)
    })?;
    ensure!(harm == 0, "{harm} things are not as they were");
    Ok(())
}

/// Prints them; how many there are.
fn told(name: &str, harm: Vec<String>) -> usize {
    harm.iter().for_each(|one| println!("{name}: {one}"));
    println!("{name}: {} differences", harm.len());
    harm.len()
}

/// What is not as it was.
fn upgrade(name: &str, database: Option<&str>, before: &Path, today: &Path, jobs: usize) -> Result<Vec<String>> {
    // the limits of requests are not what is looked at; today's simulator serves both, for it outlives the older
    // service
    let variables = [("CARIMBO_LIMITES_REQUISICOES", "0")];
    let setup = Setup { variables: &variables, authorities: Some(today), database, ..Setup::default() };
    let mut lab = Lab::start(name, before, &setup)?;
    let other = lab.another_account(before, "voo@exemplo.com.br")?;
    let mut began = Instant::now();
    let mut step = |said: String| {
        println!("{name}: {:>5.0} s  {said}", began.elapsed().as_secs_f32());
        began = Instant::now();
    };
    let filled = fill::fill(&lab, jobs)?;
    step(format!("{} jobs: {}", filled.jobs.len(), filled.summary()));
    let flight = flight::start(&lab, &other)?;
    step(format!("{} jobs in flight: {}", flight.jobs.len(), flight.summary()));
    let questions = answers::questions(&lab, &filled)?;
    let session = answers::session(&lab)?;
    let were = answers::ask(&lab, &questions, &session)?;
    step(format!("{} questions answered", were.len()));
    lab.service.kill()?;

    lab.reopen(today)?;
    step("opened by today's version".to_owned());
    let mut harm = answers::differences(&were, &answers::ask(&lab, &questions, &session)?);
    step(format!("asked again: {} differences", harm.len()));
    harm.extend(flight::land(&lab, &other, &flight)?);
    step("what was in flight has ended".to_owned());
    harm.extend(flight::authorities_agree(&lab, &other)?);
    Ok(harm)
}
