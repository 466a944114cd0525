//! Record of the suite's requests and the service's answers, for the steps of `cargo xtask test` that compare it with
//! the contract (`contract.txt`) and with the OpenAPI document. Written only when `CONTRACT_LOG` names a folder.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use http::Method;
use serde_json::{Value, json};
use simulator::Simulator;

use crate::support::client::Answer;

/// Appends one line: method, path, status, media type, and the body when it is JSON.
pub(crate) fn record(method: &Method, path: &str, answer: &Answer) {
    // an address asked for as it stands is another listener's: the metrics
    if path.is_empty() || log().is_none() {
        return;
    }
    let media = answer.header("content-type").split(';').next().unwrap_or_default().to_owned();
    let whole = path == "/docs/json" || answer.bytes.len() <= LARGEST;
    let plain = answer.header("content-encoding").is_empty();
    let body = if media.ends_with("json") && whole && plain { answer.text() } else { String::new() };
    let path = path.split('?').next().unwrap_or_default();
    write(&json!([method.as_str(), path, answer.status.as_u16(), media, body]));
}

/// Records the body of a webhook.
pub(crate) fn told(body: &[u8]) {
    let text = String::from_utf8_lossy(body);
    let evento = serde_json::from_str::<Value>(&text).ok().and_then(|body| body["evento"].as_str().map(str::to_owned));
    if let Some(evento) = evento {
        write(&json!(["WEBHOOK", evento, 200, "application/json", text]));
    }
}

/// Records requests to the services of the national NFS-e and their answers, for the step `nacional`; only when
/// `NFSE_LOG` names a folder.
pub(crate) fn watch(simulator: &Simulator) {
    if let Some(folder) = std::env::var_os("NFSE_LOG").filter(|folder| !folder.is_empty()) {
        simulator.log_nfse(&Path::new(&folder).join(format!("servico-{}.jsonl", std::process::id()))).unwrap();
    }
}

fn write(line: &Value) {
    if let Some(log) = log() {
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(log, "{line}").unwrap();
    }
}

fn log() -> Option<&'static Mutex<File>> {
    static LOG: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    LOG.get_or_init(open).as_ref()
}

/// Opens a file per process: nextest runs each test in its own.
fn open() -> Option<Mutex<File>> {
    let folder = std::env::var_os("CONTRACT_LOG").filter(|folder| !folder.is_empty())?;
    let path = Path::new(&folder).join(format!("{}.jsonl", std::process::id()));
    Some(Mutex::new(OpenOptions::new().create(true).append(true).open(path).unwrap()))
}

/// Longer bodies are not kept.
const LARGEST: usize = 200_000;

#[test]
fn every_row_of_the_contract_is_a_method_a_path_and_an_issue() {
    let rows = include_str!("contract.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut seen: Vec<Value> = Vec::new();
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [method, path, issue] = words.as_slice() else { panic!("{row}") };
        assert!(["GET", "POST", "PUT", "DELETE"].contains(method) && path.starts_with('/'), "{row}");
        assert!(["3", "4", "NFS-e", "CT-e"].contains(issue), "{row}");
        let key = json!([method, path]);
        assert!(!seen.contains(&key), "{row} twice");
        seen.push(key);
    }
    assert_eq!(seen.len(), 64, "63 rows of the interface and the confirm step");
}
