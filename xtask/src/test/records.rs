//! Folders in which the suites record their calls and answers.

use crate::shell;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder in which the suite records its calls (`CONTRACT_LOG`).
pub(super) fn contract_folder() -> PathBuf {
    shell::root().join("target/xtask-test/contract")
}

/// Returns the folder in which the suites record requests and answers (`NFSE_LOG`).
pub(super) fn nfse_folder() -> PathBuf {
    shell::root().join("target/xtask-test/nacional")
}

/// Deletes the records of earlier runs.
pub(super) fn delete_records() -> Result<()> {
    create_empty_folder(&contract_folder())?;
    create_empty_folder(&nfse_folder())
}

/// Creates a folder for records, and empties it.
fn create_empty_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}
