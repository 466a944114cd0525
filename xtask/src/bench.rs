//! `cargo xtask bench …`: a measurement of `bench/` with a private PostgreSQL beside it, with everything on that production has.

use crate::postgres::{Durability, Server};
use crate::shell;
use anyhow::{Result, ensure};
use std::process::Command;

/// Runs `bench` with these arguments; the server and its data are gone afterwards.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let server = Server::start(Durability::Full)?;
    let status = Command::new("cargo")
        .args(["run", "--release", "--"])
        .args(args)
        .current_dir(shell::root().join("bench"))
        .env("BENCH_DATABASE_URL", server.url())
        .status()?;
    ensure!(status.success(), "the measurement failed");
    Ok(())
}
