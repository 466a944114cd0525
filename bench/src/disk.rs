//! `bench disk`: time that a commit waits for the disk, with `fsync` and with `fdatasync`.
//!
//! Pages are written in sequence into a file of final length, like the frames of a write-ahead log that SQLite restarts
//! at its beginning.

use crate::measure::{Samples, ms, ratio};
use anyhow::Result;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Pages that one commit writes.
const PAGES: usize = 12;
const PAGE: usize = 4096;
/// Commits of each kind, in turn.
const ROUNDS: usize = 150;
const FILLED_BY: usize = 80;
/// Pause between two commits: the figure is the latency of one, not the throughput.
const PAUSE: Duration = Duration::from_millis(10);

/// Measures the disk of the temporary folder, or `disk FOLDER`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let folder = args.first().map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("carimbo-bench-{}", std::process::id()));
    let measured = measure(&path);
    std::fs::remove_file(&path)?;
    let [whole, data] = measured?;
    println!("{}: {PAGES} pages of {PAGE} bytes, medians of {ROUNDS}", folder.display());
    for (name, waits) in [("fsync", &whole), ("fdatasync", &data)] {
        let (median, most) = (waits.median(), waits.percentile(99));
        println!("  {name:<10} {:>10}   99 % below {:>10}   {:.2}", ms(median), ms(most), ratio(median, whole.median()));
    }
    Ok(())
}

fn measure(path: &std::path::Path) -> Result<[Samples; 2]> {
    let mut file = File::create_new(path)?;
    let pages = [7; PAGES * PAGE];
    for _ in 0..FILLED_BY {
        file.write_all(&pages)?;
    }
    file.sync_all()?;
    let [mut whole, mut data]: [Samples; 2] = Default::default();
    for round in 0..2 * ROUNDS {
        if round % FILLED_BY == 0 {
            file.seek(SeekFrom::Start(0))?;
        }
        file.write_all(&pages)?;
        match round % 2 {
            0 => whole.clock(|| file.sync_all())?,
            _ => data.clock(|| file.sync_data())?,
        }
        std::thread::sleep(PAUSE);
    }
    Ok([whole, data])
}
