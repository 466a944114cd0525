//! Authorities that answer without end, or with a million letters: the caller gets one line, and no document is lost or
//! doubled.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, job_when};
use crate::support::body::{self, NUMERIC};

/// Largest allowed answer about a job, in bytes.
const MOST_OF_A_JOB: usize = 6_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_without_end_is_cut_off_and_the_note_is_asked_for() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let endless = json!({ "servico": "NFeAutorizacao4", "tipo": "endless_body", "vezes": 1 });
    app.control.post("/_sim/falhas", &endless).await.ok(201);
    let job = ended(&client, &client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 1);
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("passa de 8388608 bytes") && log.len() < 40_000, "{} bytes: {log:.2000}", log.len());
    // a synchronous query gets an error too
    let endless = json!({ "servico": "NFeStatusServico4", "tipo": "endless_body", "vezes": 1 });
    app.control.post("/_sim/falhas", &endless).await.ok(201);
    let refused = client.get("/v1/nfe/status-servico?uf=SP").await.refused(503, "indisponivel");
    assert!(refused["mensagem"].as_str().unwrap().contains("8388608 bytes"), "{refused}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fault_of_a_million_letters_is_told_in_a_line() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let long = |servico: &str| json!({ "servico": servico, "tipo": "soap_fault", "bytes": 1_000_000, "vezes": 100 });
    for servico in ["NFeAutorizacao4", "NFeConsultaProtocolo4", "NFeStatusServico4"] {
        app.control.post("/_sim/falhas", &long(servico)).await.ok(201);
    }
    let refused = client.get("/v1/nfe/status-servico?uf=SP").await;
    assert!(refused.bytes.len() < 2_000, "{} bytes", refused.bytes.len());
    assert!(refused.refused(503, "indisponivel")["mensagem"].as_str().unwrap().contains("SOAP Fault"));
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let told = |job: &Value| job["mensagem"].as_str().unwrap().contains("SOAP Fault");
    let job = job_when(&client, &accepted, told).await;
    assert!(job.to_string().len() < MOST_OF_A_JOB, "{} bytes", job.to_string().len());
    app.control.delete("/_sim/falhas").await;
    let job = ended(&client, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.len() < 40_000, "{} bytes", log.len());
    app.finish().await;
}
