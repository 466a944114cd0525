//! The other validator: `xmllint`, many files per process.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tests of one process run concurrently.
static CALLS: AtomicUsize = AtomicUsize::new(0);
/// Files per process: below the limit of a command line.
const BATCH: usize = 500;

/// Returns libxml2's verdict on each document; `true` when valid.
pub(crate) fn verdicts(xsd: &str, documents: &[&str]) -> Vec<bool> {
    let schema = schemas().join(xsd);
    assert!(schema.is_file(), "{} is not there: run `cargo xtask schemas`, or set CARIMBO_SCHEMAS", schema.display());
    let number = CALLS.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("carimbo-agreement-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let files: Vec<PathBuf> = (0..documents.len()).map(|number| folder.join(format!("{number}.xml"))).collect();
    for (file, document) in files.iter().zip(documents) {
        fs::write(file, document).unwrap();
    }
    let verdicts = files.chunks(BATCH).flat_map(|batch| judge(&schema, batch)).collect();
    fs::remove_dir_all(&folder).unwrap();
    verdicts
}

fn judge(schema: &PathBuf, files: &[PathBuf]) -> Vec<bool> {
    let output = Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema"])
        .arg(schema)
        .args(files)
        .output()
        .expect("xmllint could not start: install libxml2-utils (`cargo xtask test` does)");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!told.contains("failed to compile"), "{told}");
    let valid: std::collections::BTreeSet<&str> =
        told.lines().filter_map(|line| line.strip_suffix(" validates")).collect();
    files.iter().map(|file| valid.contains(file.to_str().unwrap())).collect()
}

/// Folder in which `cargo xtask schemas` stores them.
fn schemas() -> PathBuf {
    std::env::var_os("CARIMBO_SCHEMAS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"), PathBuf::from)
}
