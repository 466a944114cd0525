//! Child processes: the release binary of the service, and the authorities.

use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Builds the release binary and returns its path. `BENCH_BINARY` names an existing one instead, to measure it beside a
/// newer one.
pub(crate) fn release_binary() -> Result<PathBuf> {
    if let Some(built) = std::env::var_os("BENCH_BINARY") {
        return Ok(built.into());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "carimbo"])
        .current_dir(&root)
        .status()?;
    ensure!(status.success(), "the release build failed");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/carimbo"))
}

/// A child process that prints its addresses. Killed on drop.
pub(crate) struct BenchProcess {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl BenchProcess {
    /// Starts the process; its stderr is ours.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().with_context(|| format!("{command:?}"))?;
        let stdout = child.stdout.take().context("no output")?;
        Ok(Self { child, lines: BufReader::new(stdout) })
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for a line that begins with `words` and returns the rest of it, without quotes.
    pub(crate) fn wait_for_line(&mut self, words: &str) -> Result<String> {
        let mut line = String::new();
        while self.lines.read_line(&mut line)? > 0 {
            if let Some(rest) = line.trim().strip_prefix(words) {
                return Ok(rest.trim().trim_matches('"').to_owned());
            }
            line.clear();
        }
        bail!("it ended without saying `{words}`")
    }
}

impl Drop for BenchProcess {
    fn drop(&mut self) {
        // SIGTERM would need a signal crate; the measured work is committed, and a killed service recovers
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
