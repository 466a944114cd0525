//! Measurements of Carimbo, each compared with a yardstick of the same run: one bare OpenSSL RSA-2048 signature.
//!
//! `cargo run --release -- accept`, `beside`, `disk`, `sign`, `document`, `exports`, `forms`, `latency`, `load`,
//! `mcp`, `nodes`, `panel` and `reports`; see README.md.
#![expect(non_snake_case, reason = "official tags keep their spelling")]

mod accept;
mod beside;
mod client;
mod disk;
mod document;
mod documents;
mod exports;
mod forms;
mod latency;
mod load;
mod mcp;
mod measure;
mod nodes;
mod panel;
mod deployment;
mod post;
mod processes;
mod reports;
mod service;
mod sign;
mod process_time;
mod yardstick;

use anyhow::{Result, bail};

/// The service's allocator, so that the measured code runs as in the service.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("accept") => accept::run(&args[1..]),
        Some("beside") => beside::run(&args[1..]),
        Some("disk") => disk::run(&args[1..]),
        Some("sign") => sign::run(&args[1..]),
        Some("document") => document::run(&args[1..]),
        Some("exports") => exports::run(&args[1..]),
        Some("forms") => forms::run(&args[1..]),
        Some("latency") => latency::run(&args[1..]),
        Some("load") => load::run(&args[1..]),
        Some("mcp") => mcp::run(&args[1..]),
        Some("nodes") => nodes::run(&args[1..]),
        Some("panel") => panel::run(&args[1..]),
        Some("reports") => reports::run(&args[1..]),
        _ => bail!(
            "usage: bench accept [ITEMS ROUNDS] | bench beside OTHER [NOTES [ITEMS [ROUNDS]]] | bench disk [FOLDER] | bench sign [ITEMS ROUNDS] | bench exports [NOTES] | bench forms [alone] | bench document [DOCUMENTS [ITEMS]] | bench latency [NOTES] | bench load [DOCUMENTS] | bench mcp [CALLS] | bench nodes [DOCUMENTS] | bench panel [DOCUMENTS [CALLS]] | bench reports [JOBS] [CALLS]"
        ),
    }
}
