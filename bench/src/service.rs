//! The service and the authorities as processes, with one company ready to issue.

use crate::client::BenchClient;
use crate::deployment::Deployment;
use crate::processes::BenchProcess;
use crate::process_time::ProcessTime;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// The issuer.
pub(crate) const CNPJ: &str = "11222333000181";

/// Returns SQLite, and PostgreSQL when `BENCH_DATABASE_URL` names an empty database (`cargo xtask postgres` makes one).
/// `BENCH_ONLY` selects one of the two.
pub(crate) fn databases(folder: &Path) -> Vec<(&'static str, String)> {
    let mut databases = vec![("sqlite", format!("sqlite:{}", folder.join("sqlite/bench.db").display()))];
    match std::env::var("BENCH_DATABASE_URL") {
        Ok(url) => databases.push(("postgres", url)),
        Err(_) => println!("BENCH_DATABASE_URL is not set: PostgreSQL is left out\n"),
    }
    let only = std::env::var("BENCH_ONLY").unwrap_or_default();
    databases.retain(|(name, _)| only.is_empty() || *name == only);
    databases
}

pub(crate) fn start_service_process(place: &Deployment<'_>, role: &str, authorities: &AuthoritiesProcess) -> Result<ServiceProcess> {
    let mut command = place.command(&["serve", "--papel", role]);
    command
        // one key sends the load of many callers; requests are counted all the same
        .env("CARIMBO_LIMITES_REQUISICOES", "50000")
        .env("CARIMBO_AUTORIDADES_TABELA", &authorities.table)
        .env("CARIMBO_AUTORIDADES_CA_BUNDLE", &authorities.ca)
        .env("CARIMBO_AUTORIDADES_ANCORAS_EMBUTIDAS", "false");
    let mut process = BenchProcess::start(&mut command)?;
    let base = if role == "worker" { String::new() } else { process.wait_for_line("escutando em")? };
    let metrics = process.wait_for_line("métricas em")?;
    Ok(ServiceProcess { process, base, metrics })
}

pub(crate) struct ServiceProcess {
    pub(crate) process: BenchProcess,
    pub(crate) base: String,
    /// Address of the metrics.
    pub(crate) metrics: String,
}

pub(crate) struct AuthoritiesProcess {
    process: BenchProcess,
    pub(crate) control: String,
    table: String,
    ca: String,
}

impl AuthoritiesProcess {
    pub(crate) fn start(place: &Deployment<'_>) -> Result<Self> {
        let addresses = ["--https", "127.0.0.1:0", "--controle", "127.0.0.1:0", "--data", "autoridades"];
        let mut process = BenchProcess::start(&mut place.command(&[&["simulador"], &addresses[..]].concat()))?;
        let control = process.wait_for_line("controle em")?.trim_end_matches("/_sim").to_owned();
        let table = place.folder.join(process.wait_for_line("tabela =")?).display().to_string();
        let ca = place.folder.join(process.wait_for_line("ca_bundle =")?).display().to_string();
        // no limits of use: rejection 656 is not measured
        let answer = BenchClient::connect(&control, "")?.send("PUT", "/_sim/limites", r#"{"ativo":false}"#)?;
        ensure!(answer.status < 300, "{}", String::from_utf8_lossy(&answer.body));
        Ok(Self { process, control, table, ca })
    }

    /// Returns the processor time of the authorities since their start.
    pub(crate) fn spent(&self) -> Result<ProcessTime> {
        ProcessTime::of(self.process.id())
    }

    pub(crate) fn documents(&self) -> Result<Value> {
        BenchClient::connect(&self.control, "")?.send("GET", "/_sim/contadores", "")?.json(200)
    }
}

/// Registers the company, its configuration, and a certificate of the test authority.
pub(crate) fn register(service: &ServiceProcess, authorities: &AuthoritiesProcess, key: &str) -> Result<()> {
    let wanted =
        json!({ "nome": "Papelaria Exemplo Ltda", "cpf_cnpj": CNPJ, "senha": "bench", "dias": 30 }).to_string();
    let pfx = BenchClient::connect(&authorities.control, "")?.send("POST", "/_sim/certificados", &wanted)?;
    ensure!(pfx.status < 300, "{}", String::from_utf8_lossy(&pfx.body));
    let company = json!({
        "cpf_cnpj": CNPJ, "nome_razao_social": "Papelaria Exemplo Ltda", "inscricao_estadual": "110042490114", "crt": 1,
        "endereco": { "logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
            "cidade": "São Paulo", "uf": "SP", "cep": "01001000" }
    });
    let certificate = json!({ "certificado": pfx_base64(&pfx.body)?, "senha": "bench" });
    let mut client = BenchClient::connect(&service.base, key)?;
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

/// Returns a PFX in base64. The control plane answers with the file itself, or with JSON that holds it in base64.
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

/// Waits until the authority has this many documents. The gauges of the queue would be seconds old.
pub(crate) fn wait_until_received(authorities: &AuthoritiesProcess, documents: usize) -> Result<()> {
    while authorities.documents()?["documentos"].as_u64() < u64::try_from(documents).ok() {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Waits until the service has also recorded the outcomes.
pub(crate) fn wait_until_settled(authorities: &AuthoritiesProcess, documents: usize) -> Result<()> {
    wait_until_received(authorities, documents)?;
    std::thread::sleep(SETTLING);
    Ok(())
}

/// Time for the service to record outcomes after the last answer.
const SETTLING: Duration = Duration::from_millis(700);
