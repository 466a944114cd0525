//! `carimbo`: the program. What an operator types (`cli`), what he sets (`config`), and the first five minutes of every user (`demo`).
//!
//! What it starts is the library `server`; the authorities that `simulador` and `demo` play are those of `simulator`, which the service does not know.
//! Must not know: SQL, any fiscal decision, anything of the service that a caller cannot see (the demonstration speaks HTTP).

mod cli;
mod config;
mod demo;

use std::process::ExitCode;

/// A request is thousands of small strings and maps: measured in `docs/benchmarks.md`, reasons in `docs/decisions.md`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
