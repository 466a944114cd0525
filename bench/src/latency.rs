//! `bench latency`: one note at a time on an idle service, from the order to the answer that it is authorised.

use crate::client::BenchClient;
use crate::measure::{Samples, ms};
use crate::deployment::{Deployment, create_account_key};
use crate::processes::release_binary;
use crate::service::{AuthoritiesProcess, CNPJ, databases, register, start_service_process};
use crate::{documents, yardstick};
use anyhow::{Context, Result, ensure};
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use serde_json::json;
use std::time::{Duration, Instant};

/// Pause between two notes, for the work that follows an answer.
const PAUSE: Duration = Duration::from_millis(20);
/// Interval between two queries of the job.
const JOB_POLL_INTERVAL: Duration = Duration::from_micros(300);
/// Time after which a note without authorisation fails the measurement.
const AUTHORISATION_TIMEOUT: Duration = Duration::from_secs(10);

/// Measures on every available database: `latency [NOTES]`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let notes: usize = args.first().map_or(Ok(400), |count| count.parse())?;
    let binary = release_binary()?;
    let folder = std::env::temp_dir().join(format!("carimbo-bench-{}", std::process::id()));
    let outcome = databases(&folder).into_iter().try_for_each(|(name, url)| {
        let place = Deployment { binary: &binary, folder: folder.join(name), url };
        std::fs::create_dir_all(&place.folder)?;
        database(name, &place, notes).with_context(|| name.to_owned())
    });
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn database(name: &str, place: &Deployment<'_>, notes: usize) -> Result<()> {
    let authorities = AuthoritiesProcess::start(place)?;
    let key = create_account_key(place, "Bench")?;
    let service = start_service_process(place, "todos", &authorities)?;
    register(&service, &authorities, &key)?;
    let mut client = BenchClient::connect(&service.base, &key)?;
    let (mut whole, mut bare) = (Samples::default(), Samples::default());
    let rsa = PKey::from_rsa(Rsa::generate(2048)?)?;
    for number in 0..notes {
        bare.time(|| yardstick::sign(&rsa))?;
        whole.push(time_one_note(&mut client, number)?);
        std::thread::sleep(PAUSE);
    }
    let (median, worst) = (whole.median(), whole.percentile(99));
    println!("{name:<12} median {}, 99 % below {}; a bare signature {}", ms(median), ms(worst), ms(bare.median()));
    Ok(())
}

/// Returns the time from the first byte of the order to an answer with `autorizada`.
fn time_one_note(client: &mut BenchClient, number: usize) -> Result<Duration> {
    let order = json!({ "cpf_cnpj": CNPJ, "referencia_externa": format!("L{number}"), "nota": documents::nota(1) });
    let order = order.to_string();
    let began = Instant::now();
    let job = client.send("POST", "/v1/nfe/emitir", &order)?.json(202)?;
    let job = job["job_id"].as_str().context("no job_id")?.to_owned();
    loop {
        let seen = client.send("GET", &format!("/v1/nfe/consultar/{job}"), "")?.json(200)?;
        if seen["nota"]["status"] == "autorizada" {
            return Ok(began.elapsed());
        }
        ensure!(began.elapsed() < AUTHORISATION_TIMEOUT, "{seen}");
        std::thread::sleep(JOB_POLL_INTERVAL);
    }
}
