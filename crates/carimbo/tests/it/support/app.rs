//! The service and the authorities in this process, on free ports of loopback, with a database of their own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use authority::table::EndpointTable;
use authority::transport;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::process::clock::Clock;
use engine::restored::MarkPlace;
use engine::worker;
use fiscal::value::TpAmb;
use jiff::Timestamp;
use outbound::{NameResolver, ResolveFuture};
use serde_json::{Value, json};
use server::edge::Edge;
use server::service::{RunningService, ServiceParts};
use server::{ServiceLimits, WebhookSettings};
use simulator::Simulator;
use simulator::pki::{CertificateSubject, Pki, Validity};
use store::Store;
use store::accounts::{NewAccount, NewApiKey, Permissao};
use store::audit::Actor;
use store::vault::MasterKey;
use uuid::Uuid;

use crate::support::body;
use crate::support::client::Client;
use crate::support::contract;
use crate::support::database::Database;

pub(crate) const PASSWORD: &str = "s3nha-do-certificado";

/// The machine's clock with an offset.
#[derive(Default)]
pub(crate) struct Moved(AtomicI64);

impl Moved {
    pub(crate) fn forward(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for Moved {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now() + jiff::SignedDuration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

/// A resolver that knows no name.
pub(crate) struct NoNames;

impl NameResolver for NoNames {
    fn resolve<'r>(&'r self, _host: &'r str) -> ResolveFuture<'r> {
        Box::pin(async { Err(std::io::Error::other("este teste não conhece nomes")) })
    }
}

/// Service and authorities of a test. `finish` checks at the end that no job is left.
pub(crate) struct TestApp {
    pub(crate) dir: PathBuf,
    /// The simulator's control plane.
    pub(crate) control: Client,
    pub(crate) pki: Pki,
    pub(crate) metrics_url: String,
    pub(crate) mcp_url: String,
    pub(crate) store: Store,
    pub(crate) clock: Arc<Moved>,
    client: Client,
    service: Option<RunningService>,
    simulator: Option<Simulator>,
    database: Database,
    finished: bool,
}

/// A tenant with a key of each environment.
pub(crate) struct Tenant {
    /// With the homologação key.
    pub(crate) test: Client,
    /// With the production key.
    pub(crate) live: Client,
    pub(crate) test_key_id: Uuid,
    pub(crate) id: Uuid,
}

impl TestApp {
    /// Starts without reachable webhooks, so that tests leave no trace outside.
    pub(crate) async fn start() -> TestApp {
        TestApp::start_with(|_| {}).await
    }

    /// Starts with sources of lookups.
    pub(crate) async fn with_lookups(lookups: lookup::LookupOptions) -> TestApp {
        TestApp::start_with(|parts| parts.lookups = lookups).await
    }

    /// Starts with these webhooks.
    pub(crate) async fn with_webhooks(webhooks: WebhookSettings) -> TestApp {
        TestApp::start_with(|parts| parts.webhooks = webhooks).await
    }

    /// Starts with other settings of the service.
    pub(crate) async fn start_with(change: impl FnOnce(&mut ServiceParts)) -> TestApp {
        let dir = std::env::temp_dir().join(format!("carimbo-it-{}", Uuid::now_v7()));
        std::fs::create_dir_all(&dir).unwrap();
        let pki_dir = shared_pki_dir();
        let options = simulator::SimulatorOptions {
            https: any_port(),
            control: any_port(),
            pki_dir,
            kept_keys: Some(kept_keys()),
            seed: 7,
        };
        let simulator = Simulator::start(options).await.unwrap();
        contract::watch(&simulator);
        let database = Database::as_a_rule(&dir).await;
        let store = Store::open(&database.location, MasterKey::new([7; 32])).await.unwrap();
        let clock = Arc::new(Moved::default());
        let mut parts = parts(&simulator, store.clone(), nowhere(), Arc::<Moved>::clone(&clock));
        parts.mark = Some(MarkPlace::Folder(dir.clone()));
        change(&mut parts);
        let service = RunningService::start(parts).await.unwrap();
        TestApp {
            control: Client::new(&simulator.control_url()),
            client: Client::new(&service.base_url().unwrap()),
            metrics_url: service.metrics_url().unwrap(),
            mcp_url: service.mcp_url().unwrap(),
            dir,
            pki: simulator.pki().clone(),
            store,
            clock,
            service: Some(service),
            simulator: Some(simulator),
            database,
            finished: false,
        }
    }

    /// Stops the service, runs `meanwhile` on its database, and starts another at its address.
    pub(crate) async fn restart(
        &mut self,
        meanwhile: impl AsyncFnOnce(&Database),
        change: impl FnOnce(&mut ServiceParts),
    ) {
        let before = self.service.take().unwrap();
        let http = before.addresses().0;
        before.stop(Duration::from_secs(60)).await;
        meanwhile(&self.database).await;
        self.store = Store::open(&self.database.location, MasterKey::new([7; 32])).await.unwrap();
        let clock = Arc::<Moved>::clone(&self.clock);
        let mut parts = parts(self.simulator.as_ref().unwrap(), self.store.clone(), nowhere(), clock);
        (parts.http, parts.mark) = (http, Some(MarkPlace::Folder(self.dir.clone())));
        change(&mut parts);
        self.service = Some(RunningService::start(parts).await.unwrap());
    }

    /// Starts another service on the same database, with the same clock.
    pub(crate) async fn second_node(&self, webhooks: WebhookSettings) -> RunningService {
        let store = Store::open(&self.database.location, MasterKey::new([7; 32])).await.unwrap();
        let clock = Arc::<Moved>::clone(&self.clock);
        let mut parts = parts(self.simulator.as_ref().unwrap(), store, webhooks, clock);
        parts.mark = Some(MarkPlace::Folder(self.dir.clone()));
        RunningService::start(parts).await.unwrap()
    }

    /// Returns all rows of all tables.
    pub(crate) async fn dump(&self) -> String {
        self.database.dump().await
    }

    /// Changes the database from outside the service.
    pub(crate) async fn damage(&self, sql: &str) {
        self.database.damage(sql).await;
    }

    /// Changes the settings of the authorities.
    pub(crate) fn simulate(&self, change: impl FnOnce(&mut simulator::settings::SimulatorSettings)) {
        self.simulator.as_ref().unwrap().configure(change);
    }

    /// Returns a client without a key.
    pub(crate) fn anonymous(&self) -> &Client {
        &self.client
    }

    /// Creates a tenant, as `carimbo conta criar` does.
    pub(crate) async fn tenant(&self) -> Tenant {
        let email = format!("{}@exemplo.com.br", Uuid::now_v7());
        let account = NewAccount { nome: "Conta de teste".to_owned(), email, senha_hash: "$sem-login".to_owned() };
        let id = self.store.create_account(account, 0).await.unwrap();
        let (test_key, test_key_id) = self.key(id, TpAmb::Homologacao).await;
        let (live_key, _) = self.key(id, TpAmb::Producao).await;
        Tenant { test: self.client.with_key(&test_key), live: self.client.with_key(&live_key), test_key_id, id }
    }

    async fn key(&self, tenant: Uuid, ambiente: TpAmb) -> (String, Uuid) {
        self.key_of(tenant, ambiente, Permissao::Completa).await
    }

    /// Returns a client of a tenant with another key of homologação, of this permission.
    pub(crate) async fn limited(&self, tenant: &Tenant, permissao: Permissao) -> Client {
        self.client.with_key(&self.key_of(tenant.id, TpAmb::Homologacao, permissao).await.0)
    }

    async fn key_of(&self, tenant: Uuid, ambiente: TpAmb, permissao: Permissao) -> (String, Uuid) {
        let prefix = if ambiente == TpAmb::Producao { "crb_live_" } else { "crb_test_" };
        let key = format!("{prefix}{}{}", Uuid::new_v4().simple(), &Uuid::new_v4().simple().to_string()[..11]);
        let new = NewApiKey {
            nome: "de teste".to_owned(),
            ambiente,
            permissao,
            prefixo: key[..12].to_owned(),
            hash: openssl::sha::sha256(key.as_bytes()),
        };
        let id = self.store.create_api_key(tenant, new, &Actor::operator(), 0).await.unwrap();
        (key, id)
    }

    /// Creates a tenant with one company ready to issue.
    pub(crate) async fn issuer(&self, cpf_cnpj: &str) -> Tenant {
        let tenant = self.tenant().await;
        self.company(&tenant, cpf_cnpj).await;
        tenant
    }

    /// Registers and configures a company and uploads its certificate, all through the API.
    pub(crate) async fn company(&self, tenant: &Tenant, cpf_cnpj: &str) {
        tenant.test.post("/v1/empresas", &body::company(cpf_cnpj)).await.ok(201);
        let path = format!("/v1/empresas/{cpf_cnpj}");
        tenant.test.put(&format!("{path}/nfe"), &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
        self.company_certificate(tenant, cpf_cnpj).await;
    }

    /// Uploads a company's certificate.
    pub(crate) async fn company_certificate(&self, tenant: &Tenant, cpf_cnpj: &str) {
        let upload = json!({ "certificado": STANDARD.encode(self.pfx(cpf_cnpj, 365)), "senha": PASSWORD });
        tenant.test.put(&format!("/v1/empresas/{cpf_cnpj}/certificado"), &upload).await.ok(200);
    }

    /// The authority of São Paulo answers 109 to everything; its SVC and the Ambiente Nacional work.
    pub(crate) async fn sp_stops(&self) {
        let stopped = json!([{ "modo": "paralisado_sem_previsao", "autoridade": "sp" }]);
        self.control.put("/_sim/servicos", &stopped).await.ok(200);
    }

    /// Restarts the authority, and forwards the clock so far that its status may be queried and its circuit may close.
    pub(crate) async fn sp_works(&self) {
        self.control.put("/_sim/servicos", &json!([])).await.ok(200);
        self.forward(181).await;
    }

    /// Restarts the authority and waits. A late answer of the outage may still arrive and is valid for three more
    /// minutes, so the clock is forwarded again until `awaited` ends.
    pub(crate) async fn once_sp_works<T>(&self, awaited: impl Future<Output = T>) -> T {
        let mut awaited = std::pin::pin!(awaited);
        loop {
            self.sp_works().await;
            if let Ok(come) = tokio::time::timeout(Duration::from_secs(10), &mut awaited).await {
                return come;
            }
        }
    }

    /// Returns the service's clock, in seconds.
    pub(crate) fn clock_s(&self) -> i64 {
        self.clock.now().as_second()
    }

    /// Forwards both clocks, the authorities' first: a service whose clock is ahead of theirs is refused for undue use,
    /// and then waits minutes that no test forwards.
    pub(crate) async fn forward(&self, seconds: i64) {
        let by = self.clock.0.load(Ordering::SeqCst) + seconds;
        self.control.put("/_sim/relogio", &json!({ "modo": "deslocado", "segundos": by })).await.ok(200);
        self.clock.forward(seconds);
    }

    /// Sets both clocks to a moment; the simulator's stands still four minutes later, since messages are written before
    /// they are sent.
    pub(crate) async fn stand_at(&self, moment: jiff::Timestamp) {
        self.clock.forward(moment.as_second() - self.clock.now().as_second());
        let instante = (moment + jiff::SignedDuration::from_secs(240)).to_string();
        self.control.put("/_sim/relogio", &json!({ "modo": "fixo", "instante": instante })).await.ok(200);
    }

    /// A certificate of the simulator's chain.
    pub(crate) fn pfx(&self, cpf_cnpj: &str, days: i64) -> Vec<u8> {
        let now = Timestamp::now().as_second();
        let whole = Validity { from: OF_ALL_STORIES.min(now - DAY), until: now + days * DAY };
        let subject = CertificateSubject::new("Papelaria de Teste Ltda", cpf_cnpj);
        let subject = if days > 0 { subject.valid(whole) } else { subject.valid_for_days(days) };
        self.pki.issue(&subject, PASSWORD).unwrap()
    }

    /// The chain's root, as a file.
    pub(crate) fn ca_file(&self) -> PathBuf {
        let path = self.dir.join("ca.pem");
        std::fs::write(&path, self.pki.ca_pem()).unwrap();
        path
    }

    /// Stops everything in order; no work may be left.
    pub(crate) async fn finish(mut self) {
        let depth = self.store.queue_depth(jiff::Timestamp::now().as_second()).await.unwrap();
        assert_eq!((depth.pending, depth.processing), (0, 0), "jobs were left unrun");
        self.stop().await;
    }

    /// Stops everything, whatever work is left.
    pub(crate) async fn stop(&mut self) {
        self.finished = true;
        if let Some(service) = self.service.take() {
            service.stop(Duration::from_secs(60)).await;
        }
        if let Some(simulator) = self.simulator.take() {
            simulator.stop().await;
        }
        self.database.drop().await;
        std::fs::remove_dir_all(&self.dir).unwrap();
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        assert!(self.finished || std::thread::panicking(), "the test did not call finish()");
    }
}

/// Posts an emission and waits for its end.
pub(crate) async fn issued(client: &Client, body: &Value) -> Value {
    let accepted = client.post("/v1/nfe/emitir", body).await.ok(202);
    ended(client, &accepted).await
}

/// Polls until the job has ended.
#[track_caller]
pub(crate) fn ended(client: &Client, accepted: &Value) -> impl Future<Output = Value> {
    let (client, path) = (client.clone(), accepted["consulta"].as_str().expect("consulta").to_owned());
    async move {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let job = client.get(&path).await.ok(200);
            if !matches!(job["status"].as_str(), Some("pending" | "processing")) {
                return job;
            }
            assert!(Instant::now() < deadline, "the job does not end: {job}");
            // webhooks aside, the API has no push, so the client polls with a short pause
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Polls until the job satisfies `is`.
pub(crate) async fn job_when(client: &Client, accepted: &Value, is: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(90);
    loop {
        let job = client.get(accepted["consulta"].as_str().unwrap()).await.ok(200);
        if is(&job) {
            return job;
        }
        if Instant::now() >= deadline {
            let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
            panic!("never so: {job:#}\n{log}");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// 2026-08-01: tests at a fixed date of the law need a certificate that is older, whenever they run.
const OF_ALL_STORIES: i64 = 1_785_553_200;
const DAY: i64 = 86_400;

fn nowhere() -> WebhookSettings {
    WebhookSettings { resolver: Arc::new(NoNames), ..WebhookSettings::default() }
}

fn any_port() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

fn parts(simulator: &Simulator, store: Store, webhooks: WebhookSettings, clock: Arc<dyn Clock>) -> ServiceParts {
    ServiceParts {
        store,
        table: EndpointTable::with_overrides(&simulator.endpoints_toml()).unwrap(),
        transport: transport::TransportOptions {
            extra_anchors_pem: Some(simulator.pki().ca_pem().to_vec()),
            builtin_anchors: false,
            ..transport::TransportOptions::default()
        },
        http: Some(any_port()),
        metrics: Some(any_port()),
        mcp: Some(any_port()),
        worker: Some(worker::WorkerOptions { concurrency: 8, per_authority: 8, lease: Duration::from_secs(30) }),
        limits: ServiceLimits { body_bytes: 1 << 20, ..ServiceLimits::default() },
        edge: Edge::default(),
        webhooks,
        mail: None,
        clock,
        lookups: lookup::LookupOptions::default(),
        software_house: None,
        // a quiet time short enough for tests
        contingency: engine::contingency::ContingencyOptions {
            sefaz_quiet_s: 2,
            nfse_quiet_s: 2,
            // tests of the other layout set it themselves
            layouts: engine::family::layouts::LayoutChoices {
                homologacao: engine::family::layouts::LayoutChoice::read("atual").unwrap(),
                ..engine::family::layouts::LayoutChoices::default()
            },
            ..engine::contingency::ContingencyOptions::default()
        },
        backlog: engine::acceptance::backlog::BacklogLimits::default(),
        law: Arc::default(),
        opened: server::UnverifiedFeatures::default(),
        mark: None,
    }
}

/// Making keys takes longer than a test: all tests of all runs share one chain, and the keys of their certificates.
pub(crate) fn shared_pki() -> (Pki, PathBuf) {
    let dir = shared_pki_dir();
    (Pki::load_or_create(&dir).unwrap().with_keys_kept_in(kept_keys()).unwrap(), dir)
}

/// Returns the folder of the chain; the first process creates it.
fn shared_pki_dir() -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pki");
    std::fs::create_dir_all(&dir).unwrap();
    let lock = std::fs::File::create(dir.join("lock")).unwrap();
    lock.lock().unwrap();
    // reading its keys takes as long as a small test's own work
    let made = dir.join("feita");
    if !made.exists() {
        Pki::load_or_create(&dir).unwrap();
        std::fs::write(made, "").unwrap();
    }
    dir
}

pub(crate) fn kept_keys() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("chaves")
}
