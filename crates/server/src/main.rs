//! `carimbo`: one binary, its commands in `server::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::cli::main()
}
