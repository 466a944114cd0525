//! Where one run of the tests keeps its databases and files: in memory, where the machine offers some. Most of a test's time was waiting for a disk; tests
//! kill processes and never the machine, and for that memory keeps as much as a disk does.

use crate::shell;
use anyhow::{Context, Result};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that goes with the run.
pub(super) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// In memory when as much of it is free as a run takes, and else where temporary files are.
    pub(super) fn make() -> Result<Scratch> {
        let memory = Path::new(MEMORY);
        let home = if free_bytes(memory).is_some_and(|free| free >= ENOUGH) {
            memory.to_path_buf()
        } else {
            std::env::temp_dir()
        };
        let folder = home.join(format!("carimbo-test-{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        // PostgreSQL runs as another user
        fs::set_permissions(&folder, Permissions::from_mode(0o1777))?;
        Ok(Scratch { folder })
    }

    /// For `TMPDIR`.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("xtask: {} stays behind: {error}", self.folder.display());
        }
    }
}

fn free_bytes(folder: &Path) -> Option<u64> {
    let df = shell::capture(Command::new("df").args(["--output=avail", "-B1"]).arg(folder)).ok()?;
    df.text.lines().nth(1)?.trim().parse().ok()
}

const MEMORY: &str = "/dev/shm";
/// A run has not been seen to take a third of it.
const ENOUGH: u64 = 6 << 30;
