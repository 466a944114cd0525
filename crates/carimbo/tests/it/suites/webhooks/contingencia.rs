//! A stopped authority, seen through HTTP: the note goes by the SVC and shows it, the webhook gets the event, the
//! company's setting decides.
//!
//! Law: `docs/contract.md`, "Emission" (`tipo_emissao`, `contingencia`) and "Webhooks" (`contingencia`).

use serde_json::{Value, json};

use super::receiver::Receiver;
use super::{app_and_receiver, deliveries, inside, issue};
use crate::support::app::{TestApp, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_of_a_stopped_authority_goes_by_the_svc_and_everybody_is_told() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    app.sp_stops().await;
    issue(&tenant.test, &receiver.url("/primeira")).await;
    let job = issue(&tenant.test, &receiver.url("/segunda")).await;
    let nota = &job["nota"];
    assert_eq!((&nota["status"], &nota["tipo_emissao"]), (&"autorizada".into(), &6.into()), "{job}");
    let contingencia = &nota["contingencia"];
    assert_eq!((&contingencia["tipo"], &contingencia["autoridade"]), (&"svc".into(), &"SVC-AN".into()), "{job}");
    assert!(contingencia["justificativa"].as_str().unwrap().contains("109"), "{job}");
    assert!(contingencia["desde"].as_str().unwrap().ends_with("-03:00"), "{job}");
    assert_eq!(contingencia["prazo_transmissao"], Value::Null);
    assert_eq!(contingencia["transmitida_em"], nota["data_autorizacao"]);
    let told =
        deliveries(&tenant.test, &job, |found| found.iter().filter(|one| one["status"] == "entregue").count() == 2)
            .await;
    let mut events: Vec<&str> = told.iter().map(|one| one["evento"].as_str().unwrap()).collect();
    events.sort_unstable();
    assert_eq!(events, ["nfe.autorizada", "nfe.contingencia"]);
    let heard = receiver.heard();
    let of_switch =
        heard.iter().find(|one| one.path == "/segunda" && one.json()["evento"] == "nfe.contingencia").unwrap();
    assert_eq!(of_switch.json()["nota"]["contingencia"]["tipo"], "svc");
    let status = app.anonymous().get("/status").await.ok(200);
    assert_eq!(status["status"], "degradado", "{status}");
    let open = &status["componentes"]["ponte_fiscal"]["contingencia"][0];
    assert_eq!(
        (&open["autoridade"], &open["modelo"], &open["disjuntor"]),
        (&"SP".into(), &55.into(), &"aberto".into())
    );
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(xml.contains("<tpEmis>6</tpEmis>") && xml.contains("<dhCont>") && xml.contains("<xJust>"), "{xml}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_company_without_contingency_waits_for_its_authority() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    tenant.test.put(&path, &json!({ "contingencia": "talvez" })).await.refused(422, "validacao");
    let kept = tenant.test.put(&path, &json!({ "contingencia": "nenhuma" })).await.ok(200);
    assert_eq!(kept["contingencia"], "nenhuma");
    app.sp_stops().await;
    let accepted = tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let waits = |job: &Value| {
        job["erro"].as_str().is_some_and(|erro| erro.contains("espera por ele")) && job["concluido_em"].is_null()
    };
    let job = job_when(&tenant.test, &accepted, waits).await;
    assert_eq!(job["erro_detalhe"]["codigo"], "autoridade_indisponivel", "{job}");
    app.sp_works().await;
    let job = job_when(&tenant.test, &accepted, |job| job["status"] == "completed").await;
    assert_eq!((&job["nota"]["tipo_emissao"], &job["nota"]["contingencia"]), (&1.into(), &Value::Null));
    app.finish().await;
}

/// Waits until a job has this many events and all are delivered; returns them.
async fn told(client: &Client, job: &Value, many: usize) -> Vec<String> {
    let all = |found: &[Value]| found.len() == many && found.iter().all(|one| one["status"] == "entregue");
    let mut words: Vec<String> =
        deliveries(client, job, all).await.iter().map(|one| one["evento"].as_str().unwrap().to_owned()).collect();
    words.sort_unstable();
    words
}

/// Returns the instant of the next attempt, while the authority still does not work.
fn next_look(job: &Value) -> Option<String> {
    job["erro_detalhe"]["proxima_tentativa_em"].as_str().map(str::to_owned)
}

/// Forwards the clocks, and waits until every note was tried afterwards.
async fn forward_and_look(app: &TestApp, client: &Client, notes: &[Value], seconds: i64) {
    let mut before = Vec::new();
    for note in notes {
        before.push(next_look(&job_when(client, note, |job| next_look(job).is_some()).await));
    }
    app.forward(seconds).await;
    for (note, before) in notes.iter().zip(before) {
        job_when(client, note, |job| next_look(job).is_some() && next_look(job) != before).await;
    }
}

/// Near the deadline of a document that was handed out there is one warning, and none before `hours` after the
/// emission.
async fn warned_once(tipo: &str, configuration: Value, mut note: Value, hours: i64) {
    let app = TestApp::start_with(|parts| {
        parts.webhooks = inside();
        parts.contingency.offline = true;
    });
    let (app, receiver) = (app.await, Receiver::https(&[]).await);
    let client = app.issuer(NUMERIC).await.test;
    client.put(&format!("/v1/empresas/{NUMERIC}/{tipo}"), &configuration).await.ok(200);
    note["webhook_url"] = json!(receiver.url("/nota"));
    note.as_object_mut().unwrap().remove("referencia_externa");
    // the SVC of its transport is not switched on either
    let stopped = json!([
        { "modo": "paralisado_sem_previsao", "autoridade": "sp" }, { "modo": "svc_desabilitada", "autoridade": "svc-rs" }
    ]);
    app.control.put("/_sim/servicos", &stopped).await.ok(200);
    let emit = format!("/v1/{tipo}/emitir");
    // two: a single failure does not show an outage
    let notes = [client.post(&emit, &note).await.ok(202), client.post(&emit, &note).await.ok(202)];
    for note in &notes {
        job_when(&client, note, |job| job["arquivos"]["pdf"].is_string()).await;
    }
    let words = ["autorizada", "contingencia", "prazo_contingencia"].map(|word| format!("{tipo}.{word}"));
    let all_told = async |expected: &[String]| {
        for note in &notes {
            assert_eq!(told(&client, note, expected.len()).await, expected);
        }
    };
    forward_and_look(&app, &client, &notes, hours * 3_600 - 600).await;
    all_told(&words[1..2]).await;
    forward_and_look(&app, &client, &notes, 1_200).await;
    all_told(&words[1..]).await;
    forward_and_look(&app, &client, &notes, 200).await;
    all_told(&words[1..]).await;
    let heard = receiver.heard().into_iter().find(|one| one.json()["evento"] == words[2].as_str()).unwrap().json();
    assert_eq!((&heard["status"], &heard["nota"]["status"]), (&"processing".into(), &Value::Null), "{heard}");
    assert!(heard["nota"]["contingencia"]["prazo_transmissao"].is_string(), "{heard}");
    app.sp_works().await;
    for note in &notes {
        job_when(&client, note, |job| job["nota"]["status"] == "autorizada").await;
    }
    all_told(&words).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_that_waits_is_told_once_four_hours_before_its_deadline() {
    let retail = json!({ "ambiente": 2, "serie": "1", "qr_versao": 3 });
    warned_once("nfce", retail, body::counter_sale(NUMERIC), 20).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_announced_by_epec_that_waits_is_told_once_a_sixth_of_its_week_before_its_deadline() {
    warned_once("nfe", json!({ "contingencia": "epec" }), body::emission(NUMERIC), 140).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cargo_that_travels_offline_is_told_once_a_sixth_of_its_week_before_its_deadline() {
    let carrier = json!({ "ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "contingencia": "offline" });
    warned_once("cte", carrier, crate::support::transports::cargo(), 140).await;
}
