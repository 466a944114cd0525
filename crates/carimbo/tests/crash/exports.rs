//! Files for the accountant: the process is killed at every step of one, once and twice. Each order ends with one
//! complete file that Python opens, in which every authorised document stands once.

use crate::caller::{Caller, emission};
use crate::child::Process;
use crate::received::{PATIENCE, authorised, listening};
use crate::world::{CNPJ, Database, World};
use fiscal::value::TpAmb;
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};
use store::Error;

const PATH: &str = "/v1/exportacoes";
const NOTES: usize = 5;
/// Points at which successive processes die, before one is left alone.
const DEATHS: [&[&str]; 5] = [
    &["export.claimed"],
    &["export.part"],
    &["export.before_end"],
    &["export.ended"],
    &["export.part", "export.before_end"],
];
/// Seconds after which the lease of a killed attempt has run out.
const LEASE_S: i64 = 61;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_end_once_on_sqlite() {
    run(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_end_once_on_postgres() {
    run(Database::Postgres).await;
}

async fn run(kind: Database) {
    let world = World::build(kind, 21).await;
    let keys = issued(&world).await;
    for points in DEATHS {
        let (mut path, mut attempts) = (None, 0);
        for point in points {
            die(&world, point, &mut path).await;
            attempts += 1;
            a_lease_runs_out(&world).await;
        }
        let (export, archive) = ended(&world, &path.expect("an order")).await;
        // one that had ended is not made again
        let made = if points == ["export.ended"] { attempts } else { attempts + 1 };
        assert_eq!(
            (&export["status"], &export["tentativas"]),
            (&json!("concluida"), &json!(made)),
            "{points:?} {export:#}"
        );
        assert_eq!(documents(&world, &archive), keys, "{points:?}");
    }
    no_part_is_left(&world, kind).await;
    world.demolish().await;
}

/// Keys of notes that one process issues.
async fn issued(world: &World) -> Vec<String> {
    let process = Process::start(&world.environment, None, &world.errors());
    let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
    let mut keys = Vec::new();
    for number in 0..NOTES {
        let mut body = emission(CNPJ, &format!("MES{number}"), "https://exemplo.com.br/x", false);
        body.as_object_mut().expect("an object").remove("webhook_url");
        let (status, job) = caller.post(&base_url, "/v1/nfe/emitir", &body).await.expect("an answer");
        assert_eq!(status, 202, "{job}");
        keys.push(authorised(&caller, &base_url, job["consulta"].as_str().expect("where to ask")).await);
    }
    process.stop().await;
    keys.sort();
    keys
}

fn order() -> Value {
    let day =
        |days: i64| (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24 * days)).to_string()[..10].to_owned();
    json!({ "cpf_cnpj": CNPJ, "de": day(-2), "ate": day(1) })
}

/// Runs a process that is killed at the point; it registers the export unless there is one.
async fn die(world: &World, point: &str, path: &mut Option<String>) {
    let process = Process::start(&world.environment, Some(point), &world.errors());
    if path.is_none() {
        let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
        let (status, accepted) = caller.post(&base_url, PATH, &order()).await.expect("an answer");
        assert_eq!(status, 202, "{accepted}");
        *path = accepted["consulta"].as_str().map(str::to_owned);
    }
    let stands = process.when(PATIENCE, |said| said.point.is_some()).await;
    assert!(stands.is_some(), "no life came to {point}");
    process.kill().await;
}

/// Lets the lease of a killed attempt run out, without the wait.
async fn a_lease_runs_out(world: &World) {
    let (store, later) = (world.store().await, jiff::Timestamp::now().as_second() + LEASE_S);
    if let Some(claimed) = store.claim_export(later, later).await.unwrap() {
        store.return_export(claimed.lease).await.unwrap();
    }
    store.close().await;
}

/// Runs a process that nothing kills until the export has ended; returns it with its file.
async fn ended(world: &World, path: &str) -> (Value, bytes::Bytes) {
    let process = Process::start(&world.environment, None, &world.errors());
    let (caller, base_url) = (Caller::new(world.api_key()), listening(&process).await);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (_, export) = caller.get(&base_url, path).await.expect("an answer");
        if export["concluido_em"].is_string() {
            let archive = caller.file(&base_url, export["arquivo"].as_str().expect("a file")).await.expect("its bytes");
            process.stop().await;
            return (export, archive);
        }
        assert!(Instant::now() < deadline, "it does not end: {export:#}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Keys of the documents in an archive, sorted. Python checks every CRC.
fn documents(world: &World, archive: &[u8]) -> Vec<String> {
    let path = world.folder.join("exportado.zip");
    std::fs::write(&path, archive).unwrap();
    let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n\
                  print('\\n'.join(sorted(n[16:60] for n in z.namelist() if n.startswith('nfe/autorizadas/'))))";
    let output = Command::new("python3").args(["-c", script]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Each order has its file and nothing else: parts of killed attempts are gone.
async fn no_part_is_left(world: &World, kind: Database) {
    let store = world.store().await;
    while store.clear_export_parts().await.unwrap() {}
    let window = store::notes::ListWindow { limit: 50, skip: 0 };
    let (exports, total) =
        store.exports(store::Visibility::whole(world.tenant), TpAmb::Homologacao, window).await.unwrap();
    assert_eq!(total, DEATHS.len() as u64, "a file too many, or too few");
    for export in &exports {
        for part in 1..=export.partes {
            store.export_part(export, part).await.unwrap();
        }
        assert!(matches!(store.export_part(export, export.partes + 1).await, Err(Error::NotFound)));
    }
    store.close().await;
    println!("queda de exportações: banco={kind:?} mortes={} arquivos={total}", DEATHS.concat().len());
}
