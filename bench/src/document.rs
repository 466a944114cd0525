//! `bench document`: processor time of the service per authorised document, in ms and in bare signatures, and its
//! distribution.
//!
//! One process does everything, as it is installed; then accepting (`--papel api`) and processing (`--papel worker`)
//! run in separate processes, so that their costs are measured apart. The time of authority, database and clients is
//! not the service's. Within a process: the stages that it counts itself (`carimbo_station_processor_seconds`), the
//! thread that writes SQLite, and the rest (connections, TLS, HTTP, wake-ups).

use crate::client::BenchClient;
use crate::measure::Samples;
use crate::deployment::{Deployment, create_account_key};
use crate::post::post;
use crate::processes::release_binary;
use crate::reports::postgres::query_text;
use crate::service::{AuthoritiesProcess, ServiceProcess, databases, register, start_service_process, wait_until_settled};
use crate::process_time::{self, ProcessTime};
use crate::{documents, yardstick};
use anyhow::{Context, Result};
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use std::time::Duration;

/// Items of a note, and the divisor of the requested number of documents. More than 750 of these items exceed the 500
/// KB of a message.
const SIZES: [(usize, usize); 3] = [(1, 1), (30, 4), (750, 40)];

/// Time of a bare signature.
struct SignatureTime(Duration);

/// Measures on every available database: `document [NOTES [ITEMS]]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let documents: usize = args.first().map_or(Ok(4000), |count| count.parse())?;
    let only: Option<usize> = args.get(1).map(|items| items.parse()).transpose()?;
    let sizes = only.map_or_else(|| SIZES.to_vec(), |items| vec![(items, 1)]);
    let binary = release_binary()?;
    let folder = std::env::temp_dir().join(format!("carimbo-bench-{}", std::process::id()));
    let outcome = databases(&folder).into_iter().try_for_each(|(name, url)| {
        let place = Deployment { binary: &binary, folder: folder.join(name), url };
        std::fs::create_dir_all(&place.folder)?;
        database(name, &place, documents, &sizes).with_context(|| name.to_owned())
    });
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn database(name: &str, place: &Deployment<'_>, documents: usize, sizes: &[(usize, usize)]) -> Result<()> {
    let authorities = AuthoritiesProcess::start(place)?;
    let key = create_account_key(place, "Bench")?;
    let api = start_service_process(place, "api", &authorities)?;
    register(&api, &authorities, &key)?;
    drop(api);
    let mut before = 0;
    for &(items, part) in sizes {
        let count = (documents / part).max(20);
        let run = DocumentRun { name, place, authorities: &authorities, key: &key, items, count, before };
        run.measure()?;
        before += 2 * count;
    }
    Ok(())
}

/// A run with one size of note on one database.
struct DocumentRun<'a> {
    name: &'a str,
    place: &'a Deployment<'a>,
    authorities: &'a AuthoritiesProcess,
    key: &'a str,
    items: usize,
    count: usize,
    /// Documents that the authority has already.
    before: usize,
}

impl DocumentRun<'_> {
    fn measure(&self) -> Result<()> {
        let unit = signature_time()?;
        let (items, count) = (self.items, self.count);
        println!(
            "\n{}: {count} NF-e of {items} items; a bare signature {:.3} ms",
            self.name,
            1e3 * unit.0.as_secs_f64()
        );
        let server = PostgresCounters::of(self.place);
        self.measure_single_process(&server, &unit)?;
        self.measure_acceptance(&server, &unit)?;
        self.measure_processing(&server, &unit)
    }

    fn measure_single_process(&self, server: &PostgresCounters<'_>, unit: &SignatureTime) -> Result<()> {
        let service = start_service_process(self.place, "todos", self.authorities)?;
        let nota = documents::nota(self.items).to_string();
        let watch = UsageBaseline::begin(&service, self.authorities, server)?;
        post(&service.base, self.key, &format!("T{}N", self.items), self.count, &nota)?;
        wait_until_settled(self.authorities, self.before + self.count)?;
        watch.end("**authorised, in one process**", &service, unit, self.count)
    }

    fn measure_acceptance(&self, server: &PostgresCounters<'_>, unit: &SignatureTime) -> Result<()> {
        let api = start_service_process(self.place, "api", self.authorities)?;
        let nota = documents::nota(self.items).to_string();
        let watch = UsageBaseline::begin(&api, self.authorities, server)?;
        post(&api.base, self.key, &format!("D{}N", self.items), self.count, &nota)?;
        watch.end("accepting", &api, unit, self.count)
    }

    fn measure_processing(&self, server: &PostgresCounters<'_>, unit: &SignatureTime) -> Result<()> {
        let worker = start_service_process(self.place, "worker", self.authorities)?;
        // the start of the process is not counted; documents processed before this reading are few of so many
        let watch = UsageBaseline::begin(&worker, self.authorities, server)?;
        wait_until_settled(self.authorities, self.before + 2 * self.count)?;
        watch.end("carrying", &worker, unit, self.count)
    }
}

/// Readings of a process, its authorities and its database before the work.
struct UsageBaseline<'a> {
    server: &'a PostgresCounters<'a>,
    authorities: &'a AuthoritiesProcess,
    service: ProcessTime,
    /// Processor time of the authorities, which is not the service's.
    authorities_before: ProcessTime,
    database: Duration,
    numbers: Vec<(&'static str, f64)>,
}

impl<'a> UsageBaseline<'a> {
    fn begin(service: &ServiceProcess, authorities: &'a AuthoritiesProcess, server: &'a PostgresCounters<'a>) -> Result<UsageBaseline<'a>> {
        let (numbers, beside) = (server.read_counters()?, authorities.spent()?);
        let service = ProcessTime::of(service.process.id())?;
        Ok(UsageBaseline { server, authorities, service, authorities_before: beside, database: process_time::postgres()?, numbers })
    }

    fn end(self, what: &str, service: &ServiceProcess, unit: &SignatureTime, count: usize) -> Result<()> {
        let spent = ProcessTime::of(service.process.id())?.since(&self.service);
        unit.row(what, spent.whole, count);
        let told = metrics(service)?;
        let stations = stage_times(&told);
        let counted: Duration = stations.iter().map(|(_, time)| *time).sum();
        for (station, time) in &stations {
            unit.row(&format!("  {station}"), *time, count);
        }
        unit.row("  writer of SQLite", spent.writer, count);
        unit.row("  the rest", spent.whole.saturating_sub(counted + spent.writer), count);
        unit.row("  (the authority beside it)", self.authorities.spent()?.since(&self.authorities_before).whole, count);
        if self.server.is_there() {
            unit.row("  (PostgreSQL beside it)", process_time::postgres()?.saturating_sub(self.database), count);
        }
        if let Some((_, signing)) = stations.iter().find(|(station, _)| station == "signature") {
            let ratio = spent.whole.as_secs_f64() / signing.as_secs_f64();
            println!("  {:<32} {ratio:>21.2} signatures", "(in those that the service made)");
        }
        for ((name, after), (_, before)) in self.server.read_counters()?.into_iter().zip(&self.numbers) {
            println!("  {name:<32} {:>9.1} a document", (after - before) / count as f64);
        }
        Ok(())
    }
}

impl SignatureTime {
    fn row(&self, what: &str, spent: Duration, count: usize) {
        let each = spent.as_secs_f64() / count as f64;
        println!("  {what:<32} {:>9.3} ms {:>8.2} signatures", 1e3 * each, each / self.0.as_secs_f64());
    }
}

/// Measures a bare signature on this machine.
fn signature_time() -> Result<SignatureTime> {
    let key = PKey::from_rsa(Rsa::generate(2048)?)?;
    let mut samples = Samples::default();
    for _ in 0..2000 {
        samples.time(|| yardstick::sign(&key))?;
    }
    Ok(SignatureTime(samples.median()))
}

/// The PostgreSQL server; `None` with SQLite.
struct PostgresCounters<'a>(Option<&'a str>);

impl PostgresCounters<'_> {
    fn of<'a>(place: &'a Deployment<'_>) -> PostgresCounters<'a> {
        PostgresCounters(Some(place.url.as_str()).filter(|url| url.starts_with("postgres")))
    }

    fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Reads the server's own counters: commits, statements, bytes and syncs of WAL.
    fn read_counters(&self) -> Result<Vec<(&'static str, f64)>> {
        let Some(url) = self.0 else { return Ok(Vec::new()) };
        query_text(url, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements")?;
        let asked = [
            ("commits", "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"),
            ("statements", "SELECT COALESCE(SUM(calls), 0) FROM pg_stat_statements"),
            ("bytes of WAL", "SELECT wal_bytes FROM pg_stat_wal"),
            ("WAL syncs", "SELECT wal_sync FROM pg_stat_wal"),
        ];
        asked.into_iter().map(|(name, sql)| Ok((name, query_text(url, sql)?.parse()?))).collect()
    }
}

/// Fetches the metrics of a process.
fn metrics(service: &ServiceProcess) -> Result<String> {
    let base = service.metrics.trim_end_matches("/metrics");
    let answer = BenchClient::connect(base, "")?.send("GET", "/metrics", "")?;
    Ok(String::from_utf8_lossy(&answer.body).into_owned())
}

/// Returns the processor time of each stage since the start of the process.
fn stage_times(metrics: &str) -> Vec<(String, Duration)> {
    let counted = metrics.lines().filter_map(|line| {
        let (station, seconds) =
            line.strip_prefix("carimbo_station_processor_seconds_sum{station=\"")?.split_once("\"} ")?;
        Some((station.to_owned(), Duration::from_secs_f64(seconds.parse().ok()?)))
    });
    let mut counted: Vec<(String, Duration)> = counted.collect();
    counted.sort();
    counted
}
