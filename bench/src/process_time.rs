//! Processor time of processes, as Linux counts it.

use anyhow::{Context, Result};
use std::time::Duration;

/// Processor time of a process, and of its thread that writes SQLite.
pub(crate) struct ProcessTime {
    pub(crate) whole: Duration,
    pub(crate) writer: Duration,
}

/// Clock ticks per second (`USER_HZ`), 100 on all supported machines.
const TICKS: u64 = 100;
/// Name of the thread.
const WRITER: &str = "store-writer";

impl ProcessTime {
    /// Reads the time of a process since its start.
    pub(crate) fn of(process: u32) -> Result<ProcessTime> {
        let mut writer = Duration::ZERO;
        for task in std::fs::read_dir(format!("/proc/{process}/task"))? {
            let stat = std::fs::read_to_string(task?.path().join("stat"))?;
            if name(&stat) == Some(WRITER) {
                writer += time(&stat, false)?;
            }
        }
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
        Ok(ProcessTime { whole: time(&stat, false)?, writer })
    }

    /// Returns the difference from an earlier reading.
    pub(crate) fn since(&self, before: &ProcessTime) -> ProcessTime {
        let ProcessTime { whole, writer } = before;
        ProcessTime { whole: self.whole.saturating_sub(*whole), writer: self.writer.saturating_sub(*writer) }
    }
}

/// Returns the resident memory of a process, in megabytes (`VmRSS` of proc(5)).
pub(crate) fn resident(process: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    Ok(line.split_whitespace().next().context("no size")?.parse::<u64>()? / 1024)
}

/// Returns the time of all PostgreSQL processes, ended ones included.
pub(crate) fn postgres() -> Result<Duration> {
    let mut all = Duration::ZERO;
    for process in std::fs::read_dir("/proc")? {
        // a process that ends meanwhile is counted by its parent
        let Ok(stat) = std::fs::read_to_string(process?.path().join("stat")) else { continue };
        if name(&stat).is_some_and(|name| name.starts_with("postgres")) {
            all += time(&stat, true)?;
        }
    }
    Ok(all)
}

fn name(stat: &str) -> Option<&str> {
    stat.split_once('(')?.1.rsplit_once(')').map(|(name, _)| name)
}

/// Returns `utime` and `stime` of proc(5); with those of waited-for children if `with_ended`.
fn time(stat: &str, with_ended: bool) -> Result<Duration> {
    let fields: Vec<&str> = stat.rsplit_once(')').context("no name")?.1.split_whitespace().collect();
    let count = if with_ended { 4 } else { 2 };
    let ticks = fields.iter().skip(11).take(count).map(|ticks| ticks.parse::<u64>()).sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 1000 / TICKS))
}
