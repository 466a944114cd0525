//! `cargo xtask bench …`: a measurement of `bench/` with a private PostgreSQL, configured as in production.

use crate::postgres::{Durability, PrivatePostgres};
use crate::shell;
use anyhow::{Result, ensure};
use std::process::Command;

/// Runs `bench` with these arguments; removes the server and its data afterwards.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let server = if asks_a_database(args) {
        Some(PrivatePostgres::start(Durability::Full, &std::env::temp_dir())?)
    } else {
        None
    };
    let mut command = Command::new("cargo");
    command.args(["run", "--release", "--"]).args(args).current_dir(shell::root().join("bench"));
    if let Some(server) = &server {
        command.env("BENCH_DATABASE_URL", server.url());
    }
    ensure!(command.status()?.success(), "the measurement failed");
    Ok(())
}

/// `false` for measurements without a database, or with the same figures on either.
fn asks_a_database(args: &[String]) -> bool {
    !matches!(args.first().map(String::as_str), Some("sign" | "forms" | "mcp"))
}
