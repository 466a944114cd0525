//! Obstacles before the authority decides on a note: named in `erro_detalhe`, and removed once their cause is.
//!
//! Law: `docs/contract.md`, "Emission".

use serde_json::{Value, json};
use std::time::Duration;

use crate::support::app::{PASSWORD, TestApp, ended, job_when};
use crate::support::body::{self, NUMERIC};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

fn says(codigo: &'static str) -> impl Fn(&Value) -> bool {
    move |job| job["erro_detalhe"]["codigo"] == codigo
}

/// `true` if the message does not claim that the authority may have the document, which never reached it or was refused
/// unread.
fn waits_openly(job: &Value) -> bool {
    job["mensagem"].as_str().unwrap().starts_with("Aguardando nova tentativa")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_is_turned_away_unread_is_not_said_to_be_in_doubt() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "contingencia": "nenhuma" })).await.ok(200);
    app.sp_stops().await;
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    // between its attempts
    job_when(&client, &accepted, |job| says("autoridade_indisponivel")(job) && waits_openly(job)).await;
    let job = app.once_sp_works(ended(&client, &accepted)).await;
    assert_eq!(job["nota"]["status"], "autorizada");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_whose_authority_takes_no_connections_waits_and_is_issued_once() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 1_000 })).await.ok(201);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let job = job_when(&client, &accepted, says("falha_de_conexao")).await;
    let detail = &job["erro_detalhe"];
    assert_eq!((&job["nota"]["status"], &detail["etapa"]), (&Value::Null, &"transmissao".into()), "{job}");
    assert!(detail["repetivel"] == true && detail["proxima_tentativa_em"].is_string(), "{job}");
    job_when(&client, &accepted, waits_openly).await;
    app.control.delete("/_sim/falhas").await;
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero"]), (&"autorizada".into(), &1.into()), "{job}");
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 1);
    app.finish().await;
}

/// Issues a note whose reply is lost, while queries are answered by this code: its outcome stays unknown, and it is
/// found when the queries succeed.
async fn in_doubt_while_answered(cStat: u16, codigo: &'static str) {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let lost = json!({ "servico": "NFeAutorizacao4", "tipo": "reset_after", "vezes": 1 });
    app.control.post("/_sim/falhas", &lost).await.ok(201);
    let answered = json!({ "servico": "NFeConsultaProtocolo4", "tipo": "cstat", "cStat": cStat, "vezes": 1_000 });
    app.control.post("/_sim/falhas", &answered).await.ok(201);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let job = job_when(&client, &accepted, says(codigo)).await;
    assert_eq!((&job["nota"]["status"], &job["erro_detalhe"]["etapa"]), (&Value::Null, &"consulta".into()), "{job}");
    app.control.delete("/_sim/falhas").await;
    assert_eq!(ended(&client, &accepted).await["nota"]["status"], "autorizada");
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 1);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_is_refused_leaves_the_note_in_doubt() {
    in_doubt_while_answered(252, "consulta_recusada").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_said_to_be_cancelled_without_its_protocol_stays_in_doubt() {
    in_doubt_while_answered(101, "sem_protocolo").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_whose_authority_has_no_address_waits_without_a_number() {
    // the operator's own table: the Ambiente Nacional authorises nothing
    let mistaken = |parts: &mut server::service::ServiceParts| {
        parts.table = authority::table::EndpointTable::with_overrides("[nfe.authorizer]\nSP = \"AN\"").unwrap();
    };
    let app = TestApp::start_with(mistaken).await;
    let client = app.issuer(NUMERIC).await.test;
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let job = job_when(&client, &accepted, says("autoridade_sem_endereco")).await;
    assert_eq!((&job["status"], &job["nota"]), (&"pending".into(), &Value::Null), "{job}");
    let cancel = format!("/v1/jobs/{}/cancelar", job["job_id"].as_str().unwrap());
    client.post(&cancel, &json!({})).await.ok(200);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_that_expired_fails_the_job_until_another_is_there() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let path = format!("/v1/empresas/{NUMERIC}/certificado");
    let upload = |days| json!({ "certificado": STANDARD.encode(app.pfx(NUMERIC, days)), "senha": PASSWORD });
    client.put(&path, &upload(1)).await.ok(200);
    app.forward(2 * 86_400).await;
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    assert!(accepted["avisos"].to_string().contains("certificado_expirado"), "{accepted}");
    let job = ended(&client, &accepted).await;
    let detail = &job["erro_detalhe"];
    assert_eq!((&job["status"], &detail["codigo"]), (&"failed".into(), &"certificado_expirado".into()), "{job}");
    assert_eq!((&detail["etapa"], &job["nota"]), (&"assinatura".into(), &Value::Null), "no number is used: {job}");
    client.put(&path, &upload(365)).await.ok(200);
    let again = format!("/v1/jobs/{}/reprocessar", job["job_id"].as_str().unwrap());
    client.post(&again, &json!({})).await.ok(202);
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero"]), (&"autorizada".into(), &1.into()), "{job}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_whose_data_is_broken_ends_and_is_not_claimed_for_ever() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let lost = json!({ "servico": "NFeAutorizacao4", "tipo": "reset_after", "vezes": 1 });
    app.control.post("/_sim/falhas", &lost).await.ok(201);
    let answered = json!({ "servico": "NFeConsultaProtocolo4", "tipo": "cstat", "cStat": 252, "vezes": 1_000 });
    app.control.post("/_sim/falhas", &answered).await.ok(201);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    job_when(&client, &accepted, says("consulta_recusada")).await;
    app.damage("UPDATE documents SET asked_by = NULL, chave = NULL").await;
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["status"], &job["erro_detalhe"]["codigo"]), (&"failed".into(), &"erro_interno".into()), "{job}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_whose_row_cannot_be_read_stops_no_other() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 1_000 })).await.ok(201);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    job_when(&client, &accepted, says("falha_de_conexao")).await;
    app.damage("UPDATE jobs SET notices = '{'").await;
    app.control.delete("/_sim/falhas").await;
    let next = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let next = ended(&client, &next).await;
    assert_eq!(next["nota"]["status"], "autorizada", "{next}");
    let broken = client.get(accepted["consulta"].as_str().unwrap()).await;
    assert_eq!((broken.status.as_u16(), &broken.json()["codigo"]), (500, &json!("erro_interno")));
    // nothing is left in the queue
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while app.store.queue_depth(jiff::Timestamp::now().as_second()).await.unwrap().pending > 0 {
        assert!(std::time::Instant::now() < deadline, "the unreadable job is still in line");
        tokio::task::yield_now().await;
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumped_a_day_ahead_and_came_back_leaves_nothing_waiting_until_tomorrow() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 100_000 })).await.ok(201);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let first = job_when(&client, &accepted, says("falha_de_conexao")).await;
    let day = |job: &Value| job["erro_detalhe"]["proxima_tentativa_em"].as_str().map(|at| at[..10].to_owned());
    app.clock.forward(86_400);
    let ahead = move |job: &Value| day(job).is_some() && day(job) != day(&first);
    job_when(&client, &accepted, ahead).await;
    app.clock.forward(-86_400);
    app.control.delete("/_sim/falhas").await;
    // minutes allowed after an outage, counted from when the worker notices that the clock went back: not until
    // tomorrow
    for _ in 0..20 {
        app.forward(180).await;
        if let Ok(job) = tokio::time::timeout(Duration::from_secs(5), ended(&client, &accepted)).await {
            assert_eq!(job["nota"]["status"], "autorizada");
            return app.finish().await;
        }
    }
    panic!("an hour later it still waits: {}", client.get(accepted["consulta"].as_str().unwrap()).await.ok(200));
}
