//! A fresh, empty store per test, and helpers for all tests.

use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, ChaveAcesso, ChaveParts, CnpjCpf, Codigo, Serie, TpAmb, Uf};
use std::path::PathBuf;
use std::sync::Arc;
use store::installation::KeyCode;
use store::jobs::{
    ArchivedDocument, ClaimRequest, ClaimedJob, DocumentOutcome, EventAct, EventOutcome, JobFailure, Lease, LogLine,
    NewJob, NumberRequest, Operacao, RegisteredEvent, RegistrationResult, SignedDocument,
};
use store::numbers::{NumberedKind, Series};
use store::vault::MasterKey;
use store::webhooks::Evento;
use store::{Location, Store};
use testkit::model_database;
use uuid::Uuid;

/// Declares a test for each database.
macro_rules! on_both {
    ($(async fn $fact:ident($world:ident) $story:block)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                super::$fact($crate::world::World::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                super::$fact($crate::world::World::postgres().await).await;
            })*
        }
        $(async fn $fact($world: $crate::world::World) $story)*
    };
}
pub(crate) use on_both;

pub(crate) const NOW: i64 = 1_795_000_000;
pub(crate) const CNPJ: &str = "11222333000181";
pub(crate) const OTHER_CNPJ: &str = "12ABC34501DE35";

/// A store and its location, which is removed with it.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) tenant: Uuid,
    pub(crate) place: Arc<Place>,
}

pub(crate) enum Place {
    Folder(PathBuf),
    Database {
        name: String,
    },
    /// Another world's location: not removed.
    Elsewhere(Location),
}

impl World {
    pub(crate) async fn sqlite() -> World {
        let folder = std::env::temp_dir().join(format!("carimbo-store-{}", Uuid::now_v7()));
        std::fs::create_dir_all(&folder).unwrap();
        let place = Place::Folder(folder);
        if let Location::Sqlite(file) = place.location() {
            model_database::create_file(&file);
        }
        World::at(place).await
    }

    pub(crate) async fn postgres() -> World {
        let name = format!("carimbo_{}", Uuid::now_v7().simple());
        World::administer(&model_database::create_database(&name)).await;
        World::at(Place::Database { name }).await
    }

    async fn at(place: Place) -> World {
        let store = Store::open(&place.location(), master_key()).await.unwrap();
        World { store, tenant: Uuid::now_v7(), place: Arc::new(place) }
    }

    /// Opens the same location again: another process as far as the database can see.
    pub(crate) async fn open_again(&self) -> Store {
        Store::open(&self.place.location(), master_key()).await.unwrap()
    }

    pub(crate) async fn administer(sql: &str) {
        let (client, connection) = tokio_postgres::connect(&server_url(), tokio_postgres::NoTls).await.unwrap();
        let driver = tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
        drop(client);
        driver.await.unwrap().unwrap();
    }

    pub(crate) fn job(&self) -> NewJob {
        self.job_of(CNPJ)
    }

    pub(crate) fn job_of(&self, cpf_cnpj: &str) -> NewJob {
        NewJob {
            id: Uuid::now_v7(),
            tenant_id: self.tenant,
            tipo: Tipo::Nfe,
            operacao: Operacao::Emissao,
            cpf_cnpj: CnpjCpf::parse(cpf_cnpj).unwrap(),
            ambiente: TpAmb::Homologacao,
            referencia: None,
            payload: "{\"nota\":{}}".into(),
            webhook_url: None,
            notices: Vec::new(),
            alvo: None,
            act: None,
            authority: "SP".to_owned(),
            cota: Some(store::quotas::Familia::Nfe),
            destinatario: None,
            addressee: None,
            valor: None,
            request_id: Some("pedido-1".to_owned()),
            author: None,
            by_hand: None,
        }
    }

    pub(crate) async fn register(&self, job: NewJob) -> Uuid {
        match self.store.register(job, NOW).await.unwrap() {
            RegistrationResult::New(job) => job.id,
            RegistrationResult::Replay { .. } => panic!("a replay"),
        }
    }

    /// Registers a job and claims it.
    pub(crate) async fn begun(&self) -> Lease {
        let id = self.register(self.job()).await;
        let claimed = self.claim(1).await.pop().expect("the job that was just registered");
        assert_eq!(claimed.job.id, id);
        claimed.lease
    }

    /// A claimed job with its number reserved.
    pub(crate) async fn numbered(&self, asked_numero: Option<u64>) -> (Lease, u64) {
        let lease = self.begun().await;
        let document = self.store.reserve(lease, reserve(asked_numero), NOW).await.unwrap();
        (lease, document.numero)
    }

    /// A claimed job whose document is about to be sent.
    pub(crate) async fn sending(&self) -> (Lease, u64) {
        let (lease, numero) = self.numbered(None).await;
        self.store.begin_sending(lease, prepared(chave(numero)), NOW, Vec::new()).await.unwrap();
        (lease, numero)
    }

    /// A claimed job about to be sent, under its own key even where the number had one before.
    pub(crate) async fn sending_anew(&self) -> Lease {
        let (lease, numero) = self.numbered(None).await;
        let prepared = SignedDocument { numero, ..prepared(chave_of(lease.job_id)) };
        self.store.begin_sending(lease, prepared, NOW, Vec::new()).await.unwrap();
        lease
    }

    pub(crate) async fn claim(&self, limit: u32) -> Vec<ClaimedJob> {
        self.claim_at(NOW, limit).await
    }

    pub(crate) async fn claim_at(&self, now: i64, limit: u32) -> Vec<ClaimedJob> {
        self.store.claim(claim_request(now, limit)).await.unwrap()
    }
}

pub(crate) fn claim_request(now: i64, limit: u32) -> ClaimRequest {
    ClaimRequest {
        now,
        leases_now: now,
        lease_until: now + 60,
        limit,
        except_authorities: Vec::new(),
        if_unreadable: unreadable(),
    }
}

/// Failure of a job whose row cannot be read.
pub(crate) fn unreadable() -> JobFailure {
    JobFailure {
        codigo: "erro_interno".to_owned(),
        etapa: "validacao".to_owned(),
        mensagem: "O registro do job é ilegível.".to_owned(),
        repetivel: false,
        proxima_tentativa_em: None,
    }
}

impl Place {
    pub(crate) fn location(&self) -> Location {
        match self {
            Place::Folder(folder) => Location::Sqlite(folder.join("carimbo.db")),
            Place::Elsewhere(location) => location.clone(),
            Place::Database { name } => {
                let server = server_url();
                let (base, _) = server.rsplit_once('/').expect("a URL with a database");
                Location::Postgres(format!("{base}/{name}"))
            }
        }
    }
}

impl Place {
    /// Runs SQL from outside the store.
    pub(crate) async fn run(&self, sql: &str) {
        match self.location() {
            Location::Sqlite(path) => drop(rusqlite::Connection::open(path).unwrap().execute(sql, []).unwrap()),
            Location::Postgres(url) => {
                let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
                let driver = tokio::spawn(connection);
                client.batch_execute(sql).await.unwrap();
                drop(client);
                driver.await.unwrap().unwrap();
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        match self {
            Place::Elsewhere(_) => {}
            Place::Folder(folder) => drop(std::fs::remove_dir_all(folder)),
            Place::Database { name } => {
                let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                // The test's runtime may be ending: a thread with a small one of its own.
                let cleaning = std::thread::spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(World::administer(&sql));
                });
                drop(cleaning.join());
            }
        }
    }
}

/// The server on which tests may create databases.
pub(crate) fn server_url() -> String {
    std::env::var("TEST_DATABASE_URL").expect(
        "TEST_DATABASE_URL is not set: a PostgreSQL on which databases may be made (`cargo xtask test` starts one)",
    )
}

pub(crate) fn master_key() -> MasterKey {
    MasterKey::new([42; 32])
}

pub(crate) fn series() -> Series {
    Series {
        cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(),
        counted: NumberedKind::Nfe,
        serie: Serie::from(1),
        ambiente: TpAmb::Homologacao,
    }
}

pub(crate) fn reserve(asked_numero: Option<u64>) -> NumberRequest {
    NumberRequest {
        series: series(),
        asked_numero,
        codigo_aleatorio: KeyCode::Fixed(12_345_678),
        tipo_emissao: 1,
        dhEmi: "2026-11-20T10:00:00-03:00".to_owned(),
        contingencia: None,
        fresh: false,
    }
}

/// A key, different for every number.
pub(crate) fn chave(numero: u64) -> Chave {
    composed(u32::try_from(numero).unwrap(), 12_345_678)
}

/// A key, different for every job.
pub(crate) fn chave_of(job: Uuid) -> Chave {
    let chance = |most: u128, shift: u32| u32::try_from((job.as_u128() >> shift) % most).unwrap();
    composed(chance(1_000_000_000, 0), chance(100_000_000, 32))
}

fn composed(nNF: u32, cNF: u32) -> Chave {
    let (uf, emitente) = (Uf::SP, CnpjCpf::parse(CNPJ).unwrap());
    ChaveAcesso::compose(&ChaveParts { uf, aamm: 2611, emitente, modelo: 55, serie: 1, nNF, tpEmis: 1, cNF }).into()
}

pub(crate) fn prepared(chave: Chave) -> SignedDocument {
    SignedDocument {
        state: DocumentState::Sending,
        numero: ChaveAcesso::parse(chave.as_str()).map_or(1, |chave| chave.parts().nNF.into()),
        asked_by: chave.to_string(),
        chave: Some(chave),
        xml: format!("<NFe>{chave}</NFe>").into(),
        digest: "digest==".to_owned(),
        valor: "99.98".to_owned(),
        dhEmi: "2026-11-20T10:00:01-03:00".to_owned(),
        destinatario: Some(OTHER_CNPJ.to_owned()),
        qrCode: None,
    }
}

pub(crate) fn outcome(state: DocumentState) -> DocumentOutcome {
    let authorized = state == DocumentState::Authorized;
    DocumentOutcome {
        state,
        nProt: authorized.then(|| "135260000000001".to_owned()),
        dhRecbto: authorized.then(|| "2026-11-20T10:00:02-03:00".to_owned()),
        codigo: Codigo::from(if authorized { 100 } else { 610 }),
        xMotivo: if authorized { "Autorizado o uso da NF-e" } else { "Rejeição: Total da NF difere" }.to_owned(),
        campo: (!authorized).then(|| "nota.total.vNF".to_owned()),
        rejeicoes: Vec::new(),
        written: None,
        xml: authorized.then(|| ArchivedDocument::of("<nfeProc/>".to_owned(), "")),
        number_is_gone: false,
        number_is_kept: false,
    }
}

pub(crate) fn line(text: &str) -> Vec<LogLine> {
    vec![LogLine { at_ms: NOW * 1000, text: text.to_owned() }]
}

/// Outcome of the first event for a job that registered none.
pub(crate) fn cancelled(chave: Chave) -> EventOutcome {
    let act = EventAct {
        chave,
        tpEvento: "110111".to_owned(),
        nSeqEvento: 1,
        nProt: Some("135260000000009".to_owned()),
        dhRegEvento: Some("2026-11-20T11:00:00-03:00".to_owned()),
    };
    let registered =
        RegisteredEvent { act, proc_evento: Some("<procEventoNFe/>".to_owned()), cancels: true, analysis: None };
    let xMotivo = "Evento registrado".to_owned();
    EventOutcome {
        codigo: Codigo::from(135),
        xMotivo,
        registered: Some(registered),
        evento: Evento::Cancelada,
        erro: None,
    }
}

/// A cancellation that the authority refused.
pub(crate) fn not_cancelled() -> EventOutcome {
    let evento = Evento::CancelamentoRejeitado;
    EventOutcome {
        codigo: Codigo::from(501),
        xMotivo: "Fora do prazo".to_owned(),
        registered: None,
        evento,
        erro: None,
    }
}
