//! A refused EPEC: the process is killed when the refusal is written, and when the note has another emission mode. The
//! next process sends the note, and does not request the EPEC again.

use crate::caller::{Caller, emission};
use crate::child::Process;
use crate::received::{PATIENCE, authorised, listening};
use crate::world::{CNPJ, Database, World};
use serde_json::{Value, json};

const EVENT: &str = "NFeRecepcaoEvento4";
const POINTS: [&str; 2] = ["announce.refused", "resume.rerouted"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_epec_is_asked_for_once_on_sqlite() {
    run(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_epec_is_asked_for_once_on_postgres() {
    run(Database::Postgres).await;
}

async fn run(kind: Database) {
    for point in POINTS {
        let world = World::build(kind, 11).await;
        world.simulator.configure(|settings| {
            let mut listed = settings.contribuintes.get(CNPJ).cloned().unwrap_or_default();
            listed.epec_bloqueado = true;
            settings.contribuintes.insert(CNPJ.to_owned(), listed);
        });
        let consulta = die(&world, point).await;
        let process = Process::start(&world.environment, None, &world.errors());
        let base_url = listening(&process).await;
        let chave = authorised(&Caller::new(world.api_key()), &base_url, &consulta).await;
        process.stop().await;
        // tpEmis of the key: normal emission
        assert_eq!(chave.get(34..35), Some("1"), "{point}");
        let asked: Vec<_> =
            world.simulator.requests().iter().filter(|one| one.servico == EVENT).map(|one| one.cStat).collect();
        assert_eq!(asked, [Some(142)], "{point}");
        world.demolish().await;
    }
}

/// Runs a process that is killed at the point, with one note by EPEC. Returns the path of its job.
async fn die(world: &World, point: &str) -> String {
    let process = Process::start(&world.environment, Some(point), &world.errors());
    let base_url = listening(&process).await;
    let (status, job) =
        Caller::new(world.api_key()).post(&base_url, "/v1/nfe/emitir", &announced()).await.expect("an answer");
    assert_eq!(status, 202, "{job}");
    let stands = process.when(PATIENCE, |said| said.point.is_some()).await;
    assert!(stands.is_some(), "it never came to {point}");
    process.kill().await;
    job["consulta"].as_str().expect("where to ask").to_owned()
}

fn announced() -> Value {
    let mut body = emission(CNPJ, "RECUSADA", "https://exemplo.com.br/x", false);
    body["nota"]["identificacao"]["tpEmis"] = json!(4);
    body.as_object_mut().expect("an object").remove("webhook_url");
    body
}
