//! `bench nodes`: one, two and three worker processes on one PostgreSQL, with a slow authority; and the recovery of a
//! killed worker's jobs.
//!
//! The authority answers each document after `AUTHORITY_DELAY`, so that a process waits most of the time. Two
//! processors then suffice to see if each further process adds as much as the first: only locks and hot rows of the
//! database could prevent it.

use crate::client::BenchClient;
use crate::documents;
use crate::measure::per_second;
use crate::deployment::{Deployment, create_account_key};
use crate::post::post;
use crate::processes::release_binary;
use crate::service::{AuthoritiesProcess, ServiceProcess, register, start_service_process, wait_until_received};
use crate::process_time::{self, ProcessTime};
use anyhow::{Context, Result, ensure};
use std::time::{Duration, Instant};

/// Time that the authority takes for a document.
const AUTHORITY_DELAY: Duration = Duration::from_millis(200);
const NODES: [usize; 3] = [1, 2, 3];

/// Measures `nodes [DOCUMENTS]`: this many documents for each number of processes.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let documents: usize = args.first().map_or(Ok(600), |count| count.parse())?;
    let url = std::env::var("BENCH_DATABASE_URL").context("BENCH_DATABASE_URL names an empty PostgreSQL")?;
    let binary = release_binary()?;
    let folder = std::env::temp_dir().join(format!("carimbo-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let place = Deployment { binary: &binary, folder: folder.clone(), url };
    let outcome = measure(&place, documents);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn measure(place: &Deployment<'_>, documents: usize) -> Result<()> {
    let authorities = AuthoritiesProcess::start(place)?;
    let key = create_account_key(place, "Bench")?;
    let api = start_service_process(place, "api", &authorities)?;
    register(&api, &authorities, &key)?;
    authorities.slow_down(AUTHORITY_DELAY)?;
    let orders = OrderSource { api: &api, key: &key, documents, nota: documents::nota(1).to_string() };
    let mut there = 0;
    println!("{documents} NF-e each, an authority that takes {} ms", AUTHORITY_DELAY.as_millis());
    for nodes in NODES {
        orders.post(&format!("N{nodes}"))?;
        there += documents;
        rate(place, &authorities, nodes, (documents, there))?;
    }
    orders.post("KILL")?;
    measure_recovery(place, &authorities, (documents, there + documents))
}

/// The orders and the service that accepts them.
struct OrderSource<'a> {
    api: &'a ServiceProcess,
    key: &'a str,
    documents: usize,
    nota: String,
}

impl OrderSource<'_> {
    fn post(&self, prefix: &str) -> Result<()> {
        post(&self.api.base, self.key, prefix, self.documents, &self.nota).map(drop)
    }
}

fn rate(place: &Deployment<'_>, authorities: &AuthoritiesProcess, nodes: usize, (documents, there): (usize, usize)) -> Result<()> {
    let database = process_time::postgres()?;
    let began = Instant::now();
    let workers = (0..nodes).map(|_| start_service_process(place, "worker", authorities)).collect::<Result<Vec<_>>>()?;
    wait_until_received(authorities, there)?;
    let took = began.elapsed();
    let own = workers.iter().map(|it| Ok(ProcessTime::of(it.process.id())?.whole)).sum::<Result<Duration>>()?;
    let database = process_time::postgres()?.saturating_sub(database);
    let each = |time: Duration| 1e3 * time.as_secs_f64() / documents as f64;
    println!(
        "{nodes} process(es): {:>6.1} documents a second, {:.3} ms of their processor time each, {:.3} ms of PostgreSQL's",
        per_second(documents, took),
        each(own),
        each(database)
    );
    Ok(())
}

/// Kills one of two workers and measures the time until the other has processed all documents.
fn measure_recovery(place: &Deployment<'_>, authorities: &AuthoritiesProcess, (documents, there): (usize, usize)) -> Result<()> {
    let stays = start_service_process(place, "worker", authorities)?;
    let killed = start_service_process(place, "worker", authorities)?;
    wait_until_received(authorities, there - documents / 2)?;
    drop(killed);
    let began = Instant::now();
    wait_until_received(authorities, there)?;
    println!("one of two killed in the middle: the last document {:.1} s later", began.elapsed().as_secs_f64());
    let held = authorities.documents()?;
    println!("the authority holds {held}");
    ensure!(held["documentos"].as_u64() == u64::try_from(there).ok(), "not as many as were ordered: {held}");
    drop(stays);
    Ok(())
}

impl AuthoritiesProcess {
    /// Delays the authority's answer to each later document.
    fn slow_down(&self, takes: Duration) -> Result<()> {
        let slow =
            format!(r#"{{"servico":"NFeAutorizacao4","tipo":"latency","ms":{},"vezes":1000000}}"#, takes.as_millis());
        let answer = BenchClient::connect(&self.control, "")?.send("POST", "/_sim/falhas", &slow)?;
        ensure!(answer.status < 300, "{}", String::from_utf8_lossy(&answer.body));
        Ok(())
    }
}
