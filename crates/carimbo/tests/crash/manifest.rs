//! The recipient's event on a received note: the process is killed at every step of it. The next process registers the
//! event once, and a caller without an answer finds the job by its reference.

use crate::caller::Caller;
use crate::child::Process;
use crate::received::{BRANCH, PATIENCE, issue, listening};
use crate::world::{Database, World};
use fiscal::value::TpAmb;
use http::StatusCode;
use serde_json::{Value, json};
use simulator::faults::{Fault, FaultType};
use std::time::{Duration, Instant};

const EVENT: &str = "NFeRecepcaoEvento4";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_manifestation_is_registered_once_on_sqlite() {
    let points =
        ["event.registered", "event.stored", "event.before", "event.reply", "event.before_settle", "event.committed"];
    run(Database::Sqlite, &points).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_manifestation_is_registered_once_on_postgres() {
    run(Database::Postgres, &["event.registered", "event.reply", "event.before_settle"]).await;
}

async fn run(kind: Database, points: &[&str]) {
    let world = World::build(kind, 11).await;
    let keys = issue(&world, points.len()).await;
    for (turn, (point, chave)) in points.iter().zip(&keys).enumerate() {
        let request = json!({ "cpf_cnpj": BRANCH, "chave": chave, "tipo": "confirmacao", "referencia_externa": format!("M{turn}") });
        if turn % 2 == 1 {
            // the answer of the process before the kill is lost as well
            world.simulator.add_fault(Fault::new(FaultType::ResetAfter).on(EVENT));
        }
        die(&world, point, &request).await;
        let job = go_on(&world, &request).await;
        assert_eq!((&job["status"], &job["erro"]), (&json!("completed"), &Value::Null), "{point} {job}");
        let code = &job["evento_fiscal"]["codigo_status"];
        assert!([135, 573].iter().any(|known| code == known), "{point} {job}");
        let document = world.simulator.document(TpAmb::Homologacao, chave).unwrap();
        let events: Vec<(&str, u16)> =
            document.eventos.iter().map(|one| (one.tpEvento.as_str(), one.nSeqEvento)).collect();
        assert_eq!(events, [("210200", 1)], "{point}");
    }
    world.demolish().await;
}

/// Runs a process that is killed at the point.
async fn die(world: &World, point: &str, request: &Value) {
    let process = Process::start(&world.environment, Some(point), &world.errors());
    let base_url = listening(&process).await;
    let asking = {
        let (caller, request) = (Caller::new(world.api_key()), request.clone());
        // there is no answer when the process is halted before it
        tokio::spawn(async move { drop(caller.post(&base_url, "/v1/nfe/manifestar", &request).await) })
    };
    let stands = process.when(PATIENCE, |said| said.point.is_some()).await;
    assert!(stands.is_some(), "it never came to {point}");
    process.kill().await;
    asking.await.unwrap();
}

/// Runs the next process: the caller posts again under the same reference, and waits for the outcome.
async fn go_on(world: &World, request: &Value) -> Value {
    let process = Process::start(&world.environment, None, &world.errors());
    let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
    let first = insist(|| caller.post(&base_url, "/v1/nfe/manifestar", request), |_| true).await;
    assert_eq!(first["idempotente"], true, "the first job of the reference: {first}");
    let consulta = first["consulta"].as_str().unwrap().to_owned();
    let ended = |job: &Value| !matches!(job["status"].as_str(), Some("pending" | "processing"));
    let job = insist(|| caller.get(&base_url, &consulta), ended).await;
    process.stop().await;
    job
}

/// Repeats the request until an answer satisfies the condition.
async fn insist<F: Future<Output = Option<(StatusCode, Value)>>>(
    ask: impl Fn() -> F,
    enough: impl Fn(&Value) -> bool,
) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = ask().await;
        if let Some((StatusCode::OK, body)) = &answer
            && enough(body)
        {
            return body.clone();
        }
        assert!(Instant::now() < deadline, "{answer:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
