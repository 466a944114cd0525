//! `carimbo`: the program. Command line (`cli`), configuration (`config`) and demonstration (`demo`).
//!
//! Starts the library `server`. The authorities of `simulador` and `demo` are those of `simulator`, which the service
//! does not know.
//! Must not know: SQL, any fiscal decision, anything of the service that a caller cannot see (the demonstration uses
//! HTTP).

mod cli;
mod config;
mod demo;
mod stop_signals;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
