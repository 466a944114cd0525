//! `carimbo`: the program. What an operator types (`cli`), what he sets (`config`), and the first five minutes of every
//! user (`demo`).
//!
//! What it starts is the library `server`; the authorities that `simulador` and `demo` play are those of `simulator`,
//! which the service does not know.
//! Must not know: SQL, any fiscal decision, anything of the service that a caller cannot see (the demonstration speaks
//! HTTP).

mod cli;
mod config;
mod demo;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
