//! A known fault of the national NFS-e: the Sefin makes the note and answers 500, or nothing; the process is killed;
//! the caller, without an answer, posts again. There is one note of each declaration, under one number, and its job
//! ends `autorizada`.

use crate::caller::Caller;
use crate::child::Process;
use crate::received::{PATIENCE, authorised, listening};
use crate::world::{CNPJ, Database, World};
use fiscal::value::CnpjCpf;
use serde_json::{Value, json};
use simulator::faults::{Fault, FaultType};
use std::collections::BTreeSet;
use std::time::Instant;

/// Kills for each database, one per point; `NFSE_CRASH_KILLS` sets more.
const KILLS: usize = POINTS.len();

const ISSUE: &str = "POST /nfse";
const ROUTE: &str = "/v1/nfse/emitir";

/// The crash point that ends a process; `true` if an answer is lost before it, by a Sefin that has made the note.
const POINTS: &[(&str, bool)] = &[
    ("issue.registered", false),
    ("prepare.reserved", false),
    ("prepare.sending", false),
    ("send.before", false),
    ("send.reply", false),
    ("settle.before", false),
    ("settle.committed", false),
    ("send.no_reply", true),
    ("again.committed", true),
    ("ask.in_doubt", true),
    ("ask.reply", true),
    ("ask.fetched", true),
];

/// Returns the fault that loses an answer: an error of the Sefin, no answer, half of one, or an HTML page.
fn lost(turn: usize) -> Fault {
    let on = |fault: FaultType| Fault::new(fault).on(ISSUE);
    match turn / POINTS.len() % 4 {
        0 => on(FaultType::StatusAfter).status(500),
        1 => on(FaultType::ResetAfter),
        2 => on(FaultType::HalfReply),
        _ => on(FaultType::PageAfter),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declaration_becomes_one_note_on_sqlite() {
    run(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declaration_becomes_one_note_on_postgres() {
    run(Database::Postgres).await;
}

async fn run(kind: Database) {
    let world = World::build(kind, 13).await;
    configure(&world).await;
    let kills = crate::number("NFSE_CRASH_KILLS").map_or(KILLS, |kills| usize::try_from(kills).unwrap());
    let (started, mut requests, mut keys) = (Instant::now(), Vec::new(), BTreeSet::new());
    for (turn, (point, is_lost)) in POINTS.iter().cycle().take(kills).enumerate() {
        if *is_lost {
            world.simulator.add_fault(lost(turn));
        }
        requests.push(declaration(turn));
        die(&world, point, &requests[turn]).await;
        if (turn + 1) % POINTS.len() == 0 || turn + 1 == kills {
            let since = turn - turn % POINTS.len();
            // each process queries the unknown outcomes of the earlier ones, and an hour allows few queries about one
            // note
            world.an_hour_passes().await;
            keys.extend(go_on(&world, &requests[since..]).await);
        }
    }
    println!("queda de NFS-e: banco={kind:?} mortes={kills} em {} s", started.elapsed().as_secs());
    let notes = world.simulator.nfse_notes();
    let there: BTreeSet<String> = notes.iter().map(|note| note.chave.clone()).collect();
    assert_eq!((notes.len(), there), (kills, keys), "each declaration is one note, and its job has it");
    for note in &notes {
        assert_eq!(world.simulator.nfse_counts(&note.id_dps).gravada, 1, "{}", note.id_dps);
    }
    world.demolish().await;
}

/// Configuration of a company of São Paulo.
pub(crate) fn configuration() -> Value {
    json!({ "ambiente": 2, "serie": "1", "codigo_municipio": "3550308", "provedor": "nacional",
        "regime": { "opSimpNac": 1, "regEspTrib": 0 } })
}

pub(crate) async fn configure(world: &World) {
    let store = world.store().await;
    let (company, by) = (CnpjCpf::parse(CNPJ).unwrap(), store::audit::Actor::operator());
    store.configure_company(world.tenant, company, "nfse", configuration(), &by, 0).await.unwrap();
    store.close().await;
}

/// The smallest declaration.
fn declaration(turn: usize) -> Value {
    let mut body: Value = serde_json::from_str(include_str!("../servico.json")).unwrap();
    body["cpf_cnpj"] = CNPJ.into();
    body["referencia_externa"] = format!("SERVICO{turn}").into();
    body
}

/// The smallest declaration, for a company.
pub(crate) fn rendered_to(cnpj: &str, reference: &str) -> Value {
    let mut body = declaration(0);
    body["referencia_externa"] = reference.into();
    body["nota"]["toma"] = json!({ "CNPJ": cnpj, "xNome": "Filial" });
    body
}

/// Runs a process that is killed at the point.
async fn die(world: &World, point: &str, request: &Value) {
    let process = Process::start(&world.environment, Some(point), &world.errors());
    let base_url = listening(&process).await;
    let asking = {
        let (caller, request) = (Caller::new(world.api_key()), request.clone());
        // there is no answer when the process is halted before it
        tokio::spawn(async move { drop(caller.post(&base_url, ROUTE, &request).await) })
    };
    let stands = process.when(PATIENCE, |said| said.point.is_some()).await;
    assert!(stands.is_some(), "it never came to {point}");
    process.kill().await;
    asking.await.unwrap();
}

/// Runs the next process: the caller posts everything again under the same references, and waits for the keys.
async fn go_on(world: &World, requests: &[Value]) -> BTreeSet<String> {
    let process = Process::start(&world.environment, None, &world.errors());
    let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
    let mut keys = BTreeSet::new();
    let mut waiting = Vec::new();
    for request in requests {
        let (_, job) = caller.post(&base_url, ROUTE, request).await.expect("an answer");
        waiting.push(job["consulta"].as_str().unwrap_or_else(|| panic!("{job}")).to_owned());
    }
    for consulta in waiting {
        keys.insert(authorised(&caller, &base_url, &consulta).await);
    }
    process.stop().await;
    keys
}
