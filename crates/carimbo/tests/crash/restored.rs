//! A copy of the database, taken while documents of every family were under way, is restored after they were all
//! authorised. Each sale in the copy gets its own document again, no outcome of the others is reported, and no number
//! is given twice.

use crate::book::JobKind;
use crate::caller::Caller;
use crate::child::Process;
use crate::received::{PATIENCE, listening};
use crate::run::order;
use crate::world::{Database, World};
use http::StatusCode;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Notes of each kind, in each of the first two processes.
const KINDS: [JobKind; 6] =
    [JobKind::Good, JobKind::Sale, JobKind::Cargo, JobKind::Passengers, JobKind::Service, JobKind::Municipal];
const EACH: usize = 8;
/// Orders answered before the first process ends: some documents are authorised by then, some are under way, some wait.
const ANSWERED: usize = EACH * KINDS.len() * 2 / 3;
/// Longer than the interval of the mark beside the database.
const SECOND_LIFE: Duration = Duration::from_secs(12);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_taken_under_load_comes_back_on_sqlite() {
    run(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_taken_under_load_comes_back_on_postgres() {
    run(Database::Postgres).await;
}

/// Orders by reference.
type Orders = BTreeMap<String, (JobKind, Value)>;

async fn run(kind: Database) {
    let world = World::build(kind, 29).await;
    let first = orders(&world, "ANTES");
    let second = orders(&world, "DEPOIS");
    life_that_is_killed(&world, &first).await;
    world.take_copy().await;
    let everything: Orders = first.into_iter().chain(second).collect();
    let before = life_that_ends(&world, &everything).await;
    world.put_copy_back().await;
    let (kept, after) = life_on_the_copy(&world, &everything).await;
    for reference in &kept {
        assert_eq!(after[reference], before[reference], "{reference}");
    }
    println!("cópia restaurada: banco={kind:?}, {} vendas na cópia de {}", kept.len(), before.len());
    assert!(kept.len() >= EACH && kept.len() < before.len(), "{}", kept.len());
    let there = world.simulator.documents(None).len();
    let services = world.simulator.nfse_notes().len() + world.simulator.municipal_notes().len();
    // each sale once, and the one of each kind that was ordered on the copy
    assert_eq!(there + services, before.len() + KINDS.len(), "documents at the authorities");
    world.demolish().await;
}

fn orders(world: &World, name: &str) -> Orders {
    let mut orders = Orders::new();
    for kind in KINDS {
        for number in 0..EACH {
            let reference = format!("{name}{kind:?}{number}");
            let order = order(kind, &reference, &world.ear.url());
            orders.insert(reference, (kind, order));
        }
    }
    orders
}

async fn life_that_is_killed(world: &World, orders: &Orders) {
    let process = Process::start(&world.environment, None, &world.errors());
    let base_url = listening(&process).await;
    let (mut posting, answered) = (JoinSet::new(), Arc::new(AtomicUsize::new(0)));
    for (kind, order) in orders.values() {
        let (caller, base_url, order) = (Caller::new(world.api_key()), base_url.clone(), order.clone());
        let (route, answered) = (kind.route(), Arc::clone(&answered));
        posting.spawn(async move {
            let answer = caller.post(&base_url, &route, &order).await;
            answered.fetch_add(usize::from(answer.is_some()), Ordering::Relaxed);
        });
    }
    let deadline = Instant::now() + PATIENCE;
    while answered.load(Ordering::Relaxed) < ANSWERED && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    process.kill().await;
    posting.abort_all();
}

/// Posts all orders and waits for their authorisation; returns the identity of each sale.
async fn life_that_ends(world: &World, orders: &Orders) -> BTreeMap<String, Value> {
    let began = Instant::now();
    let process = Process::start(&world.environment, None, &world.errors());
    let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
    let mut jobs = BTreeMap::new();
    for (reference, (kind, order)) in orders {
        let (status, job) = caller.post(&base_url, &kind.route(), order).await.expect("an answer");
        assert!(matches!(status, StatusCode::ACCEPTED | StatusCode::OK), "{reference}: {job}");
        jobs.insert(reference.clone(), id_of(&job));
    }
    let known = all_known(&caller, &base_url, &jobs).await;
    tokio::time::sleep(SECOND_LIFE.saturating_sub(began.elapsed())).await;
    process.stop().await;
    known
}

/// Posts all orders again on the copy; returns the sales that it has, and their identities at the end.
async fn life_on_the_copy(world: &World, orders: &Orders) -> (BTreeSet<String>, BTreeMap<String, Value>) {
    let process = Process::start(&world.environment, None, &world.errors());
    let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
    let mut jobs = BTreeMap::new();
    for (reference, (kind, order)) in orders {
        let (status, job) = caller.post(&base_url, &kind.route(), order).await.expect("an answer");
        match status {
            StatusCode::OK => drop(jobs.insert(reference.clone(), id_of(&job))),
            _ => assert_eq!((status, &job["codigo"]), (StatusCode::CONFLICT, &json!("registro_incerto")), "{job}"),
        }
    }
    let kept = jobs.keys().cloned().collect();
    for kind in KINDS {
        let reference = format!("NOVA{kind:?}");
        let order = order(kind, &reference, &world.ear.url());
        let route = format!("{}?referencia_nova=true", kind.route());
        let (status, job) = caller.post(&base_url, &route, &order).await.expect("an answer");
        assert_eq!(status, StatusCode::ACCEPTED, "{job}");
        jobs.insert(reference, id_of(&job));
    }
    let known = all_known(&caller, &base_url, &jobs).await;
    process.stop().await;
    (kept, known)
}

fn id_of(job: &Value) -> String {
    job["job_id"].as_str().unwrap_or_else(|| panic!("{job}")).to_owned()
}

/// Waits for all notes and returns the members that identify each. Until then every answer must report the note as
/// undecided.
async fn all_known(caller: &Caller, base_url: &str, jobs: &BTreeMap<String, String>) -> BTreeMap<String, Value> {
    let deadline = Instant::now() + PATIENCE;
    let mut known = BTreeMap::new();
    while known.len() < jobs.len() {
        assert!(Instant::now() < deadline, "not everything ends: {} of {}", known.len(), jobs.len());
        let waiting: Vec<&String> =
            jobs.iter().filter(|(name, _)| !known.contains_key(*name)).map(|(_, id)| id).collect();
        let (_, found) =
            caller.post(base_url, "/v1/jobs/consultar-lote", &json!({ "job_ids": waiting })).await.expect("an answer");
        for job in found["jobs"].as_array().unwrap() {
            let is_decided = !matches!(job["status"].as_str(), Some("pending" | "processing"));
            if is_decided {
                assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
                known.insert(job["referencia_externa"].as_str().unwrap().to_owned(), identity(&job["nota"]));
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    known
}

/// Only the first answer of a city hall has the protocol of a lot, so it is left out.
fn identity(nota: &Value) -> Value {
    let of_all = ["chave", "numero", "numero_dps", "codigo_verificacao"];
    let named = of_all.into_iter().chain(nota["chave"].is_string().then_some("protocolo"));
    named.map(|name| nota[name].clone()).collect()
}
