//! `bench load`: the release binary and the simulator as processes, clients on kept connections, SQLite and PostgreSQL.
//!
//! Three figures per database: requests accepted per second with no worker running (`--papel api`); that backlog authorised per
//! second with no client running; and both at once. The authority's own count says how many documents there are in the end.

use crate::client::Client;
use crate::measure::{Samples, ms, per_second};
use crate::place::{Place, account};
use crate::processes::{Process, carimbo};
use crate::{documents, yardstick};
use anyhow::{Context, Result, ensure};
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const CLIENTS: usize = 32;
const CNPJ: &str = "11222333000181";

/// Runs the load on every database that is there.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let documents: usize = args.first().map_or(Ok(5000), |count| count.parse())?;
    let binary = carimbo()?;
    let threads = std::thread::available_parallelism()?.get();
    let key = PKey::from_rsa(Rsa::generate(2048)?)?;
    let unit = yardstick::signatures_per_second(&key, threads)?;
    println!(
        "bare RSA-2048 SHA-1 signatures: {unit:.0}/s on {threads} threads; {documents} documents, {CLIENTS} clients\n"
    );
    println!("{:<12} {:<34} {:>10} {:>12}", "database", "", "per second", "÷ signatures");
    let folder = std::env::temp_dir().join(format!("carimbo-bench-{}", std::process::id()));
    let outcome = databases(&folder).into_iter().try_for_each(|(name, url)| {
        let place = Place { binary: &binary, folder: folder.join(name), url };
        std::fs::create_dir_all(&place.folder)?;
        database(name, &place, documents, unit).with_context(|| name.to_owned())
    });
    std::fs::remove_dir_all(&folder)?;
    outcome
}

/// SQLite always; PostgreSQL when `BENCH_DATABASE_URL` names an empty database (`cargo xtask postgres` makes one).
fn databases(folder: &Path) -> Vec<(&'static str, String)> {
    let mut databases = vec![("sqlite", format!("sqlite:{}", folder.join("sqlite/bench.db").display()))];
    match std::env::var("BENCH_DATABASE_URL") {
        Ok(url) => databases.push(("postgres", url)),
        Err(_) => println!("BENCH_DATABASE_URL is not set: PostgreSQL is left out\n"),
    }
    databases
}

fn serve(place: &Place<'_>, role: &str, authorities: &Authorities) -> Result<Service> {
    let mut command = place.command(&["serve", "--papel", role]);
    command
        .env("CARIMBO_AUTORIDADES_TABELA", &authorities.table)
        .env("CARIMBO_AUTORIDADES_CA_BUNDLE", &authorities.ca)
        .env("CARIMBO_AUTORIDADES_ANCORAS_EMBUTIDAS", "false");
    let mut process = Process::start(&mut command)?;
    let base = if role == "worker" { String::new() } else { process.says("escutando em")? };
    process.says("métricas em")?;
    Ok(Service { _process: process, base })
}

struct Service {
    _process: Process,
    base: String,
}

struct Authorities {
    _process: Process,
    control: String,
    table: String,
    ca: String,
}

impl Authorities {
    fn start(place: &Place<'_>) -> Result<Self> {
        let addresses = ["--https", "127.0.0.1:0", "--controle", "127.0.0.1:0", "--data", "autoridades"];
        let mut process = Process::start(&mut place.command(&[&["simulador"], &addresses[..]].concat()))?;
        let control = process.says("controle em")?.trim_end_matches("/_sim").to_owned();
        let table = place.folder.join(process.says("tabela =")?).display().to_string();
        let ca = place.folder.join(process.says("ca_bundle =")?).display().to_string();
        // no limits of use: 656 is not what is measured
        let answer = Client::connect(&control, "")?.send("PUT", "/_sim/limites", r#"{"ativo":false}"#)?;
        ensure!(answer.status < 300, "{}", String::from_utf8_lossy(&answer.body));
        Ok(Self { _process: process, control, table, ca })
    }

    fn documents(&self) -> Result<Value> {
        Client::connect(&self.control, "")?.send("GET", "/_sim/contadores", "")?.json(200)
    }
}

fn database(name: &str, place: &Place<'_>, documents: usize, unit: f64) -> Result<()> {
    let row = |what: &str, rate: f64| println!("{name:<12} {what:<34} {rate:>10.0} {:>12.2}", rate / unit);
    let authorities = Authorities::start(place)?;
    let key = account(place, "Bench")?;
    let api = serve(place, "api", &authorities)?;
    register(&api, &authorities, &key)?;
    let (took, latency) = post(&api.base, &key, "ACEITE", documents)?;
    row("accepted, no worker running", per_second(documents, took));
    println!("{:<12} median {}, 99 % below {}", "", ms(latency.median()), ms(latency.percentile(99)));
    drop(api);

    let began = Instant::now();
    let worker = serve(place, "worker", &authorities)?;
    wait_until_there(&authorities, documents)?;
    row("authorised, no client running", per_second(documents, began.elapsed()));
    drop(worker);

    let service = serve(place, "todos", &authorities)?;
    let began = Instant::now();
    let (took, latency) = post(&service.base, &key, "TUDO", documents)?;
    row("accepted, workers running", per_second(documents, took));
    println!("{:<12} median {}, 99 % below {}", "", ms(latency.median()), ms(latency.percentile(99)));
    wait_until_there(&authorities, 2 * documents)?;
    row("authorised, from the first request", per_second(documents, began.elapsed()));
    println!("{:<12} the authority holds {}\n", "", authorities.documents()?);
    check_last(&service, &key, documents)
}

/// The company, its configuration, and a certificate from the test authority.
fn register(service: &Service, authorities: &Authorities, key: &str) -> Result<()> {
    let wanted =
        json!({ "nome": "Papelaria Exemplo Ltda", "cpf_cnpj": CNPJ, "senha": "bench", "dias": 30 }).to_string();
    let pfx = Client::connect(&authorities.control, "")?.send("POST", "/_sim/certificados", &wanted)?;
    ensure!(pfx.status < 300, "{}", String::from_utf8_lossy(&pfx.body));
    let company = json!({
        "cpf_cnpj": CNPJ, "nome_razao_social": "Papelaria Exemplo Ltda", "inscricao_estadual": "110042490114", "crt": 1,
        "endereco": { "logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
            "cidade": "São Paulo", "uf": "SP", "cep": "01001000" }
    });
    let certificate = json!({ "certificado": pfx_base64(&pfx.body)?, "senha": "bench" });
    let mut client = Client::connect(&service.base, key)?;
    for (method, path, body) in [
        ("POST", "/v1/empresas".to_owned(), company),
        ("PUT", format!("/v1/empresas/{CNPJ}/nfe"), json!({ "ambiente": 2, "crt": 1, "serie": "1" })),
        ("PUT", format!("/v1/empresas/{CNPJ}/certificado"), certificate),
    ] {
        let answer = client.send(method, &path, &body.to_string())?;
        ensure!(answer.status < 300, "{method} {path}: {}", String::from_utf8_lossy(&answer.body));
    }
    Ok(())
}

/// The control plane answers with the file itself, or with JSON that holds it in base64.
fn pfx_base64(body: &[u8]) -> Result<String> {
    match serde_json::from_slice::<Value>(body) {
        Ok(answer) => {
            let text = answer
                .as_object()
                .into_iter()
                .flatten()
                .find(|(name, _)| name.contains("pfx") || *name == "certificado");
            Ok(text.and_then(|(_, value)| value.as_str()).context("no PFX in the answer")?.to_owned())
        }
        Err(_) => Ok(openssl::base64::encode_block(body)),
    }
}

/// Posts all documents over kept connections; the time of the whole and of each request.
fn post(base: &str, key: &str, prefix: &str, documents: usize) -> Result<(Duration, Samples)> {
    let nota = documents::nota(1);
    let next = AtomicUsize::new(0);
    let latency = Mutex::new(Samples::default());
    let began = Instant::now();
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let mut client = Client::connect(base, key)?;
                    let mut mine = Vec::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= documents {
                            break;
                        }
                        let body = json!({ "cpf_cnpj": CNPJ, "referencia_externa": format!("{prefix}{number}"), "nota": nota });
                        let body = body.to_string();
                        let sent = Instant::now();
                        client.send("POST", "/v1/nfe/emitir", &body)?.json(202)?;
                        mine.push(sent.elapsed());
                    }
                    let mut all = latency.lock().map_err(|_| anyhow::anyhow!("a client died"))?;
                    mine.into_iter().for_each(|time| all.push(time));
                    Ok(())
                })
            })
            .collect();
        clients.into_iter().try_for_each(|client| client.join().unwrap_or_else(|_| anyhow::bail!("a client died")))
    })?;
    let took = began.elapsed();
    Ok((took, latency.into_inner()?))
}

/// Until the authority has so many documents: the gauges of the queue are seconds old.
fn wait_until_there(authorities: &Authorities, documents: usize) -> Result<()> {
    while authorities.documents()?["documentos"].as_u64() < u64::try_from(documents).ok() {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The last document is really authorised: nobody measured errors.
fn check_last(service: &Service, key: &str, documents: usize) -> Result<()> {
    let mut client = Client::connect(&service.base, key)?;
    let reference = format!("TUDO{}", documents - 1);
    let body = json!({ "cpf_cnpj": CNPJ, "referencia_externa": reference, "nota": documents::nota(1) });
    // the authority has it a moment before we have its answer
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
