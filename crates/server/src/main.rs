//! `carimbo`: one binary, its commands in `server::cli`.

use std::process::ExitCode;

/// A request is thousands of small strings and maps: measured in `docs/benchmarks.md`, reasons in `docs/decisions.md`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    server::cli::main()
}
