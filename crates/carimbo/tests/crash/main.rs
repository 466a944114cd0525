//! The crash test: `carimbo serve` as a real process, killed with SIGKILL at every commit point and at random moments
//! while authorities lose requests and replies; restarted each time. At the end nothing is missing, nothing exists
//! twice, and every outcome was sent to the webhook.
//!
//! `CRASH_KILLS` (default 300, half per database) and `CRASH_SEED` (default drawn) set the run; both are printed with
//! the result. `NFSE_CRASH_KILLS` (default 12 per database) is for the national NFS-e (`services`),
//! `MUNICIPAL_CRASH_KILLS` (default 8 per database) for lots of municipal ones (`city_halls`).
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod alerts;
mod answers;
mod book;
mod caller;
mod chance;
mod child;
mod city_halls;
#[path = "../databases/copy.rs"]
mod copy;
mod ear;
mod exports;
mod in_place;
mod manifest;
mod points;
mod received;
mod refused;
mod restored;
mod run;
mod services;
mod verify;
mod world;

use world::Database;

const KILLS: u64 = 300;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_on_sqlite() {
    run::run(Database::Sqlite, kills().div_ceil(2), seed()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_on_postgres() {
    run::run(Database::Postgres, kills().div_ceil(2), seed()).await;
}

fn kills() -> u64 {
    number("CRASH_KILLS").unwrap_or(KILLS)
}

fn seed() -> u64 {
    number("CRASH_SEED").unwrap_or_else(|| getrandom::u64().unwrap() >> 32)
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} must be a number, not {text}")))
}
