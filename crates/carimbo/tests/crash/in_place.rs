//! Substitution of a municipal note (SubstituirNfse): the process is killed at every step, answers are lost. At the end
//! the old note is substituted by the new one, here and at the city hall, and no note was made twice.

use crate::caller::Caller;
use crate::child::Process;
use crate::city_halls::{ROUTE, Wishes, breathe, configure, environment, posted, services, waited};
use crate::received::{PATIENCE, listening};
use crate::world::{Database, World};
use serde_json::{Value, json};
use simulator::abrasf::MunicipalStanding;
use simulator::faults::{Fault, FaultType};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const OPERATION: &str = "SubstituirNfse";
/// Longest time for a process to reach its crash point.
const LIFE: Duration = Duration::from_secs(8);

/// The crash point that ends a process, and the fault before it.
const POINTS: &[(&str, Option<FaultType>)] = &[
    ("prepare.reserved", None),
    ("in_place.written", None),
    ("prepare.sending", None),
    ("send.before", None),
    ("send.reply", None),
    ("send.no_reply", Some(FaultType::ResetAfter)),
    ("ask.reply", Some(FaultType::ResetAfter)),
    ("ask.never_seen", Some(FaultType::ResetBefore)),
    ("settle.before", None),
    ("settle.committed", None),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn substitutions_end_once_on_sqlite() {
    run(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn substitutions_end_once_on_postgres() {
    run(Database::Postgres).await;
}

async fn run(kind: Database) {
    let world = World::build(kind, 18).await;
    configure(&world).await;
    let mut pairs = Vec::new();
    for (turn, (point, lost)) in POINTS.iter().enumerate() {
        let old = only(services(2 * turn, 1, false));
        let there = end(&world, &old).await;
        let mut new = only(services(2 * turn + 1, 1, false));
        let numero = there["nota"]["numero_dps"].clone();
        new.values_mut().for_each(|body| body["nota"]["rps"] = json!({ "rps_substituido": { "numero": numero } }));
        if let Some(fault) = lost {
            world.simulator.add_fault(Fault::new(*fault).on(OPERATION).times(1));
        }
        assert!(die(&world, point, &new).await, "no life came to {point}");
        let taken = end(&world, &new).await;
        assert_eq!(taken["nota"]["status"], "autorizada", "{point}: {taken:#}");
        let before = end(&world, &old).await;
        assert_eq!(before["nota"]["status"], "cancelada", "{point}: {before:#}");
        let rps = format!("-1-1-{}-12345", taken["nota"]["numero_dps"]);
        let by = before["nota"]["substituida_por"].as_str().unwrap_or_default();
        assert!(by.ends_with(&rps), "{point}: {before:#}");
        pairs.push((number(&before), number(&taken)));
    }
    let notes = world.simulator.municipal_notes();
    assert_eq!(notes.len(), 2 * POINTS.len(), "a note too many, or too few");
    let of: BTreeMap<u64, _> = notes.iter().map(|note| (note.numero, note)).collect();
    for (before, after) in &pairs {
        assert_eq!(of[before].situacao, MunicipalStanding::Substituida);
        assert_eq!((of[before].substituida_por, of[after].situacao), (Some(*after), MunicipalStanding::Normal));
    }
    println!("queda de substituições: banco={kind:?} mortes={} notas={}", POINTS.len(), notes.len());
    world.demolish().await;
}

fn only(wishes: Wishes) -> Wishes {
    assert_eq!(wishes.len(), 1);
    wishes
}

fn number(job: &Value) -> u64 {
    job["nota"]["numero"].as_u64().unwrap()
}

/// Runs a process that is killed at the point. `true` if it reached the point.
async fn die(world: &World, point: &str, wishes: &Wishes) -> bool {
    let process = Process::start(&environment(world), Some(point), &world.errors());
    let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
    for request in wishes.values() {
        drop(caller.post(&base_url, ROUTE, request).await);
    }
    let came = process.when(LIFE + PATIENCE / 8, |said| said.point.is_some()).await.is_some();
    process.kill().await;
    came
}

/// Runs processes without kills until the wish has its outcome.
async fn end(world: &World, wish: &Wishes) -> Value {
    world.simulator.faults().clear();
    let deadline = Instant::now() + 2 * PATIENCE;
    loop {
        breathe(world).await;
        let process = Process::start(&environment(world), None, &world.errors());
        let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
        let jobs = posted(&caller, &base_url, wish).await;
        let ended = waited(&caller, &base_url, &jobs).await;
        process.stop().await;
        if let Some(job) = ended.and_then(|ended| ended.into_values().next()) {
            return job;
        }
        assert!(Instant::now() < deadline, "it does not end");
    }
}
