//! `bench forms`: from a stored XML to the bytes of its printed form, compared with BrazilFiscalReport (PyPI). Both run
//! in turn, each in its own process, so that the memory of one is not counted for the other.

mod documents;

use crate::measure::{Samples, ms};
use anyhow::{Context as _, Result, ensure};
use documents::PrintedDocument;
use render::form::{self, DanfeLayout, PrintOptions};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The peer's release; its DACTE needs more packages than its DANFE.
const PEER: &str = "brazilfiscalreport[dacte]==1.3.1";

/// A document with a layout and a number of items.
struct FormCase {
    document: PrintedDocument,
    items: usize,
    layout: &'static str,
    rounds: usize,
    /// Milliseconds that we aim for; `None` for a length that only shows the growth.
    target: Option<f64>,
}

/// Items of an NF-e: the lengths with targets, and lengths between them that show the growth.
const LENGTHS: [usize; 6] = [1, 30, 100, 250, 500, 990];

fn cases() -> Vec<FormCase> {
    let rounds = |items: usize| (6000 / items).clamp(60, 300);
    let case = |document, layout, items: usize, target| FormCase { document, items, layout, rounds: rounds(items), target };
    let target = |items: usize| match items {
        1 | 30 => Some(1.0),
        990 => Some(12.0),
        _ => None,
    };
    let mut cases = Vec::new();
    for layout in ["classico", "nt2026010"] {
        cases.extend(LENGTHS.map(|items| case(PrintedDocument::Nfe, layout, items, target(items))));
    }
    cases.extend([1, 30].map(|items| case(PrintedDocument::Nfce, "cupom", items, target(items))));
    cases.extend([1, 30, 300].map(|items| case(PrintedDocument::Cte, "dacte", items, target(items))));
    cases.push(case(PrintedDocument::Nfse, "danfse", 1, target(1)));
    cases.push(case(PrintedDocument::Municipal, "municipal", 1, target(1)));
    cases
}

/// Figures that one process prints for one case.
struct FormFigures {
    median: Duration,
    bytes: u64,
    /// Peak memory, in KB.
    memory: u64,
}

/// Measures `forms`, or one case in this process: `forms ours FILE LAYOUT ROUNDS`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    if let [who, file, layout, rounds] = args
        && who == "ours"
    {
        return measure_here(Path::new(file), layout, rounds.parse()?);
    }
    let folder = std::env::temp_dir().join(format!("carimbo-forms-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = compare(&folder, args);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

/// Measures all cases, or those of a named layout; `alone` leaves the peer out.
fn compare(folder: &Path, words: &[String]) -> Result<()> {
    let named = |word: &str| words.iter().any(|given| given == word);
    let peer = if named("alone") { None } else { Some(install_peer(folder)?) };
    let mut cases = cases();
    if cases.iter().any(|case| named(case.layout)) {
        cases.retain(|case| named(case.layout));
    }
    println!("| | median | an item | target | size | memory | {PEER} | size | memory |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for case in &cases {
        let file = folder.join("note.xml");
        std::fs::write(&file, case.document.with_items(case.items)?)?;
        let ours = measure_ours_in_child(&file, case)?;
        let theirs = match &peer {
            Some(python) => measure_peer_form(python, &file, case)?,
            None => None,
        };
        row(case, &ours, theirs.as_ref());
    }
    Ok(())
}

fn row(case: &FormCase, ours: &FormFigures, theirs: Option<&FormFigures>) {
    let verdict = case.target.map_or_else(String::new, |target| {
        let met = ours.median.as_secs_f64() * 1e3 < target;
        format!("{target} ms: {}", if met { "met" } else { "MISSED" })
    });
    let name = format!("{}, {} {}, {}", case.document.name(), case.items, case.document.count_noun(), case.layout);
    let peer = match theirs {
        Some(told) => {
            let ratio = told.median.as_secs_f64() / ours.median.as_secs_f64();
            let larger = told.bytes as f64 / ours.bytes as f64;
            format!(
                "{} ({ratio:.0}×) | {} ({larger:.1}×) | {} MB",
                ms(told.median),
                size(told.bytes),
                told.memory / 1024
            )
        }
        None => "does not print it | | ".to_owned(),
    };
    let memory = ours.memory / 1024;
    let each = ours.median.as_secs_f64() * 1e6 / case.items as f64;
    println!(
        "| {name} | {} | {each:.1} µs | {verdict} | {} | {memory} MB | {peer} |",
        ms(ours.median),
        size(ours.bytes)
    );
}

fn size(bytes: u64) -> String {
    format!("{:.1} KB", bytes as f64 / 1000.0)
}

fn measure_ours_in_child(file: &Path, case: &FormCase) -> Result<FormFigures> {
    let file = file.to_str().context("a path of UTF-8")?;
    let rounds = case.rounds.to_string();
    let output = Command::new(std::env::current_exe()?).args(["forms", "ours", file, case.layout, &rounds]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    parse_figures(&output.stdout)?.context("ours prints every case")
}

/// Measures one case in this process and prints JSON in the peer's format.
fn measure_here(file: &Path, layout: &str, rounds: usize) -> Result<()> {
    let xml = std::fs::read(file)?;
    let layout = match layout {
        "classico" => Some(DanfeLayout::Classic),
        "nt2026010" => Some(DanfeLayout::Reform),
        _ => None,
    };
    let options = PrintOptions { layout, ..PrintOptions::default() };
    let (mut samples, mut bytes) = (Samples::default(), 0);
    // warm-up: a service is warm
    form::pdf(&xml, &options)?;
    for _ in 0..rounds {
        bytes = samples.time(|| form::pdf(&xml, &options))?.len();
    }
    let status = std::fs::read_to_string("/proc/self/status")?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let memory = memory.trim().trim_end_matches(" kB");
    println!("{{\"median_ns\":{},\"bytes\":{bytes},\"memory_kb\":{memory}}}", samples.median().as_nanos());
    Ok(())
}

/// Installs the peer in a virtual environment; returns its Python.
fn install_peer(folder: &Path) -> Result<PathBuf> {
    let place = folder.join("peer");
    let made = Command::new("python3").args(["-m", "venv"]).arg(&place).status().context("python3 -m venv")?;
    ensure!(made.success(), "python3 -m venv failed");
    let python = place.join("bin/python");
    let install = Command::new(&python).args(["-m", "pip", "install", "--quiet", PEER]).status()?;
    ensure!(install.success(), "{PEER} could not be installed");
    Ok(python)
}

fn measure_peer_form(python: &Path, file: &Path, case: &FormCase) -> Result<Option<FormFigures>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/forms/peer.py");
    // the peer takes more than a minute for 990 items
    let rounds = if case.items > 100 { 1 } else { 5 };
    let output = Command::new(python).arg(script).arg(file).arg(case.layout).arg(rounds.to_string()).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    parse_figures(&output.stdout)
}

fn parse_figures(said: &[u8]) -> Result<Option<FormFigures>> {
    let line = String::from_utf8_lossy(said);
    let told: Value = serde_json::from_str(line.lines().last().unwrap_or_default()).context("one line of JSON")?;
    let number = |name: &str| told[name].as_u64();
    let Some(median) = number("median_ns") else { return Ok(None) };
    let (bytes, memory) = (number("bytes").unwrap_or_default(), number("memory_kb").unwrap_or_default());
    Ok(Some(FormFigures { median: Duration::from_nanos(median), bytes, memory }))
}
