//! The distribution of received documents: the process is killed before the query, after the reply and after a commit.
//! The next process finds every document once, and makes no query that the authority counts as undue.

use crate::caller::{Caller, emission, transport};
use crate::child::Process;
use crate::services;
use crate::world::{CNPJ, Database, World};
use authority::table::EndpointTable;
use authority::transport::{self, AuthorityTransport};
use engine::Engine;
use engine::process::clock::Clock;
use engine::received::SyncError;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use simulator::clock::ClockMode;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Visibility;
use store::accounts::Caller as Credential;
use store::notes::ListWindow;
use store::received::ReceivedFilter;

/// A branch of the company, served by its certificate.
pub(crate) const BRANCH: &str = "11222333000262";
/// Two lots.
const NOTES: usize = 53;
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// Longer than the wait that a lost answer costs.
const LATER: SignedDuration = SignedDuration::from_hours(2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_distribution_loses_nothing_and_doubles_nothing_on_sqlite() {
    let points = ["received.before", "received.reply", "received.reply:2", "received.committed"];
    run(Database::Sqlite, Tipo::Nfe, &points).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_distribution_loses_nothing_and_doubles_nothing_on_postgres() {
    run(Database::Postgres, Tipo::Nfe, &["received.reply:2", "received.committed"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_distribution_of_transports_loses_nothing_and_doubles_nothing_on_sqlite() {
    let points = ["received.before", "received.reply", "received.reply:2", "received.committed"];
    run(Database::Sqlite, Tipo::Cte, &points).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_distribution_of_transports_loses_nothing_and_doubles_nothing_on_postgres() {
    run(Database::Postgres, Tipo::Cte, &["received.reply:2", "received.committed"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_distribution_of_services_loses_nothing_and_doubles_nothing_on_sqlite() {
    let points = ["received.before", "received.reply", "received.reply:2", "received.committed"];
    run(Database::Sqlite, Tipo::Nfse, &points).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_distribution_of_services_loses_nothing_and_doubles_nothing_on_postgres() {
    run(Database::Postgres, Tipo::Nfse, &["received.reply:2", "received.committed"]).await;
}

async fn run(kind: Database, tipo: Tipo, points: &[&str]) {
    for point in points {
        let world = World::build(kind, 7).await;
        if tipo == Tipo::Nfse {
            services::configure(&world).await;
        }
        let keys = issue_of(&world, tipo, NOTES).await;
        die(&world, tipo, point).await;
        let received = go_on(&world, tipo, *point != "received.committed").await;
        assert_eq!(received, keys, "{point}");
        let undue = world.simulator.requests().into_iter().filter(|one| matches!(one.cStat, Some(656 | 678))).count();
        assert_eq!(undue, 0, "{point}");
        world.demolish().await;
    }
}

/// Runs a process without kills that registers the branch and authorises this many notes to it. Returns their keys.
pub(crate) async fn issue(world: &World, notes: usize) -> BTreeSet<String> {
    issue_of(world, Tipo::Nfe, notes).await
}

async fn issue_of(world: &World, tipo: Tipo, documents: usize) -> BTreeSet<String> {
    let process = Process::start(&world.environment, None, &world.errors());
    let base_url = listening(&process).await;
    let caller = Caller::new(world.api_key());
    furnish(world, &caller, &base_url).await;
    let mut jobs = Vec::new();
    for number in 0..documents {
        let body = document(tipo, &format!("RECEBIDA{number}"));
        let (status, job) = caller.post(&base_url, &format!("/v1/{tipo}/emitir"), &body).await.expect("an answer");
        assert_eq!(status, 202, "{job}");
        jobs.push(job["consulta"].as_str().unwrap().to_owned());
    }
    let mut keys = BTreeSet::new();
    for consulta in jobs {
        keys.insert(authorised(&caller, &base_url, &consulta).await);
    }
    process.stop().await;
    keys
}

/// A note to the branch, a transport paid by it, or a service rendered to it.
fn document(tipo: Tipo, reference: &str) -> Value {
    let webhook = "https://exemplo.com.br/x";
    let mut body = match tipo {
        Tipo::Cte => transport(CNPJ, reference, webhook, false),
        Tipo::Nfse => return services::rendered_to(BRANCH, reference),
        _ => emission(CNPJ, reference, webhook, false),
    };
    let party = if tipo == Tipo::Cte { "remetente" } else { "destinatario" };
    body["nota"][party]["CNPJCPF"] = json!(BRANCH);
    body.as_object_mut().unwrap().remove("webhook_url");
    body
}

pub(crate) async fn authorised(caller: &Caller, base_url: &str, consulta: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (_, job) = caller.get(base_url, consulta).await.expect("an answer");
        if job["nota"]["status"] == "autorizada" {
            return job["nota"]["chave"].as_str().unwrap().to_owned();
        }
        assert!(Instant::now() < deadline, "{job}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn furnish(world: &World, caller: &Caller, base_url: &str) {
    let company = json!({ "cpf_cnpj": BRANCH, "nome_razao_social": "Filial", "endereco": { "uf": "SP", "codigo_municipio": "3550308" } });
    let (status, body) = caller.post(base_url, "/v1/empresas", &company).await.expect("an answer");
    assert_eq!(status, 201, "{body}");
    let store = world.store().await;
    let (branch, by) = (CnpjCpf::parse(BRANCH).unwrap(), store::audit::Actor::operator());
    let configuration: Value = json!({ "ambiente": 2, "serie": "1" });
    store.configure_company(world.tenant, branch, "nfe", configuration, &by, 0).await.unwrap();
    let head = store.open_certificate(world.tenant, CnpjCpf::parse(CNPJ).unwrap()).await.unwrap();
    let holder = signing::Certificate::from_pfx(&head.pfx, &head.senha).unwrap().holder().clone();
    let record = store::companies::CertificateRecord {
        titular: holder.titular,
        emissor: holder.emissor,
        numero_serie: holder.numero_serie,
        valido_de: holder.valido_de,
        valido_ate: holder.valido_ate,
    };
    let certificate = store::companies::NewCertificate { pfx: head.pfx, senha: head.senha, record };
    store.save_certificate(world.tenant, branch, certificate, &by, 0).await.unwrap();
    store.close().await;
}

pub(crate) async fn listening(process: &Process) -> String {
    let said = process.when(PATIENCE, |said| said.base_url.is_some()).await;
    said.and_then(|said| said.base_url).expect("it listens")
}

/// Runs a process that is killed at the point, during a synchronisation.
async fn die(world: &World, tipo: Tipo, point: &str) {
    let process = Process::start(&world.environment, Some(point), &world.errors());
    let base_url = listening(&process).await;
    let asking = {
        let (caller, base_url) = (Caller::new(world.api_key()), base_url.clone());
        tokio::spawn(async move {
            // no answer: the process is halted
            let list = if tipo == Tipo::Cte { "recebidos" } else { "recebidas" };
            let path = format!("/v1/{tipo}/{list}/sincronizar");
            let _ = caller.post(&base_url, &path, &json!({ "cpf_cnpj": BRANCH })).await;
        })
    };
    let stands = process.when(PATIENCE, |said| said.point.is_some()).await;
    assert!(stands.is_some(), "it never came to {point}");
    process.kill().await;
    asking.await.unwrap();
}

/// The machine's clock, two hours ahead.
struct Later;

impl Clock for Later {
    fn now(&self) -> Timestamp {
        Timestamp::now() + LATER
    }
}

/// Runs another process on the same data, later; returns the documents it finds. `lost`: the first one was killed with
/// an answer on its way.
async fn go_on(world: &World, tipo: Tipo, lost: bool) -> BTreeSet<String> {
    let store = world.store().await;
    let options = transport::TransportOptions {
        extra_anchors_pem: Some(world.simulator.pki().ca_pem().to_vec()),
        builtin_anchors: false,
        ..transport::TransportOptions::default()
    };
    let table = EndpointTable::with_overrides(&world.simulator.endpoints_toml()).unwrap();
    let credential = credential(world);
    let branch = CnpjCpf::parse(BRANCH).unwrap();
    if lost {
        // no immediate query: the lost answer may have been the last one for an hour
        let now = engine(&store, &table, &options, Arc::new(engine::process::clock::SystemClock));
        let refused = now.sync_received(&credential, branch, tipo).await;
        assert!(matches!(refused, Err(SyncError::NotBefore(_) | SyncError::Busy)), "{refused:?}");
    }
    world.simulator.clock().set_mode(ClockMode::Shifted(LATER));
    let later = engine(&store, &table, &options, Arc::new(Later));
    let beside = engine(&store, &table, &options, Arc::new(Later));
    // two nodes at once: the second one makes no query
    let (one, other) =
        tokio::join!(later.sync_received(&credential, branch, tipo), beside.sync_received(&credential, branch, tipo));
    let (synced, second) = if one.is_ok() { (one, other) } else { (other, one) };
    assert!(matches!(second, Err(SyncError::NotBefore(_) | SyncError::Busy)), "{second:?}");
    assert_eq!(synced.unwrap().cursor.ult_nsu, NOTES as u64);
    let window = ListWindow { limit: 1_000, skip: 0 };
    let filter = ReceivedFilter { tipo: Some(tipo), ..ReceivedFilter::default() };
    let (found, total) = store.received_documents(Visibility::whole(world.tenant), filter, window).await.unwrap();
    assert_eq!(total, NOTES as u64);
    store.close().await;
    found.into_iter().map(|note| note.facts.chave).collect()
}

fn engine(
    store: &store::Store,
    table: &EndpointTable,
    options: &transport::TransportOptions,
    clock: Arc<dyn Clock>,
) -> Engine {
    let transport = Arc::new(AuthorityTransport::new(options.clone()).unwrap());
    Engine::new(store.clone(), table.clone(), transport, clock, None)
}

fn credential(world: &World) -> Credential {
    let permissao = store::accounts::Permissao::Completa;
    Credential {
        tenant_id: world.tenant,
        api_key_id: uuid::Uuid::nil(),
        ambiente: TpAmb::Homologacao,
        permissao,
        granted: None,
    }
}
