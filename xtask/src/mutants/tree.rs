//! A copy of the tree, in which a patch is applied and reverted. Unchanged files keep their times, so that cargo
//! compiles only what changed.

use crate::shell;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The copy, which stays for the next run.
pub(super) struct TreeCopy {
    from: PathBuf,
    root: PathBuf,
}

/// Returns the folder of the copy and its builds.
pub(super) fn folder() -> PathBuf {
    shell::target().join("mutants")
}

impl TreeCopy {
    /// Copies the files of the repository in their current state, committed or not.
    pub(super) fn copy_repository() -> Result<TreeCopy> {
        let tree = TreeCopy { from: shell::root(), root: folder().join("tree") };
        let mut listing = Command::new("git");
        listing.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = shell::capture_success(&mut listing).context("git says which files are copied")?;
        let files = listed.split('\0').filter(|file| !file.is_empty()).map(PathBuf::from);
        let files: BTreeSet<PathBuf> = files.filter(|file| tree.from.join(file).is_file()).collect();
        for file in &files {
            tree.copy(file)?;
        }
        for old in files_below(&tree.root)? {
            if !files.contains(old.strip_prefix(&tree.root)?) {
                fs::remove_file(&old).with_context(|| old.display().to_string())?;
            }
        }
        Ok(tree)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Copies a file of the repository, unless the copy has it.
    pub(super) fn copy(&self, file: &Path) -> Result<()> {
        let (from, to) = (self.from.join(file), self.root.join(file));
        let text = fs::read(&from).with_context(|| from.display().to_string())?;
        if fs::read(&to).is_ok_and(|before| before == text) {
            return Ok(());
        }
        fs::create_dir_all(to.parent().unwrap_or(&self.root))?;
        fs::copy(&from, &to).with_context(|| to.display().to_string())?;
        Ok(())
    }
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files_below(&path)?) } else { found.push(path) }
    }
    Ok(found)
}
