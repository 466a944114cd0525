//! `bench load`: the release binary and the simulator as processes, clients on persistent connections, SQLite and
//! PostgreSQL.
//!
//! Three figures per database: requests accepted per second with no worker running (`--papel api`); that backlog
//! authorised per second with no client running; and both at once. The authority's count decides how many documents
//! there are in the end.

use crate::client::BenchClient;
use crate::measure::{ms, per_second};
use crate::deployment::{Deployment, create_account_key};
use crate::post::{CLIENTS, post};
use crate::processes::release_binary;
use crate::service::{AuthoritiesProcess, CNPJ, ServiceProcess, databases, register, start_service_process, wait_until_received};
use crate::process_time::{ProcessTime, resident};
use crate::{documents, yardstick};
use anyhow::{Context, Result, ensure};
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use serde_json::json;
use std::time::{Duration, Instant};

/// Runs the load on every available database.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let documents: usize = args.first().map_or(Ok(5000), |count| count.parse())?;
    let binary = release_binary()?;
    let threads = std::thread::available_parallelism()?.get();
    let key = PKey::from_rsa(Rsa::generate(2048)?)?;
    let unit = SignatureRate { signatures: yardstick::signatures_per_second(&key, threads)?, threads };
    println!(
        "bare RSA-2048 SHA-1 signatures: {:.0}/s on {threads} threads; {documents} documents, {CLIENTS} clients\n",
        unit.signatures
    );
    println!("{:<12} {:<34} {:>10} {:>12}", "database", "", "per second", "÷ signatures");
    let folder = std::env::temp_dir().join(format!("carimbo-bench-{}", std::process::id()));
    let outcome = databases(&folder).into_iter().try_for_each(|(name, url)| {
        let place = Deployment { binary: &binary, folder: folder.join(name), url };
        std::fs::create_dir_all(&place.folder)?;
        database(name, &place, documents, &unit).with_context(|| name.to_owned())
    });
    std::fs::remove_dir_all(&folder)?;
    outcome
}

/// Bare signatures per second of all threads.
struct SignatureRate {
    signatures: f64,
    threads: usize,
}

impl SignatureRate {
    /// Returns the processor time of a process per document, in signatures.
    fn of(&self, spent: Duration, documents: usize) -> f64 {
        spent.as_secs_f64() / documents as f64 * self.signatures / self.threads as f64
    }
}

fn database(name: &str, place: &Deployment<'_>, documents: usize, unit: &SignatureRate) -> Result<()> {
    let row = |what: &str, rate: f64| println!("{name:<12} {what:<34} {rate:>10.0} {:>12.2}", rate / unit.signatures);
    let nota = documents::nota(1).to_string();
    let authorities = AuthoritiesProcess::start(place)?;
    let key = create_account_key(place, "Bench")?;
    let api = start_service_process(place, "api", &authorities)?;
    register(&api, &authorities, &key)?;
    let (took, latency) = post(&api.base, &key, "ACEITE", documents, &nota)?;
    row("accepted, no worker running", per_second(documents, took));
    println!("{:<12} median {}, 99 % below {}", "", ms(latency.median()), ms(latency.percentile(99)));
    drop(api);

    let began = Instant::now();
    let worker = start_service_process(place, "worker", &authorities)?;
    wait_until_received(&authorities, documents)?;
    row("authorised, no client running", per_second(documents, began.elapsed()));
    drop(worker);

    let service = start_service_process(place, "todos", &authorities)?;
    std::thread::sleep(Duration::from_secs(2));
    let idle = resident(service.process.id())?;
    let (before, beside) = (ProcessTime::of(service.process.id())?, authorities.spent()?);
    let began = Instant::now();
    let (took, latency) = post(&service.base, &key, "TUDO", documents, &nota)?;
    row("accepted, workers running", per_second(documents, took));
    println!("{:<12} median {}, 99 % below {}", "", ms(latency.median()), ms(latency.percentile(99)));
    wait_until_received(&authorities, 2 * documents)?;
    row("authorised, from the first request", per_second(documents, began.elapsed()));
    let processor = [
        unit.of(ProcessTime::of(service.process.id())?.since(&before).whole, documents),
        unit.of(authorities.spent()?.since(&beside).whole, documents),
    ];
    println!("{:<12} processor, signatures a document: service {:.2}, authority {:.2}", "", processor[0], processor[1]);
    println!("{:<12} the authority holds {}", "", authorities.documents()?);
    println!("{:<12} memory: {idle} MB idle, {} MB now\n", "", resident(service.process.id())?);
    check_last(&service, &key, documents)
}

/// Checks that the last document is authorised, so that errors are not measured.
fn check_last(service: &ServiceProcess, key: &str, documents: usize) -> Result<()> {
    let mut client = BenchClient::connect(&service.base, key)?;
    let reference = format!("TUDO{}", documents - 1);
    let body = json!({ "cpf_cnpj": CNPJ, "referencia_externa": reference, "nota": documents::nota(1) });
    // the authority counts the document a moment before the service has the answer
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let job = client.send("POST", "/v1/nfe/emitir", &body.to_string())?.json(200)?;
        if job["nota"]["status"] == "autorizada" {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "{job}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
