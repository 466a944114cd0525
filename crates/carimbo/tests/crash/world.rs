//! Parts that outlive the process: its database, its secrets on disk, and the authorities.

use crate::ear::Ear;
use crate::points::Scene;
use crate::{city_halls, copy, services};
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use serde_json::{Value, json};
use simulator::{Simulator, SimulatorOptions};
use std::path::{Path, PathBuf};
use store::accounts::{NewAccount, NewApiKey, Permissao};
use store::audit::Actor;
use store::authorities::{Circuit, CircuitState};
use store::companies::{CertificateRecord, NewCertificate};
use store::numbers::{NumberedKind, Series};
use store::vault::MasterKey;
use store::{Location, Store};
use testkit::model_database;
use uuid::Uuid;
use zeroize::Zeroizing;

pub(crate) const CNPJ: &str = "11222333000181";
/// The company that uses EPEC while its authority is out.
pub(crate) const ANNOUNCER: &str = "12ABC34501DE35";
/// Companies that only void numbers. Several, because the limits of an hour are per company.
pub(crate) const VOIDERS: [&str; 10] = [
    "20111333000103",
    "20222444000189",
    "20333555000162",
    "20444666000146",
    "20555777000120",
    "20666888000103",
    "20777999000197",
    "20888111000193",
    "20999222000177",
    "21000333000190",
];
const API_KEY: &str = "crb_test_0123456789012345678901234567890123456789012";
const SENHA: &str = "segredo";

/// The kind of database of the process.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

pub(crate) struct World {
    pub(crate) simulator: Simulator,
    pub(crate) ear: Ear,
    pub(crate) tenant: Uuid,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) folder: PathBuf,
    location: Location,
    database: Option<String>,
}

impl World {
    pub(crate) async fn build(kind: Database, seed: u64) -> World {
        let folder = std::env::temp_dir().join(format!("carimbo-crash-{}", Uuid::now_v7()));
        std::fs::create_dir_all(&folder).unwrap();
        let free = "127.0.0.1:0".parse().unwrap();
        let simulator = Simulator::start(SimulatorOptions {
            https: free,
            control: free,
            pki_dir: shared_pki(),
            kept_keys: kept_keys(),
            seed,
        })
        .await
        .unwrap();
        let (url, location, database) = place(kind, &folder).await;
        let tenant = furnish(&location, &simulator).await;
        let environment = environment(&folder, &url, &simulator);
        World { simulator, ear: Ear::open().await, tenant, environment, folder, location, database }
    }

    pub(crate) fn api_key(&self) -> &'static str {
        API_KEY
    }

    pub(crate) fn errors(&self) -> PathBuf {
        self.folder.join("stderr.log")
    }

    /// With a stopped authority two refusals open the circuit; otherwise an outage is longer than a process.
    pub(crate) fn environment_of(&self, scene: Scene) -> Vec<(String, String)> {
        let mut environment = self.environment.clone();
        if scene.is_outage() {
            let hasty = [
                ("CARIMBO_CONTINGENCIA_FALHAS", "2"),
                ("CARIMBO_CONTINGENCIA_JANELA_S", "0"),
                ("CARIMBO_CONTINGENCIA_DUVIDA_NFE_S", "0"),
            ];
            environment.extend(hasty.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        environment
    }

    /// Closes all circuits. Only while no process runs.
    pub(crate) async fn close_circuits(&self) {
        let store = self.store().await;
        for circuit in store.authorities(0).await.unwrap().circuits {
            assert!(
                store
                    .change_circuit(Circuit { state: CircuitState::Closed, opened_at: None, ..circuit })
                    .await
                    .unwrap()
            );
        }
        store.release_waiting("SP", jiff::Timestamp::now().as_second()).await.unwrap();
        store.close().await;
    }

    /// Lets the hour of the query limits pass: restarts repeat their queries, and a job that waits for the next hour is
    /// not lost. Only while no process runs.
    pub(crate) async fn an_hour_passes(&self) {
        self.simulator.configure(|settings| settings.limites = false);
        let store = self.store().await;
        store.forget_budgets(i64::MAX).await.unwrap();
        for authority in ["SP", "SEFIN-NACIONAL", city_halls::AUTHORITY] {
            store.release_waiting(authority, jiff::Timestamp::now().as_second()).await.unwrap();
        }
        store.close().await;
    }

    /// Opens the store of the data. Only while no process runs.
    pub(crate) async fn store(&self) -> Store {
        Store::open(&self.location, master_key()).await.unwrap()
    }

    /// Copies the database. Only while no process runs.
    pub(crate) async fn take_copy(&self) {
        match (&self.location, &self.database) {
            (Location::Sqlite(file), _) => copy::take_file(file),
            (Location::Postgres(_), name) => {
                for sql in copy::take_database(name.as_ref().unwrap()) {
                    administer(&sql).await;
                }
            }
        }
    }

    /// Replaces the database by the copy. Only while no process runs.
    pub(crate) async fn put_copy_back(&self) {
        match (&self.location, &self.database) {
            (Location::Sqlite(file), _) => copy::put_file_back(file),
            (Location::Postgres(_), name) => {
                for sql in copy::put_database_back(name.as_ref().unwrap()) {
                    administer(&sql).await;
                }
            }
        }
    }

    pub(crate) async fn demolish(self) {
        self.simulator.stop().await;
        if let Some(name) = self.database {
            administer(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

/// All sequences of the requested notes.
pub(crate) const SERIES: [(&str, u8); 5] = [(CNPJ, 55), (CNPJ, 65), (CNPJ, 57), (CNPJ, 67), (ANNOUNCER, 55)];

pub(crate) fn series_of(company: &str, modelo: u8) -> Series {
    Series {
        cpf_cnpj: CnpjCpf::parse(company).unwrap(),
        counted: NumberedKind::of_modelo(modelo).unwrap(),
        serie: Serie::from(1),
        ambiente: TpAmb::Homologacao,
    }
}

/// Returns the folder of the certificates' keys, shared by all runs.
fn kept_keys() -> Option<PathBuf> {
    Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("chaves"))
}

/// Returns the folder of the certificate chain of all runs; the first run creates it.
fn shared_pki() -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pki");
    std::fs::create_dir_all(&dir).unwrap();
    let lock = std::fs::File::create(dir.join("lock")).unwrap();
    lock.lock().unwrap();
    simulator::pki::Pki::load_or_create(&dir).unwrap();
    dir
}

fn master_key() -> MasterKey {
    MasterKey::new([0x5A; 32])
}

async fn place(kind: Database, folder: &Path) -> (String, Location, Option<String>) {
    match kind {
        Database::Sqlite => {
            let file = folder.join("carimbo.db");
            model_database::create_file(&file);
            (format!("sqlite:{}", file.display()), Location::Sqlite(file), None)
        }
        Database::Postgres => {
            let name = format!("carimbo_{}", Uuid::now_v7().simple());
            administer(&model_database::create_database(&name)).await;
            let server = server_url();
            let (base, _) = server.rsplit_once('/').unwrap();
            let url = format!("{base}/{name}");
            (url.clone(), Location::Postgres(url), Some(name))
        }
    }
}

/// Creates an account with a key, and companies that can sign.
async fn furnish(location: &Location, simulator: &Simulator) -> Uuid {
    let store = Store::open(location, master_key()).await.unwrap();
    let account = NewAccount { nome: "Queda".into(), email: "queda@exemplo.com".into(), senha_hash: "x".into() };
    let tenant = store.create_account(account, 0).await.unwrap();
    let hash = openssl::sha::sha256(API_KEY.as_bytes());
    let (ambiente, permissao) = (TpAmb::Homologacao, Permissao::Completa);
    let key = NewApiKey { nome: "Queda".into(), ambiente, permissao, prefixo: API_KEY[..12].into(), hash };
    store.create_api_key(tenant, key, &Actor::operator(), 0).await.unwrap();
    let retail = json!({"ambiente": 2, "crt": 1, "serie": "1", "qr_versao": 3});
    let announced = json!({"ambiente": 2, "crt": 1, "serie": "1", "contingencia": "epec"});
    let normal = json!({"ambiente": 2, "crt": 1, "serie": "1"});
    let carrier = json!({"ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "taf": "123456789012"});
    let (national, municipal) = (services::configuration(), city_halls::configuration());
    let all = [("nfe", normal.clone()), ("nfce", retail), ("cte", carrier), ("nfse", national)];
    company(&store, tenant, simulator, CNPJ, &all).await;
    company(&store, tenant, simulator, ANNOUNCER, &[("nfe", announced), ("nfse", municipal)]).await;
    for voider in VOIDERS {
        company(&store, tenant, simulator, voider, &[("nfe", normal.clone())]).await;
    }
    store.close().await;
    tenant
}

async fn company(store: &Store, tenant: Uuid, simulator: &Simulator, cnpj: &str, settings: &[(&'static str, Value)]) {
    let cpf_cnpj = CnpjCpf::parse(cnpj).unwrap();
    let dados = json!({"nome_razao_social": "Papelaria Demonstração Ltda", "inscricao_estadual": "110042490114", "crt": 1,
        "endereco": {"logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
            "cidade": "São Paulo", "uf": "SP", "cep": "01001000"}});
    store.create_company(tenant, cpf_cnpj, dados, &Actor::operator(), 0).await.unwrap();
    for (tipo, configuracao) in settings {
        store.configure_company(tenant, cpf_cnpj, tipo, configuracao.clone(), &Actor::operator(), 0).await.unwrap();
    }
    save_certificate(store, tenant, simulator, cnpj, 365).await;
}

/// Gives a company a certificate that is valid for so many days.
pub(crate) async fn save_certificate(store: &Store, tenant: Uuid, simulator: &Simulator, cnpj: &str, days: i64) {
    let pfx = simulator.pki().issue_pfx("PAPELARIA DEMONSTRACAO LTDA", cnpj, SENHA, days).unwrap();
    let holder = signing::Certificate::from_pfx(&pfx, SENHA).unwrap().holder().clone();
    let record = CertificateRecord {
        titular: holder.titular,
        emissor: holder.emissor,
        numero_serie: holder.numero_serie,
        valido_de: holder.valido_de,
        valido_ate: holder.valido_ate,
    };
    let certificate = NewCertificate { pfx: Zeroizing::new(pfx), senha: Zeroizing::new(SENHA.to_owned()), record };
    store.save_certificate(tenant, CnpjCpf::parse(cnpj).unwrap(), certificate, &Actor::operator(), 0).await.unwrap();
}

fn environment(folder: &Path, url: &str, simulator: &Simulator) -> Vec<(String, String)> {
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let key = write("chave", "5a".repeat(32).as_bytes());
    std::fs::set_permissions(folder.join("chave"), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let table = write("autoridades.toml", simulator.endpoints_toml().as_bytes());
    let anchors = write("ca.pem", simulator.pki().ca_pem());
    let settings = [
        ("CARIMBO_HTTP_ENDERECO", "127.0.0.1:0"),
        ("CARIMBO_BANCO_URL", url),
        ("CARIMBO_SEGREDO_CHAVE_MESTRA_ARQUIVO", &key),
        ("CARIMBO_AUTORIDADES_TABELA", &table),
        ("CARIMBO_AUTORIDADES_CA_BUNDLE", &anchors),
        ("CARIMBO_AUTORIDADES_ANCORAS_EMBUTIDAS", "false"),
        ("CARIMBO_TRABALHADORES_CONCORRENCIA", "6"),
        ("CARIMBO_TRABALHADORES_POR_AUTORIDADE", "6"),
        ("CARIMBO_TRABALHADORES_ARRENDAMENTO_S", "2"),
        ("CARIMBO_WEBHOOKS_PERMITIR_HTTP_LOCAL", "true"),
        ("CARIMBO_CONTINGENCIA_OFFLINE", "true"),
        ("CARIMBO_CONTINGENCIA_SILENCIO_S", "2"),
        ("CARIMBO_CONTINGENCIA_NFSE_APARECE_S", "2"),
        ("CARIMBO_LOG_NIVEL", "warn"),
    ];
    settings.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

fn server_url() -> String {
    std::env::var("TEST_DATABASE_URL")
        .expect("TEST_DATABASE_URL must name a PostgreSQL server (cargo xtask test starts one)")
}

async fn administer(sql: &str) {
    let (client, connection) = tokio_postgres::connect(&server_url(), tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
    drop(client);
    driver.await.unwrap().unwrap();
}
