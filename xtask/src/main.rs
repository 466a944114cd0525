//! All automation of this repository, in Rust: `cargo xtask <command>`.
//!
//! Must not know: how a document is built or sent. It runs tools, reads sources and writes generated files.

mod anchors;
mod attack;
mod bench;
mod fuzz;
mod galeria;
mod lab;
mod layouts;
mod mutants;
mod postgres;
mod shell;
mod tables;
mod test;
mod thread_output;
mod tidy;
mod upgrade;

use anyhow::{Result, bail};
use std::process::ExitCode;

/// A command: its name, arguments, description and function.
struct TaskCommand {
    name: &'static str,
    takes: &'static str,
    does: &'static str,
    run: fn(&[String]) -> Result<()>,
}

const COMMANDS: &[TaskCommand] = &[
    TaskCommand { name: "help", takes: "", does: "this list", run: help },
    TaskCommand {
        name: "test",
        takes: "[STEP…]",
        does: "everything that must be green, tools included: formatting, lints, docs, tidy, all tests on SQLite and PostgreSQL",
        run: test::run,
    },
    TaskCommand { name: "tidy", takes: "[CHECK…]", does: "the house rules that clippy cannot check", run: tidy::run },
    TaskCommand {
        name: "postgres",
        takes: "",
        does: "a private PostgreSQL until Ctrl-C; prints the line to export",
        run: postgres::run,
    },
    TaskCommand {
        name: "bench",
        takes: "sign | forms | load [N] | reports [N] [CALLS]",
        does: "a measurement of bench/, with a private PostgreSQL beside it (BENCH_ONLY=sqlite|postgres leaves one out)",
        run: bench::run,
    },
    TaskCommand {
        name: "attack",
        takes: "[NAME…]",
        does: "what hostile callers do to the release binary on loopback: /health, memory, panics (minutes; on a quiet machine)",
        run: attack::run,
    },
    TaskCommand {
        name: "fuzz",
        takes: "[N] [SEED]",
        does: "N requests drawn by chance at the release binary (1,000,000; goes on where it was interrupted): no 5xx, memory bounded",
        run: fuzz::run,
    },
    TaskCommand {
        name: "mutants",
        takes: "[NAME…]",
        does: "the exploration finds each mended fault of crates/explore/mutants again when its mend is taken out (minutes)",
        run: mutants::run,
    },
    TaskCommand {
        name: "upgrade",
        takes: "BINARY [N]",
        does: "a database that an older binary filled with N jobs (10,000), opened by the release binary on both databases: nothing changed",
        run: upgrade::run,
    },
    TaskCommand {
        name: "sefin",
        takes: "FOLDER",
        does: "our table of the national NFS-e's interface, and what the last tests recorded of it, against the official OpenAPI files in a folder",
        run: test::compare,
    },
    TaskCommand {
        name: "galeria",
        takes: "",
        does: "draws every printed form anew into docs/galeria (poppler, pngquant): to be looked at",
        run: galeria::run,
    },
    TaskCommand {
        name: "layouts",
        takes: "[--check]",
        does: "rewrites the layout tables compiled from the official XSDs (PyPI); --check only compares",
        run: layouts::run,
    },
    TaskCommand {
        name: "schemas",
        takes: "",
        does: "lays the official XSDs out in target/schemas, for the tests that ask libxml2",
        run: layouts::schemas,
    },
    TaskCommand {
        name: "tables",
        takes: "[--check] [--ncm ARQUIVO]",
        does: "rewrites the reference tables and trust anchors that others publish (npm, PyPI); --check only compares the tables",
        run: rewrite_tables,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let Some((name, rest)) = args.split_first() else { return help(&[]) };
    let name = if matches!(name.as_str(), "--help" | "-h") { "help" } else { name };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        bail!("no command `{name}`; `cargo xtask help` lists them");
    };
    (command.run)(rest)
}

fn rewrite_tables(args: &[String]) -> Result<()> {
    tables::run(args)?;
    if args.iter().any(|arg| arg == "--check") { Ok(()) } else { anchors::run() }
}

/// `true` if `cargo xtask <name>` exists.
fn has_command(name: &str) -> bool {
    COMMANDS.iter().any(|command| command.name == name)
}

fn help(_: &[String]) -> Result<()> {
    println!("cargo xtask <command>\n");
    for command in COMMANDS {
        println!("  {:<24} {}", format!("{} {}", command.name, command.takes), command.does);
    }
    println!("\nchecks of tidy: {}", tidy::names().join(", "));
    println!("steps of test:  {}", test::names().join(", "));
    println!("attacks:        {}", attack::names().join(", "));
    Ok(())
}
