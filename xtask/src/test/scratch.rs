//! Folder for the databases and files of one run of the tests: in memory, where the machine has enough. Most of a
//! test's time was waiting for a disk; tests kill processes and never the machine, so memory is as durable as a disk
//! for them.

use crate::shell;
use anyhow::{Context, Result};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A folder of one run, removed on drop.
pub(super) struct ScratchFolder {
    folder: PathBuf,
    /// Locked until the run ends, however it ends.
    _held: File,
}

impl ScratchFolder {
    /// Creates the folder in memory when enough of it is free, otherwise in the temporary folder.
    pub(super) fn make() -> Result<ScratchFolder> {
        let memory = Path::new(MEMORY);
        let home = if free_bytes(memory).is_some_and(|free| free >= REQUIRED_MEMORY) {
            memory.to_path_buf()
        } else {
            std::env::temp_dir()
        };
        ScratchFolder::in_home(&home)
    }

    fn in_home(home: &Path) -> Result<ScratchFolder> {
        remove_stale_folders(home)?;
        let folder = home.join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let held = File::create(folder.join(LOCK_FILE))?;
        held.lock()?;
        // PostgreSQL runs as another user
        fs::set_permissions(&folder, Permissions::from_mode(0o1777))?;
        Ok(ScratchFolder { folder, _held: held })
    }

    /// Returns the path for `TMPDIR`.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("xtask: {} stays behind: {error}", self.folder.display());
        }
    }
}

/// Writes the system's first roots to a bundle for `SSL_CERT_FILE`; `None` where we know no bundle. A client with the
/// platform's trust reads all roots at every start, a third of the time of a small test, and the suites contact no
/// public server. Programs outside the suites (`interface`, `fuzz`) read the system's own.
pub(super) fn write_root_bundle(folder: &Path) -> Result<Option<PathBuf>> {
    let Ok(all) = fs::read_to_string(BUNDLE) else { return Ok(None) };
    let few: String = all.split_inclusive(END).take(FEW).collect();
    let file = folder.join("raizes.pem");
    if !file.exists() {
        fs::write(&file, few).with_context(|| file.display().to_string())?;
    }
    Ok(Some(file))
}

/// Removes the folders of killed runs: the system does not free this memory by itself.
fn remove_stale_folders(home: &Path) -> Result<()> {
    for entry in fs::read_dir(home).with_context(|| home.display().to_string())? {
        let folder = entry?.path();
        if folder.file_name().and_then(|name| name.to_str()).is_some_and(is_left_by_a_run) && is_stale(&folder) {
            println!("removing {}, left by a run that was killed", folder.display());
            // another run may remove it at the same time
            let _ = fs::remove_dir_all(&folder);
        }
    }
    Ok(())
}

fn is_left_by_a_run(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .is_some_and(|process| process.parse::<u32>().is_ok_and(|process| process != std::process::id()))
}

/// `true` if no process holds the folder's lock. A folder without a lock file is stale after `LONGEST_RUN`: it may be
/// under construction.
fn is_stale(folder: &Path) -> bool {
    match File::open(folder.join(LOCK_FILE)) {
        Ok(held) => held.try_lock().is_ok(),
        Err(_) => folder
            .metadata()
            .and_then(|found| found.modified())
            .is_ok_and(|at| at.elapsed().is_ok_and(|age| age > LONGEST_RUN)),
    }
}

fn free_bytes(folder: &Path) -> Option<u64> {
    let df = shell::capture(Command::new("df").args(["--output=avail", "-B1"]).arg(folder)).ok()?;
    df.text.lines().nth(1)?.trim().parse().ok()
}

/// Debian's bundle of the platform's roots.
const BUNDLE: &str = "/etc/ssl/certs/ca-certificates.crt";
const END: &str = "-----END CERTIFICATE-----\n";
const FEW: usize = 3;
const PREFIX: &str = "carimbo-test-";
/// Locked file in the folder of a run.
const LOCK_FILE: &str = "em-uso";
/// Age from which a folder without a lock file is stale.
const LONGEST_RUN: Duration = Duration::from_secs(6 * 3_600);
const MEMORY: &str = "/dev/shm";
/// Free memory, in bytes, for a run. No run was seen to use a third of it.
const REQUIRED_MEMORY: u64 = 6 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_removes_what_a_killed_one_left_and_nothing_of_a_living_one() {
        let home = std::env::temp_dir().join(format!("xtask-scratch-{}", std::process::id()));
        let folder = |name: &str| home.join(name);
        for name in ["carimbo-test-1", "carimbo-test-2", "carimbo-test-3", "carimbo-testes", "alheio"] {
            fs::create_dir_all(folder(name)).unwrap();
        }
        let living = File::create(folder("carimbo-test-1").join(LOCK_FILE)).unwrap();
        living.lock().unwrap();
        fs::write(folder("carimbo-test-2").join(LOCK_FILE), "").unwrap();
        let scratch = ScratchFolder::in_home(&home).unwrap();
        let there = |name: &str| folder(name).is_dir();
        assert!(there("carimbo-test-1") && there("carimbo-testes") && there("alheio"));
        assert!(there("carimbo-test-3"), "so young, it may be about to be locked");
        assert!(!there("carimbo-test-2"), "nobody holds it");
        drop(living);
        remove_stale_folders(&home).unwrap();
        assert!(!there("carimbo-test-1") && scratch.folder().is_dir());
        drop(scratch);
        fs::remove_dir_all(&home).unwrap();
    }
}
