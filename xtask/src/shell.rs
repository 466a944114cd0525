//! Other programs: finding and running them; the folders of the workspace.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the root of the workspace this xtask was compiled in.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Returns cargo's target folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns the first directory of `PATH` (and the administrator's) that holds `program`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin", "/sbin", "/usr/local/sbin"].map(PathBuf::from))
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
}

/// Output of a finished program.
pub(crate) struct ProgramOutput {
    pub(crate) success: bool,
    /// Both streams, one after the other.
    pub(crate) text: String,
}

/// Runs a program to its end in the workspace root, without input, and returns its output.
pub(crate) fn capture(command: &mut Command) -> Result<ProgramOutput> {
    let output = command
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{command:?} could not start"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok(ProgramOutput { success: output.status.success(), text })
}

/// Runs a program like [`capture`]; a failure is an error with the output.
pub(crate) fn capture_success(command: &mut Command) -> Result<String> {
    let output = capture(command)?;
    ensure!(output.success, "{command:?} failed:\n{}", output.text);
    Ok(output.text)
}

/// `true` for the administrator: only then are tools installed, and then PostgreSQL needs another user.
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
