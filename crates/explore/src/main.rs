//! Explores many seeds and prints the findings.

use anyhow::{Context as _, bail};
use explore::faults::RunFaults;
use explore::fixture::RunFixture;
use explore::sale::SaleKind;
use explore::{RunOptions, RunOutcome, explore};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Arguments of the command line.
struct Arguments {
    seeds: u64,
    first: u64,
    threads: u64,
    /// No seed starts after so many seconds.
    seconds: u64,
    is_replay: bool,
    options: RunOptions,
}

fn arguments() -> anyhow::Result<Arguments> {
    let options = RunOptions {
        steps: 50,
        troubles: RunFaults::all(),
        kinds: SaleKind::ALL.to_vec(),
        is_traced: false,
        is_printed: false,
    };
    let mut found = Arguments { seeds: 1_000, first: 1, threads: 1, seconds: u64::MAX, is_replay: false, options };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        let mut value = || words.next().with_context(|| format!("{name} wants a value"));
        match name.as_str() {
            "--seeds" => found.seeds = value()?.parse()?,
            "--first" => found.first = value()?.parse()?,
            "--seconds" => found.seconds = value()?.parse()?,
            "--threads" => found.threads = value()?.parse()?,
            "--steps" => found.options.steps = value()?.parse()?,
            "--troubles" => found.options.troubles = RunFaults::parse(&value()?).map_err(anyhow::Error::msg)?,
            "--seed" => {
                (found.first, found.seeds, found.is_replay) = (value()?.parse()?, 1, true);
                (found.options.is_traced, found.options.is_printed) = (true, true);
            }
            "--kinds" => found.options.kinds = kinds(&value()?)?,
            other => bail!("unknown argument {other}"),
        }
    }
    Ok(found)
}

fn kinds(words: &str) -> anyhow::Result<Vec<SaleKind>> {
    let kind = |word: &str| SaleKind::parse(word).with_context(|| format!("unknown kind {word}"));
    words.split(',').map(kind).collect()
}

/// Totals of all seeds.
#[derive(Default)]
struct SeedTotals {
    runs: u64,
    failed: u64,
    /// By promise: the number of seeds that broke it, and the first of them.
    breaches: BTreeMap<&'static str, (u64, u64, String)>,
    reached: BTreeSet<String>,
    virtual_s: u64,
}

impl SeedTotals {
    fn add(&mut self, seed: u64, outcome: RunOutcome) {
        self.runs += 1;
        self.virtual_s += outcome.virtual_s;
        self.reached.extend(outcome.reached);
        self.failed += u64::from(!outcome.breaches.is_empty());
        let promises: BTreeMap<_, _> = outcome.breaches.into_iter().map(|it| (it.promise, it.detail)).collect();
        for (promise, detail) in promises {
            let entry = self.breaches.entry(promise).or_insert_with(|| (0, seed, detail.clone()));
            entry.0 += 1;
            if seed < entry.1 {
                (entry.1, entry.2) = (seed, detail);
            }
        }
    }
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = arguments()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let house = runtime.block_on(RunFixture::build_fixture())?;
    let (sum, next, started) = (Mutex::new(SeedTotals::default()), AtomicU64::new(0), Instant::now());
    std::thread::scope(|scope| {
        let work = || -> anyhow::Result<()> {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= arguments.seeds || started.elapsed().as_secs() >= arguments.seconds {
                    return Ok(());
                }
                let seed = arguments.first + place;
                let outcome = explore(seed, &house, &arguments.options).with_context(|| format!("seed {seed}"))?;
                if arguments.is_replay {
                    outcome.breaches.iter().for_each(|it| println!("BROKEN {}: {}", it.promise, it.detail));
                }
                sum.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(seed, outcome);
            }
        };
        let threads: Vec<_> = (0..arguments.threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow::anyhow!("a thread fell"))?)
    })?;
    let sum = sum.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    print(&sum, &arguments, started.elapsed().as_millis());
    let pairs = sum.reached.len();
    println!("{} of {} seeds broke a promise; {pairs} distinct pairs of state and answer", sum.failed, sum.runs);
    Ok(if sum.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print(sum: &SeedTotals, arguments: &Arguments, took_ms: u128) {
    println!(
        "{} seeds of {} steps in {took_ms} ms, {} virtual hours",
        sum.runs,
        arguments.options.steps,
        sum.virtual_s / 3_600
    );
    for (promise, (seeds, first, detail)) in &sum.breaches {
        println!("{promise}: {seeds} seeds, first {first}: {detail}");
        let kinds: Vec<&str> = arguments.options.kinds.iter().map(|kind| kind.word()).collect();
        let kinds = kinds.join(",");
        let (steps, troubles) = (arguments.options.steps, arguments.options.troubles.words());
        println!(
            "  replay: cargo run -p explore -- --seed {first} --steps {steps} --kinds {kinds} --troubles {troubles}"
        );
    }
}
