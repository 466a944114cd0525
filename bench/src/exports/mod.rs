//! `bench exports`: `carimbo exportar` over two months of one company, SQLite and PostgreSQL: documents per second, and
//! memory at the beginning, in the middle and at the end. The archive is then opened by two other tools, which compare
//! each XML with the stored one and its digest with the signed one.

mod rows;

use crate::deployment::{Deployment, create_account_key};
use crate::processes::release_binary;
use crate::reports;
use crate::service::{CNPJ, databases};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Checks an archive: names, CRCs, SHA-256 of each document as stored, digest of each signed element.
const CHECK: &str = include_str!("check.py");

/// Measures `exports [NOTES]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let notes: u32 = args.first().map_or(Ok(100_000), |count| count.parse())?;
    let binary = release_binary()?;
    let folder = std::env::temp_dir().join(format!("carimbo-exports-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let began = Instant::now();
    let made = folder.join("notes.tsv");
    rows::write(&made, &folder.join("sums.txt"), notes)?;
    println!("{notes} signed notes of {} items in {:.0} s", rows::ITEMS, began.elapsed().as_secs_f64());
    for (name, url) in databases(&folder) {
        let place = Deployment { binary: &binary, folder: folder.join(name), url };
        std::fs::create_dir_all(&place.folder)?;
        create_account_key(&place, "Contador")?;
        match place.url.strip_prefix("sqlite:").map(PathBuf::from) {
            Some(path) => rows::insert(&path, reports::tenant(&path, "Contador")?, &made)?,
            None => rows::copy(&place.url, reports::postgres::tenant(&place.url, "Contador")?, &made)?,
        }
        // a tenth of the notes, and all of them: memory must not follow their number
        measure(&place, name, notes / 10, "2026-10-31")?;
        let archive = measure(&place, name, notes, "2026-11-30")?;
        check(&archive, &folder)?;
        std::fs::remove_dir_all(&place.folder)?;
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Exports what was issued from October on; returns the archive.
fn measure(place: &Deployment<'_>, name: &str, notes: u32, last_day: &str) -> Result<PathBuf> {
    let target = place.folder.join(format!("{last_day}.zip"));
    let file = target.display().to_string();
    let arguments = ["exportar", "--email", "contador@exemplo.com.br", "--empresa", CNPJ, "--ambiente", "homologacao"];
    let all = [&arguments[..], &["--de", "2026-10-01", "--ate", last_day, &file]].concat();
    let (began, child) = (Instant::now(), place.command(&all).spawn()?);
    let (samples, most) = memory(child)?;
    let (seconds, bytes) = (began.elapsed().as_secs_f64(), std::fs::metadata(&target)?.len());
    let at = |percent: usize| samples.get(samples.len() * percent / 100).copied().unwrap_or_default();
    println!(
        "{name}: {notes} notes: {seconds:.1} s, {:.0} notes/s, {} MB of ZIP; memory at 10, 50, 95 %: {}, {}, {} MB, at most {most} MB",
        f64::from(notes) / seconds,
        bytes >> 20,
        at(10),
        at(50),
        at(95)
    );
    Ok(target)
}

/// Waits for a process; returns its memory at regular intervals, and the most of it, in megabytes (`VmRSS` and `VmHWM`
/// of proc(5)).
fn memory(mut child: Child) -> Result<(Vec<u64>, u64)> {
    let (mut samples, mut most) = (Vec::new(), 0);
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let size = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
        };
        samples.extend(size("VmRSS:"));
        most = most.max(size("VmHWM:").unwrap_or_default());
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "carimbo exportar: {status}");
            return Ok((samples, most));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Opens an archive by `unzip` and by Python, and verifies whole signatures of a sample by `xmlsec1`.
fn check(archive: &Path, folder: &Path) -> Result<()> {
    let tested = Command::new("unzip").args(["-tqq"]).arg(archive).status().context("unzip")?;
    ensure!(tested.success(), "unzip refuses {}", archive.display());
    let script = folder.join("check.py");
    std::fs::write(&script, CHECK)?;
    let read = Command::new("python3").arg(script).arg(archive).arg(folder.join("sums.txt")).status().context("python3")?;
    ensure!(read.success(), "python refuses {}", archive.display());
    Ok(())
}
