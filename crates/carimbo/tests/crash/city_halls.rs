//! Lots of municipal NFS-e: many RPS are posted at once; lots, answers and queries are lost; the process is killed and
//! restarted. At the end each reference is one note or one refusal, the city hall has no other note, and no number is
//! missing.

use crate::caller::Caller;
use crate::child::Process;
use crate::received::{PATIENCE, listening};
use crate::world::{CNPJ, Database, World};
use fiscal::value::{CnpjCpf, Serie, TpAmb};
use serde_json::{Value, json};
use simulator::faults::{Fault, FaultType};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};
use store::authorities::{Circuit, CircuitState};
use store::numbers::{NumberState, NumberedKind, Series};
use tokio::task::JoinSet;

pub(crate) const ROUTE: &str = "/v1/nfse/govdigital/emitir";
/// A city of WebISS 2.02: lots, queried by their protocol.
const CACOAL: &str = "1100049";
pub(crate) const AUTHORITY: &str = "MUNICIPIO-1100049";
const HANDED_IN: &str = "RecepcionarLoteRps";
const RESULT: &str = "ConsultarLoteRps";
const BY_RPS: &str = "ConsultarNfsePorRps";

/// Kills for each database, one per point; `MUNICIPAL_CRASH_KILLS` sets more.
const KILLS: usize = POINTS.len();
/// Processes that may miss their point and be repeated: the work left to settle depends on the progress of the earlier
/// ones.
const MORE: usize = 6;
/// RPS of a process; and of every `FULL_EVERY`th: a full lot, and the RPS that it waits for.
const RPS: usize = 9;
const FULL: usize = 51;
const FULL_EVERY: usize = 5;
/// Longest time for a process to reach its crash point.
const LIFE: Duration = Duration::from_secs(8);
/// Number of kills after which all work is finished.
const REST_EVERY: usize = 25;

/// The crash point that ends a process, and the faults before it.
const POINTS: &[(&str, &[(FaultType, &str)])] = &[
    ("lot.before", &[]),
    ("lot.reply", &[]),
    ("send.pending:4", &[(FaultType::LostLot, HANDED_IN), (FaultType::ResetAfter, RESULT)]),
    ("ask.receipt_reply:3", &[]),
    ("lot.reply", &[(FaultType::ResetAfter, HANDED_IN)]),
    ("send.undecided:2", &[]),
    ("send.no_reply", &[(FaultType::PageAfter, HANDED_IN)]),
    ("settle.committed:4", &[(FaultType::ResetBefore, HANDED_IN), (FaultType::ResetBefore, BY_RPS)]),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lots_end_once_on_sqlite() {
    run(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lots_end_once_on_postgres() {
    run(Database::Postgres).await;
}

/// Posted bodies, by reference.
pub(crate) type Wishes = BTreeMap<String, Value>;

async fn run(kind: Database) {
    let world = World::build(kind, 17).await;
    configure(&world).await;
    let kills = crate::number("MUNICIPAL_CRASH_KILLS").map_or(KILLS, |kills| usize::try_from(kills).unwrap());
    let (started, mut reached) = (Instant::now(), BTreeMap::<&str, usize>::new());
    let (mut wishes, mut fresh, mut ended) = (Wishes::new(), Wishes::new(), BTreeMap::new());
    let mut plan: VecDeque<usize> = (0..kills).map(|turn| turn % POINTS.len()).collect();
    let mut turn = 0;
    while let Some(number) = plan.pop_front() {
        let (point, lost) = POINTS[number];
        world.simulator.faults().clear();
        for (fault, service) in lost {
            world.simulator.add_fault(Fault::new(*fault).on(service).after(1));
        }
        let count = if turn % FULL_EVERY == 1 { FULL } else { RPS };
        let new = services(turn, count, point.starts_with("send.undecided"));
        let came = die(&world, point, &new).await;
        fresh.extend(new);
        *reached.entry(point).or_default() += usize::from(came);
        // a later process finds other work left over
        if !came && turn < kills + MORE {
            plan.push_back(number);
        }
        turn += 1;
        if turn % REST_EVERY == 0 || plan.is_empty() {
            ended.extend(all_end(&world, &fresh).await);
            wishes.append(&mut fresh);
        }
    }
    let missed = POINTS.iter().take(kills).filter(|(point, _)| reached[point] == 0);
    assert_eq!(missed.count(), 0, "points that no life came to: {reached:?}");
    let sizes = sizes(&world);
    verify(&world, &wishes, &ended).await;
    println!(
        "queda de lotes: banco={kind:?} mortes={turn} RPS={} lotes={} de vários={} maior={} pontos={reached:?} em {} s",
        wishes.len(),
        sizes.len(),
        sizes.iter().filter(|several| **several > 1).count(),
        sizes.iter().max().unwrap(),
        started.elapsed().as_secs()
    );
    world.demolish().await;
}

/// Configuration of a company in that city.
pub(crate) fn configuration() -> Value {
    json!({ "ambiente": 2, "serie": "1", "codigo_municipio": CACOAL, "provedor": "WebISS", "aliquota": "percentual",
        "inscricao_municipal": "12345" })
}

pub(crate) async fn configure(world: &World) {
    let store = world.store().await;
    let (company, by) = (CnpjCpf::parse(CNPJ).unwrap(), store::audit::Actor::operator());
    store.configure_company(world.tenant, company, "nfse", configuration(), &by, 0).await.unwrap();
    store.close().await;
}

/// Allows enough concurrent jobs for a full lot, and a short time after which an RPS unknown to the city hall is sent
/// again.
pub(crate) fn environment(world: &World) -> Vec<(String, String)> {
    let mut environment = world.environment.clone();
    let more = [
        ("CARIMBO_TRABALHADORES_CONCORRENCIA", "60"),
        ("CARIMBO_TRABALHADORES_POR_AUTORIDADE", "60"),
        ("CARIMBO_CONTINGENCIA_NFSE_APARECE_S", "5"),
    ];
    environment.extend(more.map(|(name, value)| (name.to_owned(), value.to_owned())));
    environment
}

/// The guide's service, in another city; the city hall may refuse one of them.
pub(crate) fn services(turn: usize, count: usize, one_is_bad: bool) -> Wishes {
    let mut wishes = Wishes::new();
    for number in 0..count {
        let reference = format!("RPS{turn}X{number}");
        let bad = if one_is_bad && number == count / 2 { BAD } else { "" };
        let body = rps(CNPJ, &reference, bad);
        wishes.insert(reference, body);
    }
    wishes
}

/// An RPS; `bad` makes the city hall refuse it.
pub(crate) fn rps(cnpj: &str, reference: &str, bad: &str) -> Value {
    let mut body: Value = serde_json::from_str(include_str!("../rps.json")).unwrap();
    body["cpf_cnpj"] = cnpj.into();
    body["referencia_externa"] = reference.into();
    let told = &mut body["nota"]["servico"];
    (told["codigo_municipio"], told["municipio_incidencia"]) = (CACOAL.into(), CACOAL.into());
    told["discriminacao"] = format!("Suporte técnico {reference}{bad}").into();
    body
}

/// Makes a city hall refuse with E33.
const BAD: &str = " [SIM:codigo=E33]";

/// Runs a process that is killed at the point or after a timeout. `true` if it reached the point.
async fn die(world: &World, point: &str, wishes: &Wishes) -> bool {
    // the transmission of the first one takes a while, so that the others gather
    world.simulator.add_fault(
        Fault::new(FaultType::Latency).on(HANDED_IN).ms(200 + 30 * u64::try_from(wishes.len()).unwrap()).times(1),
    );
    let process = Process::start(&environment(world), Some(point), &world.errors());
    let base_url = listening(&process).await;
    let mut asking = JoinSet::new();
    for request in wishes.values() {
        let (caller, base_url, request) = (Caller::new(world.api_key()), base_url.clone(), request.clone());
        // there is no answer when the process is halted before it
        asking.spawn(async move { drop(caller.post(&base_url, ROUTE, &request).await) });
    }
    let came = process.when(LIFE, |said| said.point.is_some()).await.is_some();
    process.kill().await;
    asking.join_all().await;
    came
}

/// Runs processes without kills until every wish has its outcome; the caller posts everything again under the
/// references of before.
async fn all_end(world: &World, wishes: &Wishes) -> BTreeMap<String, Value> {
    world.simulator.faults().clear();
    let deadline = Instant::now() + 3 * PATIENCE;
    loop {
        breathe(world).await;
        let process = Process::start(&environment(world), None, &world.errors());
        let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
        let jobs = posted(&caller, &base_url, wishes).await;
        let ended = waited(&caller, &base_url, &jobs).await;
        process.stop().await;
        if let Some(ended) = ended {
            return ended;
        }
        assert!(Instant::now() < deadline, "not everything ends");
    }
}

/// Lets the hour of the query limits pass: restarts repeat their queries. Only while no process runs.
pub(crate) async fn breathe(world: &World) {
    let store = world.store().await;
    store.forget_budgets(i64::MAX).await.unwrap();
    for circuit in store.authorities(0).await.unwrap().circuits {
        let closed = Circuit { state: CircuitState::Closed, opened_at: None, ..circuit };
        assert!(store.change_circuit(closed).await.unwrap());
    }
    store.release_waiting(AUTHORITY, jiff::Timestamp::now().as_second()).await.unwrap();
    store.close().await;
}

/// The jobs, by reference.
pub(crate) async fn posted(caller: &Caller, base_url: &str, wishes: &Wishes) -> BTreeMap<String, String> {
    let mut jobs = BTreeMap::new();
    for (reference, request) in wishes {
        let (_, job) = caller.post(base_url, ROUTE, request).await.expect("an answer");
        jobs.insert(reference.clone(), job["job_id"].as_str().unwrap_or_else(|| panic!("{job}")).to_owned());
    }
    jobs
}

/// Waits until all have ended; `None` on timeout.
pub(crate) async fn waited(
    caller: &Caller,
    base_url: &str,
    jobs: &BTreeMap<String, String>,
) -> Option<BTreeMap<String, Value>> {
    let deadline = Instant::now() + PATIENCE / 4;
    let mut ended = BTreeMap::new();
    while ended.len() < jobs.len() {
        if Instant::now() > deadline {
            return None;
        }
        let waiting: Vec<&String> =
            jobs.iter().filter(|(name, _)| !ended.contains_key(*name)).map(|(_, id)| id).collect();
        for ids in waiting.chunks(200) {
            let (_, found) =
                caller.post(base_url, "/v1/jobs/consultar-lote", &json!({ "job_ids": ids })).await.expect("an answer");
            for job in found["jobs"].as_array().unwrap() {
                if !matches!(job["status"].as_str(), Some("pending" | "processing")) {
                    ended.insert(job["referencia_externa"].as_str().unwrap().to_owned(), job.clone());
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Some(ended)
}

/// Returns the number of RPS in each lot that reached the city hall.
fn sizes(world: &World) -> Vec<usize> {
    let requests = world.simulator.requests();
    requests.iter().filter(|one| one.servico == HANDED_IN).map(|one| one.chaves.len()).collect()
}

async fn verify(world: &World, wishes: &Wishes, ended: &BTreeMap<String, Value>) {
    let mut ours = BTreeMap::new();
    for (reference, request) in wishes {
        let nota = &ended[reference]["nota"];
        if request.to_string().contains(BAD) {
            assert_eq!((&nota["status"], &nota["codigo_status"]), (&json!("rejeitada"), &json!("E33")), "{nota:#}");
            continue;
        }
        assert_eq!(nota["status"], "autorizada", "{reference}: {:#}", ended[reference]);
        let twice = ours.insert(nota["numero_dps"].to_string(), nota["numero"].as_u64().unwrap());
        assert!(twice.is_none(), "{reference}: the number of another");
    }
    let notes = world.simulator.municipal_notes();
    let there: BTreeMap<String, u64> = notes.iter().map(|note| (note.rps.numero.clone(), note.numero)).collect();
    assert_eq!(notes.len(), there.len(), "an RPS became two notes");
    assert_eq!(ours, there, "what we say and what the city hall has");
    let store = world.store().await;
    let cpf_cnpj = CnpjCpf::parse(CNPJ).unwrap();
    let series = Series { cpf_cnpj, counted: NumberedKind::Rps, serie: Serie::from(1), ambiente: TpAmb::Homologacao };
    let ledger = store.ledger(world.tenant, series).await.unwrap();
    let numbers: Vec<u64> = ledger.iter().map(|row| row.numero).collect();
    assert_eq!(numbers, (1..=numbers.last().copied().unwrap_or(0)).collect::<Vec<u64>>(), "a gap");
    let of = |state| ledger.iter().filter(|row| row.state == state).count();
    assert_eq!((of(NumberState::Used), of(NumberState::Used) + of(NumberState::Released)), (ours.len(), ledger.len()));
    store.close().await;
}
