//! A child process: its output, its memory, and its end with ours.

use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A child process that prints its addresses. Stopped on drop.
pub(crate) struct LabProcess {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl LabProcess {
    /// Starts the process; its log goes to a file.
    pub(crate) fn start(command: &mut Command, log: &Path) -> Result<LabProcess> {
        let log = fs::File::create(log)?;
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
        let stdout = child.stdout.take().context("no output")?;
        Ok(LabProcess { child, lines: BufReader::new(stdout) })
    }

    /// Waits for the next line that begins with `words` and returns the rest of it.
    pub(crate) fn next_line_after(&mut self, words: &str) -> Result<String> {
        let mut line = String::new();
        while self.lines.read_line(&mut line)? > 0 {
            if let Some(rest) = line.trim().strip_prefix(words) {
                return Ok(rest.trim().trim_matches('"').to_owned());
            }
            line.clear();
        }
        bail!("it ended without saying `{words}`: see its log")
    }

    /// Kills the process without notice, like a power cut.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// `true` while the process runs.
    pub(crate) fn runs(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// Returns the peak memory since `LabProcess::reset_peak`, in megabytes.
    pub(crate) fn peak_mb(&self) -> Result<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = fs::read_to_string(&path).with_context(|| path.clone())?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
        let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1024)
    }

    /// Resets the peak (`proc(5)`, `clear_refs`).
    pub(crate) fn reset_peak(&self) -> Result<()> {
        let path = format!("/proc/{}/clear_refs", self.child.id());
        fs::write(&path, "5").with_context(|| path.clone())
    }
}

impl Drop for LabProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the command with a limit on its open files, hard and soft, set by a shell.
pub(crate) fn with_open_files(command: Command, most: Option<u32>) -> Command {
    let Some(most) = most else { return command };
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -n {most} && exec \"$0\" \"$@\"")]).arg(command.get_program());
    shell.args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}
