//! `bench beside OTHER`: two binaries at the same time under the same load, each with an authority and a database of
//! its own.
//!
//! On a shared machine the figures of one binary vary by a half within an hour. Two that run together are disturbed
//! alike, so the ratio of their processor times is stable.

use crate::documents;
use crate::deployment::{Deployment, create_account_key};
use crate::post::post;
use crate::processes::release_binary;
use crate::service::{AuthoritiesProcess, ServiceProcess, register, start_service_process, wait_until_settled};
use crate::process_time::ProcessTime;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Measures on SQLite: `beside OTHER [NOTES [ITEMS [ROUNDS]]]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let other = PathBuf::from(args.first().context("which other binary?")?).canonicalize()?;
    let number = |place: usize, usual: usize| args.get(place).map_or(Ok(usual), |number| number.parse());
    let (notes, items, rounds) = (number(1, 4000)?, number(2, 1)?, number(3, 5)?);
    let binaries = [release_binary()?, other];
    let folder = std::env::temp_dir().join(format!("carimbo-bench-{}", std::process::id()));
    let outcome = compare(&binaries, &folder, notes, items, rounds);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn compare(binaries: &[PathBuf; 2], folder: &Path, notes: usize, items: usize, rounds: usize) -> Result<()> {
    println!("{notes} NF-e of {items} items each, both at once; processor time of the service, ms a document");
    println!("{:>10} {:>10} {:>10}", "this", "other", "ratio");
    let mut ratios = Vec::new();
    for round in 0..rounds {
        let [this, other] = run_round(binaries, &folder.join(round.to_string()), notes, items)?;
        ratios.push(this / other);
        println!("{this:>10.3} {other:>10.3} {:>10.3}", this / other);
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        println!("{:>32.3}  median", median);
    }
    Ok(())
}

/// Runs a round: milliseconds per document of each binary, the geometric mean of two runs. The binary that is started
/// first takes one or two percent less, so each is first once.
fn run_round(binaries: &[PathBuf; 2], folder: &Path, notes: usize, items: usize) -> Result<[f64; 2]> {
    let [this, other] = run_concurrently(binaries, &folder.join("first"), notes, items)?;
    let turned = [binaries[1].clone(), binaries[0].clone()];
    let [other_again, this_again] = run_concurrently(&turned, &folder.join("second"), notes, items)?;
    Ok([(this * this_again).sqrt(), (other * other_again).sqrt()])
}

/// Runs both binaries, started in this order; milliseconds per document of each.
fn run_concurrently(binaries: &[PathBuf; 2], folder: &Path, notes: usize, items: usize) -> Result<[f64; 2]> {
    let nota = documents::nota(items).to_string();
    let sides = [MeasuredBinary::start(&binaries[0], folder.join("one"))?, MeasuredBinary::start(&binaries[1], folder.join("two"))?];
    let [one, two] = std::thread::scope(|scope| {
        let running = sides.each_ref().map(|side| scope.spawn(|| side.cpu_ms_per_document(notes, &nota)));
        running.map(|side| side.join().unwrap_or_else(|_| anyhow::bail!("a side died")))
    });
    Ok([one?, two?])
}

/// A binary that is ready to issue.
struct MeasuredBinary {
    service: ServiceProcess,
    authorities: AuthoritiesProcess,
    key: String,
}

impl MeasuredBinary {
    fn start(binary: &Path, folder: PathBuf) -> Result<MeasuredBinary> {
        std::fs::create_dir_all(&folder)?;
        let url = format!("sqlite:{}", folder.join("bench.db").display());
        let place = Deployment { binary, folder, url };
        let authorities = AuthoritiesProcess::start(&place)?;
        let key = create_account_key(&place, "Bench")?;
        let service = start_service_process(&place, "todos", &authorities)?;
        register(&service, &authorities, &key)?;
        Ok(MeasuredBinary { service, authorities, key })
    }

    /// Returns the milliseconds of processor time per document.
    fn cpu_ms_per_document(&self, notes: usize, nota: &str) -> Result<f64> {
        let before = ProcessTime::of(self.service.process.id())?;
        post(&self.service.base, &self.key, "B", notes, nota)?;
        wait_until_settled(&self.authorities, notes)?;
        let spent = ProcessTime::of(self.service.process.id())?.since(&before);
        Ok(1e3 * spent.whole.as_secs_f64() / notes as f64)
    }
}
