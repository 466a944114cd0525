//! Parts of the demonstration: simulator, store, service, account, companies. Created on the first run, reused later.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use authority::table::EndpointTable;
use authority::transport;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::worker;
use fiscal::value::TpAmb;
use http::Method;
use outbound::AddressPolicy;
use serde_json::{Value, json};
use server::WebhookSettings;
use server::edge::Edge;
use server::key;
use server::service::{RunningService, ServiceParts};
use simulator::Simulator;
use simulator::settings::{Csc, TaxpayerRecord};
use store::accounts::Permissao;
use store::{Location, Store};
use tokio::task::JoinHandle;

use super::client::DemoClient;
use super::demo_file::{DemoFile, write_private};
use super::demo_output::DemoOutput;
use super::registers;
use super::sample::{self, ALPHANUMERIC, MUNICIPAL, NUMERIC, SampleCompany};
use crate::cli::account;
use crate::config::{self, master_key};

/// All running parts of the demonstration.
pub(super) struct DemoInstallation {
    pub(super) dir: PathBuf,
    pub(super) record: DemoFile,
    pub(super) client: DemoClient,
    service: RunningService,
    simulator: Simulator,
    /// Held until the demonstration ends.
    _lock: File,
}

/// Locks the folder: two demonstrations on one database would send each other's documents.
fn lock(dir: &Path) -> anyhow::Result<File> {
    let file = File::create(dir.join("em-uso"))?;
    let free = file.try_lock();
    free.map_err(|_| {
        anyhow::anyhow!("já há uma demonstração rodando em {}; use outra pasta com --data", dir.display())
    })?;
    Ok(file)
}

/// Keys and password of the account.
struct DemoAccount {
    email: String,
    senha: String,
    test_key: String,
    live_key: String,
}

impl DemoInstallation {
    /// Starts the parts, registers the companies and writes `demo.json`.
    pub(super) async fn start(
        dir: &Path,
        wanted: DemoAddresses,
        screen: &DemoOutput,
    ) -> anyhow::Result<DemoInstallation> {
        std::fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
        let dir = dir.canonicalize()?;
        let lock = lock(&dir)?;
        // generating keys and hashing passwords take their time, so they run in parallel
        let simulator = tokio::spawn(start_simulator(dir.clone()));
        let account = tokio::spawn(open_account(dir.clone()));
        let simulator = simulator.await??;
        register_csc(&simulator);
        screen.print_success("autoridades simuladas", format_args!("{} (TLS mútuo)", simulator.https_url()));
        let certificates = [&NUMERIC, &ALPHANUMERIC].map(|sample| issue_certificate(&simulator, &dir, sample));
        let municipal = issue_certificate(&simulator, &dir, &MUNICIPAL);
        let (store, account) = account.await??;
        let url = wanted.url.clone();
        let service = start_service(&dir, store, &simulator, wanted).await?;
        let base_url = service.base_url().context("a demonstração tem API")?;
        let mcp_url = service.mcp_url().context("a demonstração tem MCP")?;
        screen.print_success("serviço", &base_url);
        screen.print_success("MCP, para agentes de IA", &mcp_url);
        screen.print_success("conta e chaves de API", &account.email);
        let client = DemoClient::new(&base_url, &account.test_key);
        let mut record = record(&dir, [&base_url, &mcp_url], &simulator, account);
        record.painel_url = format!("{}/painel", url.unwrap_or(base_url));
        for (sample, certificate) in [&NUMERIC, &ALPHANUMERIC].into_iter().zip(certificates) {
            register(&client, &sample::company(sample), &sample::configurations(), certificate).await?;
        }
        register(&client, &sample::municipal_company(), &[("nfse", sample::municipal_configuration())], municipal)
            .await?;
        let masked = [&NUMERIC, &ALPHANUMERIC, &MUNICIPAL].map(|sample| sample.masked);
        screen.print_success("empresas com certificado", masked.join(" · "));
        screen.print_success("consultas de exemplo", format_args!("/v1/cep/01310100 · /v1/cnpj/{}", NUMERIC.cnpj));
        record.webhook_segredo = Some(webhook_secret(&client).await?);
        std::fs::write(&record.ca_pem, simulator.pki().ca_pem()).with_context(|| record.ca_pem.clone())?;
        record.write(&dir.join(FILE))?;
        Ok(DemoInstallation { dir, record, client, service, simulator, _lock: lock })
    }

    /// Stops the service, then the simulator.
    pub(super) async fn stop(self, grace: Duration) {
        self.service.stop(grace).await;
        self.simulator.stop().await;
    }
}

async fn start_simulator(dir: PathBuf) -> anyhow::Result<Simulator> {
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let options = simulator::SimulatorOptions {
        https: any_port,
        control: any_port,
        pki_dir: dir.join("autoridades"),
        kept_keys: None,
        seed: 2026,
    };
    Simulator::start(options).await.context("as autoridades simuladas não subiram")
}

/// Registers the security codes of the NFC-e with the simulated SEFAZ, as a state's portal issues them.
fn register_csc(simulator: &Simulator) {
    simulator.configure(|settings| {
        for sample in [&NUMERIC, &ALPHANUMERIC] {
            let csc = Csc { csc: sample::CSC.to_owned(), revogado_em: None };
            let taxpayer =
                TaxpayerRecord { csc: [(sample::CSC_ID.to_owned(), csc)].into(), ..TaxpayerRecord::default() };
            settings.contribuintes.insert(sample.cnpj.to_owned(), taxpayer);
        }
    });
}

async fn open_account(dir: PathBuf) -> anyhow::Result<(Store, DemoAccount)> {
    let store = open_store(&dir).await?;
    registers::import_missing_registers(&store, &dir).await?;
    let account = account(&store, &dir).await?;
    Ok((store, account))
}

async fn open_store(dir: &Path) -> anyhow::Result<Store> {
    let (key_file, database) = (dir.join("chave-mestra"), dir.join("carimbo.db"));
    if !key_file.exists() {
        let lost = format!("a chave mestra desta demonstração foi apagada; apague também {}", database.display());
        anyhow::ensure!(!database.exists(), lost);
        master_key::write_new(&key_file, &master_key::generate()?)?;
    }
    let location = Location::Sqlite(database);
    Store::open(&location, master_key::from_file(&key_file)?).await.context("o banco de dados não abriu")
}

/// Requested listen addresses.
#[derive(Clone)]
pub(super) struct DemoAddresses {
    pub(super) http: Option<SocketAddr>,
    pub(super) mcp: Option<SocketAddr>,
    /// Public URL of the panel.
    pub(super) url: Option<String>,
}

/// Returns the requested address, else the usual port, else any free one.
fn listen_address(wanted: Option<SocketAddr>, usual: u16) -> SocketAddr {
    let [usual, any] = [usual, 0].map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
    let free = || std::net::TcpListener::bind(usual).is_ok();
    wanted.unwrap_or_else(|| if free() { usual } else { any })
}

/// Replaces port 0 by a free port before the service listens: links to the panel contain it.
fn with_fixed_port(address: SocketAddr) -> anyhow::Result<SocketAddr> {
    match address.port() {
        0 => Ok(std::net::TcpListener::bind(address)?.local_addr()?),
        _ => Ok(address),
    }
}

/// Starts the service on 8080, MCP on 8081, unless other addresses are requested.
async fn start_service(
    dir: &Path,
    store: Store,
    simulator: &Simulator,
    wanted: DemoAddresses,
) -> anyhow::Result<RunningService> {
    let table = EndpointTable::with_overrides(&simulator.endpoints_toml())?;
    let transport = transport::TransportOptions {
        extra_anchors_pem: Some(simulator.pki().ca_pem().to_vec()),
        builtin_anchors: false,
        ..transport::TransportOptions::default()
    };
    let worker = worker::WorkerOptions { concurrency: 16, per_authority: 8, lease: Duration::from_secs(30) };
    let http = with_fixed_port(listen_address(wanted.http, 8080))?;
    // a listener on every interface does not know the name by which it is reached
    let public_url = wanted.url.or_else(|| Some(format!("http://{http}")).filter(|_| !http.ip().is_unspecified()));
    let public_url_for_mail = public_url.clone();
    let parts = ServiceParts {
        http: Some(http),
        edge: Edge { public_url, ..Edge::default() },
        // port 0 for the API means any port for MCP too
        mcp: Some(listen_address(wanted.mcp.or(wanted.http.filter(|asked| asked.port() == 0)), 8081)),
        worker: Some(worker),
        webhooks: WebhookSettings {
            reach: AddressPolicy::public().with_plain_loopback(true),
            ..WebhookSettings::default()
        },
        mail: config::mail_of_environment(public_url_for_mail.as_deref())?,
        ..ServiceParts::idle(store, table, transport)
    };
    RunningService::start(parts).await.with_context(|| dir.display().to_string())
}

/// Returns the account of an earlier run when `demo.json` names it; otherwise creates one.
async fn account(store: &Store, dir: &Path) -> anyhow::Result<DemoAccount> {
    if let Some(record) = DemoFile::read(&dir.join(FILE))
        && let Ok(tenant) = store.account_by_email(&record.email).await
    {
        let test_key = usable_key(store, tenant, TpAmb::Homologacao, record.api_key_homologacao).await?;
        let live_key = usable_key(store, tenant, TpAmb::Producao, record.api_key_producao).await?;
        return Ok(DemoAccount { email: record.email, senha: record.senha, test_key, live_key });
    }
    let email = free_email(store).await;
    let senha = account::random_password()?;
    let made = account::create(store, "Demonstração", &email, &senha).await?;
    let (test_key, live_key) = (made.test_key.to_string(), made.live_key.to_string());
    Ok(DemoAccount { email, senha: senha.to_string(), test_key, live_key })
}

/// Returns the key, or a new one when it was lost or revoked.
async fn usable_key(store: &Store, tenant: uuid::Uuid, ambiente: TpAmb, known: String) -> anyhow::Result<String> {
    match store.caller(&key::hash(&known), jiff::Timestamp::now().as_second()).await {
        Ok(caller) if caller.tenant_id == tenant => Ok(known),
        _ => Ok(account::new_key(store, tenant, ambiente, Permissao::Completa, "da demonstração").await?.to_string()),
    }
}

/// Returns an e-mail without an account. The account of a deleted `demo.json` is left alone: its password is lost.
async fn free_email(store: &Store) -> String {
    let mut email = "demo@carimbo.local".to_owned();
    let mut count = 1;
    while store.account_by_email(&email).await.is_ok() {
        count += 1;
        email = format!("demo{count}@carimbo.local");
    }
    email
}

/// Fetches the secret that signs the webhooks of homologação, through the API.
async fn webhook_secret(client: &DemoClient) -> anyhow::Result<String> {
    let answer = client.send_expecting_success(Method::GET, "/v1/webhooks/segredo", &json!({})).await?;
    answer["segredo"].as_str().map(str::to_owned).context("a resposta não traz o segredo dos webhooks")
}

/// Registers a company with its configurations and certificate, through the API.
async fn register(
    client: &DemoClient,
    company: &Value,
    configurations: &[(&str, Value)],
    certificate: CertificateTask,
) -> anyhow::Result<()> {
    let path = format!("/v1/empresas/{}", company["cpf_cnpj"].as_str().context("a empresa tem CNPJ")?);
    let created = client.send_json(Method::POST, "/v1/empresas", company).await?;
    if created.status == http::StatusCode::CONFLICT {
        client.send_expecting_success(Method::PUT, &path, company).await?;
    } else {
        anyhow::ensure!(created.status.is_success(), "POST /v1/empresas: {}", created.json()?);
    }
    for (tipo, configuration) in configurations {
        client.send_expecting_success(Method::PUT, &format!("{path}/{tipo}"), configuration).await?;
    }
    let pfx = certificate.await??;
    let upload = json!({ "certificado": STANDARD.encode(pfx), "senha": CERTIFICATE_PASSWORD });
    client.send_expecting_success(Method::PUT, &format!("{path}/certificado"), &upload).await?;
    Ok(())
}

/// A task that issues a certificate; returns its PFX.
type CertificateTask = JoinHandle<anyhow::Result<Vec<u8>>>;

fn issue_certificate(simulator: &Simulator, dir: &Path, sample: &'static SampleCompany) -> CertificateTask {
    let (pki, path) = (simulator.pki().clone(), pfx_path(dir, sample));
    tokio::task::spawn_blocking(move || {
        let pfx = pki.issue_pfx(sample.nome, sample.cnpj, CERTIFICATE_PASSWORD, 365)?;
        write_private(&path, &pfx).with_context(|| path.display().to_string())?;
        Ok(pfx)
    })
}

fn pfx_path(dir: &Path, sample: &SampleCompany) -> PathBuf {
    dir.join(format!("{}.pfx", sample.cnpj))
}

fn record(dir: &Path, [base_url, mcp_url]: [&str; 2], simulator: &Simulator, account: DemoAccount) -> DemoFile {
    DemoFile {
        base_url: base_url.to_owned(),
        mcp_url: mcp_url.to_owned(),
        painel_url: String::new(),
        simulador_url: simulator.control_url(),
        api_key_homologacao: account.test_key,
        api_key_producao: account.live_key,
        email: account.email,
        senha: account.senha,
        cpf_cnpj: NUMERIC.cnpj.to_owned(),
        cpf_cnpj_alfanumerico: ALPHANUMERIC.cnpj.to_owned(),
        cpf_cnpj_municipal: MUNICIPAL.cnpj.to_owned(),
        crt: 1,
        uf: "SP".to_owned(),
        webhook_segredo: None,
        certificado_pfx: pfx_path(dir, &NUMERIC).display().to_string(),
        certificado_senha: CERTIFICATE_PASSWORD.to_owned(),
        ca_pem: dir.join("ca.pem").display().to_string(),
    }
}

const FILE: &str = "demo.json";
const CERTIFICATE_PASSWORD: &str = "certificado-de-teste";
