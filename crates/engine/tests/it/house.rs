//! A fixture per test: a fresh database, a simulator of its own, an engine between them, one company with a
//! certificate.

use crate::issued::{self, Issued as Issues};
use authority::table::EndpointTable;
use authority::transport::{self, AuthorityTransport};
use engine::acceptance::backlog;
use engine::acceptance::issue::{AcceptedOrder, IssueError};
use engine::company::software_house::{SoftwareHouse, SoftwareHouseSecret};
use engine::order::act_request::{ActRequest, DocumentAct, DocumentTarget};
use engine::order::emission::IssueRequest;
use engine::process::clock::Clock;
use engine::restored::MarkPlace;
use engine::worker::{self, Worker};
use engine::{Engine, contingency};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use simulator::settings::{ModeAt, ServiceMode};
use simulator::{Simulator, SimulatorOptions};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use store::Visibility;
use store::accounts::{Caller, NewAccount};
use store::audit::Actor;
use store::jobs::{Job, JobDocument, JobStatus, RegistrationResult};
use store::numbers::{LedgerRow, NumberedKind, Series};
use store::vault::MasterKey;
use store::{Location, Store};
use testkit::model_database;
use uuid::Uuid;
use zeroize::Zeroizing;

/// The secret of the operator's software house.
pub(crate) const CSRT: &str = "G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO";

/// Runs a test once per database.
macro_rules! on_both {
    ($(async fn $fact:ident($house:ident) $story:block)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                super::$fact($crate::house::House::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                super::$fact($crate::house::House::postgres().await).await;
            })*
        }
        $(async fn $fact($house: $crate::house::House) $story)*
    };
}
pub(crate) use on_both;

/// Runs a test once per document and database; after the word `transport` for CT-e and CT-e OS alone, after `services`
/// for the NFS-e.
macro_rules! of_each {
    ($(async fn $fact:ident($house:ident) $story:block)*) => {
        $crate::house::of_each!(@ nfe NFE $($fact)*);
        $crate::house::of_each!(@ cte CTE $($fact)*);
        $crate::house::of_each!(@ cte_os CTE_OS $($fact)*);
        $(async fn $fact($house: $crate::house::House) $story)*
    };
    (transport $(async fn $fact:ident($house:ident) $story:block)*) => {
        $crate::house::of_each!(@ cte CTE $($fact)*);
        $crate::house::of_each!(@ cte_os CTE_OS $($fact)*);
        $(async fn $fact($house: $crate::house::House) $story)*
    };
    (services $(async fn $fact:ident($house:ident) $story:block)*) => {
        $crate::house::of_each!(@ nfse NFSE $($fact)*);
        $(async fn $fact($house: $crate::house::House) $story)*
    };
    (@ $document:ident $issued:ident $($fact:ident)*) => {
        mod $document {
            use crate::house::House;
            use crate::issued::$issued;

            mod sqlite {
                use super::*;
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $fact() {
                    super::super::$fact(House::sqlite_of(&$issued).await).await;
                })*
            }
            mod postgres {
                use super::*;
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $fact() {
                    super::super::$fact(House::postgres_of(&$issued).await).await;
                })*
            }
        }
    };
}
pub(crate) use of_each;

pub(crate) const CNPJ: &str = "11222333000181";
/// A CNPJ with letters, as they exist since July 2026.
pub(crate) const LETTERED: &str = "12ABC34501DE35";
pub(crate) const SENHA: &str = "segredo";
/// Longest wait of a test: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(90);

/// The machine's clock, moved forward at will.
#[derive(Default)]
pub(crate) struct Moved(AtomicI64);

impl Moved {
    pub(crate) fn forward(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_secs()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for Moved {
    fn now(&self) -> Timestamp {
        Timestamp::now() + SignedDuration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

/// Location of the database; removed with the fixture.
enum Place {
    Folder,
    Database { name: String },
}

pub(crate) struct House {
    pub(crate) engine: Engine,
    pub(crate) simulator: Simulator,
    pub(crate) clock: Arc<Moved>,
    pub(crate) caller: Caller,
    folder: PathBuf,
    place: Place,
    worker: Option<Worker>,
    /// Documents that its company issues.
    pub(crate) issues: &'static Issues,
}

impl House {
    pub(crate) async fn sqlite() -> House {
        House::sqlite_of(&issued::NFE).await
    }

    pub(crate) async fn postgres() -> House {
        House::postgres_of(&issued::NFE).await
    }

    pub(crate) async fn sqlite_of(issues: &'static Issues) -> House {
        House::at(Place::Folder, issues).await
    }

    pub(crate) async fn postgres_of(issues: &'static Issues) -> House {
        let name = format!("carimbo_{}", Uuid::now_v7().simple());
        administer(&model_database::create_database(&name)).await;
        House::at(Place::Database { name }, issues).await
    }

    async fn at(place: Place, issues: &'static Issues) -> House {
        let folder = std::env::temp_dir().join(format!("carimbo-engine-{}", Uuid::now_v7()));
        std::fs::create_dir_all(&folder).unwrap();
        let free = "127.0.0.1:0".parse().unwrap();
        let options =
            SimulatorOptions { https: free, control: free, pki_dir: shared_pki(), kept_keys: kept_keys(), seed: 7 };
        let simulator = Simulator::start(options).await.unwrap();
        let location = location(&place, &folder);
        if let Location::Sqlite(file) = &location {
            model_database::create_file(file);
        }
        let store = Store::open(&location, MasterKey::new([7; 32])).await.unwrap();
        let account = NewAccount { nome: "T".into(), email: "t@exemplo.com".into(), senha_hash: "x".into() };
        let tenant_id = store.create_account(account, 0).await.unwrap();
        let caller = Caller {
            tenant_id,
            api_key_id: Uuid::nil(),
            ambiente: TpAmb::Homologacao,
            permissao: store::accounts::Permissao::Completa,
            granted: None,
        };
        let clock = Arc::new(Moved::default());
        let engine = engine(&simulator, store, Arc::clone(&clock));
        let mut house = House { engine, simulator, clock, caller, folder, place, worker: None, issues };
        house.company(CNPJ).await;
        house.certificate(CNPJ, 365).await;
        house.start();
        house
    }

    /// Starts a worker on the engine.
    pub(crate) fn start(&mut self) {
        self.worker = Some(Worker::start(self.engine.clone(), options()));
    }

    /// Kills the worker as a killed process would: jobs are dropped where they stand.
    pub(crate) async fn kill_worker(&mut self) {
        self.stop_worker(Duration::ZERO).await;
    }

    pub(crate) async fn stop_worker(&mut self, grace: Duration) {
        self.worker.take().unwrap().stop(grace).await;
    }

    /// Changes something in the database from outside the engine.
    pub(crate) async fn damage(&self, sql: &str) {
        match location(&self.place, &self.folder) {
            Location::Sqlite(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
            Location::Postgres(url) => execute(&url, sql).await,
        }
    }

    /// Another process on the same database and the same authorities.
    pub(crate) async fn another_engine(&self) -> Engine {
        let store = Store::open(&location(&self.place, &self.folder), MasterKey::new([7; 32])).await.unwrap();
        engine(&self.simulator, store, Arc::clone(&self.clock))
    }

    /// Takes a copy of the database, without a worker.
    pub(crate) async fn take_copy(&mut self) {
        self.engine.store().close().await;
        match &self.place {
            Place::Folder => {
                let file = self.folder.join("carimbo.db");
                let copy = format!("VACUUM INTO '{}'", self.folder.join("copia.db").display());
                rusqlite::Connection::open(file).unwrap().execute_batch(&copy).unwrap();
            }
            Place::Database { name } => template(&format!("{name}_copia"), name).await,
        }
        self.engine = self.another_engine().await;
    }

    /// Stops, and starts with the copy in place of the database.
    pub(crate) async fn put_copy_back(&mut self) {
        self.stop_worker(Duration::from_secs(20)).await;
        self.engine.store().close().await;
        match &self.place {
            Place::Folder => {
                for rest in ["carimbo.db-wal", "carimbo.db-shm"] {
                    // SQLite may have removed them at the end
                    let _ = std::fs::remove_file(self.folder.join(rest));
                }
                std::fs::rename(self.folder.join("copia.db"), self.folder.join("carimbo.db")).unwrap();
            }
            Place::Database { name } => {
                administer(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
                administer(&format!("ALTER DATABASE {name}_copia RENAME TO {name}")).await;
            }
        }
        self.engine = self.another_engine().await;
    }

    /// Sets the state of these authorities; all others work.
    pub(crate) fn stand(&self, modes: &[(&str, ServiceMode)]) {
        let at = |(authority, modo): &(&str, ServiceMode)| ModeAt {
            modo: *modo,
            autoridade: Some((*authority).into()),
            modelo: None,
            ambiente: None,
            servico: None,
            retorno_s: None,
        };
        self.simulator.configure(|settings| settings.servicos = modes.iter().map(at).collect());
    }

    /// The folder beside the database.
    pub(crate) fn mark(&self) -> MarkPlace {
        MarkPlace::Folder(self.folder.clone())
    }

    /// A company of São Paulo that may issue in homologação.
    pub(crate) async fn company(&self, of: &str) {
        let cpf_cnpj = CnpjCpf::parse(of).unwrap();
        let dados = json!({"nome_razao_social": "Papelaria Demonstração Ltda", "inscricao_estadual": "110042490114", "crt": 1,
            "endereco": {"logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
                "cidade": "São Paulo", "uf": "SP", "cep": "01001000"}});
        let store = self.engine.store();
        store.create_company(self.caller.tenant_id, cpf_cnpj, dados, &Actor::operator(), 0).await.unwrap();
        let (tenant, tipo) = (self.caller.tenant_id, self.issues.tipo);
        store
            .configure_company(tenant, cpf_cnpj, tipo, self.issues.configuration(), &Actor::operator(), 0)
            .await
            .unwrap();
    }

    /// Issues a certificate in the test chain and uploads it.
    pub(crate) async fn certificate(&self, of: &str, days: i64) {
        let pfx = self.simulator.pki().issue_pfx("PAPELARIA DEMONSTRACAO LTDA", of, SENHA, days).unwrap();
        let senha = Zeroizing::new(SENHA.to_owned());
        let cpf_cnpj = CnpjCpf::parse(of).unwrap();
        self.engine
            .put_certificate(self.caller.tenant_id, cpf_cnpj, Zeroizing::new(pfx), senha, &Actor::operator())
            .await
            .unwrap();
    }

    pub(crate) fn request(&self, nota: Value) -> IssueRequest {
        IssueRequest {
            cpf_cnpj: cnpj(),
            nota,
            modelo: self.issues.modelo,
            referencia: None,
            webhook_url: None,
            estrito: false,
            referencia_nova: false,
        }
    }

    pub(crate) async fn try_issue(&self, request: IssueRequest) -> Result<AcceptedOrder, IssueError> {
        self.engine.issue(&self.caller, request).await
    }

    /// Registers a document with this text; an NF-e of one item of this name.
    pub(crate) async fn issue(&self, text: &str) -> Uuid {
        self.issue_nota((self.issues.nota)(text)).await
    }

    pub(crate) async fn issue_nota(&self, nota: Value) -> Uuid {
        match self.try_issue(self.request(nota)).await.unwrap().registered {
            RegistrationResult::New(job) => job.id,
            RegistrationResult::Replay { .. } => panic!("a replay"),
        }
    }

    /// Seconds since 1970, by our clock.
    pub(crate) fn clock_s(&self) -> i64 {
        self.clock.now().as_second()
    }

    pub(crate) async fn job(&self, id: Uuid) -> Job {
        self.engine.store().job(Visibility::whole(self.caller.tenant_id), id).await.unwrap()
    }

    /// Waits until this is true of the job, and returns it.
    pub(crate) async fn job_when(&self, id: Uuid, what: &str, is: impl Fn(&Job) -> bool) -> Job {
        let started = Instant::now();
        loop {
            let job = self.job(id).await;
            if is(&job) {
                return job;
            }
            if started.elapsed() > PATIENCE {
                panic!("{what}: never true of {job:#?}\n{}", self.history(id).await);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until the job has ended.
    pub(crate) async fn ended(&self, id: Uuid) -> Job {
        self.job_when(id, "ended", |job| matches!(job.status, JobStatus::Completed | JobStatus::Failed)).await
    }

    /// Waits until the job has ended or, on our clock, waits for its next attempt; time is then moved to that attempt.
    pub(crate) async fn next_attempt(&self, id: Uuid) -> Job {
        let waits = |job: &Job| {
            let next = job.erro.as_ref().and_then(|erro| erro.proxima_tentativa_em);
            next.map(|next| next - self.clock.now().as_second())
                .filter(|left| job.status == JobStatus::Pending && *left > 0)
        };
        let job = self.job_when(id, "ended or waits", |job| job.concluido_em.is_some() || waits(job).is_some()).await;
        if let Some(left) = waits(&job) {
            self.clock.forward(Duration::from_secs(left.unsigned_abs()));
        }
        job
    }

    /// Waits for the end of the job without its waits. Only where it is the one job.
    pub(crate) async fn ended_soon(&self, id: Uuid) -> Job {
        loop {
            let job = self.next_attempt(id).await;
            if job.concluido_em.is_some() {
                return job;
            }
        }
    }

    pub(crate) async fn history(&self, id: Uuid) -> String {
        self.engine
            .download(store::Visibility::of(&self.caller), id, engine::jobs::query::FileKind::Log)
            .await
            .unwrap()
            .text
    }

    pub(crate) async fn ledger(&self) -> Vec<LedgerRow> {
        self.engine.store().ledger(self.caller.tenant_id, self.series()).await.unwrap()
    }

    /// Series of its company.
    pub(crate) fn series(&self) -> Series {
        Series { counted: self.issues.counted, ..series() }
    }

    /// Stops everything and removes the database.
    pub(crate) async fn close(mut self) {
        if let Some(worker) = self.worker.take() {
            worker.stop(Duration::from_secs(5)).await;
        }
        self.engine.store().close().await;
        self.simulator.stop().await;
        if let Place::Database { name } = &self.place {
            administer(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

pub(crate) fn cnpj() -> CnpjCpf {
    CnpjCpf::parse(CNPJ).unwrap()
}

/// An act on a document of the fixture's company, with nothing but its target.
pub(crate) fn act_on(tipo: Tipo, target: DocumentTarget, act: DocumentAct) -> ActRequest {
    ActRequest {
        cpf_cnpj: cnpj(),
        tipo,
        target,
        also: Vec::new(),
        substitute_key: None,
        act,
        referencia: None,
        webhook_url: None,
    }
}

pub(crate) fn series() -> Series {
    Series { cpf_cnpj: cnpj(), counted: NumberedKind::Nfe, serie: Serie::from(1), ambiente: TpAmb::Homologacao }
}

/// The access key of a document that has one.
pub(crate) fn key(document: &JobDocument) -> String {
    document.chave.unwrap().to_string()
}

pub(crate) fn options() -> worker::WorkerOptions {
    worker::WorkerOptions { concurrency: 8, per_authority: 8, lease: Duration::from_secs(3) }
}

fn engine(simulator: &Simulator, store: Store, clock: Arc<Moved>) -> Engine {
    let options = transport::TransportOptions {
        extra_anchors_pem: Some(simulator.pki().ca_pem().to_vec()),
        builtin_anchors: false,
        connect_timeout: Duration::from_secs(5),
        reply_timeout: Duration::from_secs(3),
        ..transport::TransportOptions::default()
    };
    let table = EndpointTable::with_overrides(&simulator.endpoints_toml()).unwrap();
    // open for a payload that asks for it; the quiet time is as short as a test
    let contingency = contingency::ContingencyOptions {
        offline: true,
        sefaz_quiet_s: 1,
        nfse_quiet_s: 1,
        ..contingency::ContingencyOptions::default()
    };
    let (transport, backlog) = (Arc::new(AuthorityTransport::new(options).unwrap()), backlog::BacklogLimits::default());
    Engine::with(store, table, transport, clock, Some(software_house()), contingency, backlog)
}

/// Software house of the operator.
fn software_house() -> SoftwareHouse {
    let csrt = SoftwareHouseSecret { id: 1, secret: Zeroizing::new(CSRT.to_owned()) };
    SoftwareHouse::new("11222333000181", "Ana", "ana@exemplo.com.br", "1133334444", Some(csrt))
}

/// The keys of all its certificates.
fn kept_keys() -> Option<PathBuf> {
    Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("chaves"))
}

/// The test chain, shared by all processes that run this suite; the first one creates it.
fn shared_pki() -> PathBuf {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pki");
    std::fs::create_dir_all(&dir).unwrap();
    let lock = std::fs::File::create(dir.join("lock")).unwrap();
    lock.lock().unwrap();
    simulator::pki::Pki::load_or_create(&dir).unwrap();
    dir
}

fn location(place: &Place, folder: &std::path::Path) -> Location {
    match place {
        Place::Folder => Location::Sqlite(folder.join("carimbo.db")),
        Place::Database { name } => {
            let server = server_url();
            let (base, _) = server.rsplit_once('/').unwrap();
            Location::Postgres(format!("{base}/{name}"))
        }
    }
}

fn server_url() -> String {
    std::env::var("TEST_DATABASE_URL")
        .expect("TEST_DATABASE_URL must name a PostgreSQL server (cargo xtask test starts one)")
}

async fn administer(sql: &str) {
    execute(&server_url(), sql).await;
}

/// Copies a database whose connections are closed.
async fn template(name: &str, of: &str) {
    let others = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{of}'");
    administer(&others).await;
    administer(&format!("CREATE DATABASE {name} TEMPLATE {of}")).await;
}

async fn execute(url: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
    drop(client);
    driver.await.unwrap().unwrap();
}
