//! NFS-e: refused queries of a lot that was received, and notes of the Sefin that hold another declaration.

use serde_json::{Value, json};
use std::time::Duration;

use super::{fault, once};
use crate::support::app::{Tenant, TestApp, job_when};
use crate::support::body::NUMERIC;
use crate::support::{municipal_services, services};

/// WebISS 2.02: lots, queried by their protocol.
const CACOAL: &str = "1100049";
const ROUTE: &str = "/v1/nfse/govdigital/emitir";
const HANDED_IN: &str = "RecepcionarLoteRps";
const QUESTION: &str = "ConsultarLoteRps";

async fn municipal(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    let settings = json!({ "ambiente": 2, "codigo_municipio": CACOAL, "inscricao_municipal": "12345", "serie": "1", "provedor": "WebISS",
        "aliquota": "percentual" });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
    tenant
}

fn service(referencia: &str) -> Value {
    let mut body = municipal_services::service(referencia);
    let servico = &mut body["nota"]["servico"];
    (servico["codigo_municipio"], servico["municipio_incidencia"]) = (CACOAL.into(), CACOAL.into());
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_question_about_a_lot_refuses_no_rps() {
    let app = TestApp::start().await;
    let tenant = municipal(&app).await;
    let refusals = ["E160", "E1", "E183", "E999", "E157", "L999", "E88"];
    for codigo in refusals {
        let refused = json!({ "servico": QUESTION, "tipo": "cstat", "codigo": codigo, "mensagem": "Sistema indisponível", "vezes": 1 });
        fault(&app, refused).await;
        let accepted = tenant.test.post(ROUTE, &service(&format!("LOTE{codigo}"))).await.ok(202);
        let consulta = accepted["consulta"].as_str().unwrap().to_owned();
        once(&app, 30, || async { tenant.test.get(&consulta).await.ok(200)["nota"]["status"].is_string() }).await;
        let job = tenant.test.get(&consulta).await.ok(200);
        assert_eq!(job["nota"]["status"], "autorizada", "{codigo}: {job:#}");
        app.control.delete("/_sim/falhas").await;
    }
    let notes = app.control.get("/_sim/municipal/notas").await.ok(200);
    let notes = notes["notas"].as_array().or(notes.as_array()).unwrap().len();
    assert_eq!(notes, refusals.len(), "one note of each RPS");
    app.finish().await;
}

/// Sends one RPS, whose lot is lost; returns its outcome.
async fn lost(app: &TestApp, tenant: &Tenant, referencia: &str) -> (Value, String) {
    fault(app, json!({ "servico": HANDED_IN, "tipo": "lost_lot", "vezes": 1 })).await;
    let accepted = tenant.test.post(ROUTE, &service(referencia)).await.ok(202);
    let consulta = accepted["consulta"].as_str().unwrap().to_owned();
    // the queries of an hour are limited
    once(app, 600, || async { tenant.test.get(&consulta).await.ok(200)["nota"]["status"].is_string() }).await;
    let job = tenant.test.get(&consulta).await.ok(200);
    let log = tenant.test.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    (job, log)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_rps_whose_lot_is_unknown_goes_again() {
    let app = TestApp::start().await;
    let tenant = municipal(&app).await;
    for _ in 0..2 {
        fault(&app, json!({ "servico": HANDED_IN, "tipo": "lost_lot", "vezes": 1 })).await;
    }
    let (job, log) = lost(&app, &tenant, "PERDIDO").await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    assert_eq!(log.matches("não decide este documento: E86").count(), 3, "{log}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_was_refused_once_refuses_no_rps_whose_next_message_is_lost() {
    let app = TestApp::start().await;
    let tenant = municipal(&app).await;
    let refused =
        json!({ "servico": QUESTION, "tipo": "cstat", "codigo": "E160", "mensagem": "Sistema fora", "vezes": 1 });
    fault(&app, refused).await;
    fault(&app, json!({ "servico": HANDED_IN, "tipo": "reset_before", "apos": 1, "vezes": 1 })).await;
    let (job, log) = lost(&app, &tenant, "RECUSADO").await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    assert!(log.contains("não decide este documento: E160") && log.contains("Sem resposta da autoridade"), "{log}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_national_note_that_holds_another_declaration_is_called_nothing() {
    for tipo in ["wrong_digval", "no_digval"] {
        let app = TestApp::start().await;
        let client = services::provider(&app).await.test;
        fault(&app, json!({ "servico": "POST /nfse", "tipo": tipo, "vezes": 1 })).await;
        let accepted = client.post("/v1/nfse/emitir", &services::another("DIVERGE")).await.ok(202);
        let job = job_when(&client, &accepted, |job| job["status"] == "failed").await;
        assert_eq!(job["erro_detalhe"]["codigo"], "protocolo_divergente", "{tipo}: {job:#}");
        assert_ne!(job["nota"]["status"], "rejeitada", "{tipo}: {job:#}");
        // its number is not given to the next one
        tokio::time::sleep(Duration::from_millis(50)).await;
        let next = client.post("/v1/nfse/emitir", &services::another("DEPOIS")).await.ok(202);
        let next = job_when(&client, &next, |job| job["status"] == "completed").await;
        assert_eq!(
            (&next["nota"]["status"], &next["nota"]["numero_dps"]),
            (&"autorizada".into(), &2.into()),
            "{next:#}"
        );
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_national_note_of_another_declaration_says_nothing_of_ours() {
    let app = TestApp::start().await;
    let client = services::provider(&app).await.test;
    fault(&app, json!({ "servico": "POST /nfse", "tipo": "other_document", "vezes": 1 })).await;
    let accepted = client.post("/v1/nfse/emitir", &services::another("TROCADA")).await.ok(202);
    let job = job_when(&client, &accepted, |job| job["nota"]["status"].is_string()).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero_dps"]), (&"autorizada".into(), &1.into()), "{job:#}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declaration_that_the_sefin_says_it_has_is_not_absent_when_it_is_not_found() {
    let app = TestApp::start().await;
    let client = services::provider(&app).await.test;
    let hidden = json!({ "servico": "POST /nfse", "tipo": "invisible", "ms": 15_000, "vezes": 1 });
    fault(&app, hidden).await;
    // the second message is answered E0014; those after it by a code in no list
    let unlisted = json!({ "servico": "POST /nfse", "tipo": "cstat", "codigo": "E9999", "apos": 2, "vezes": 1_000 });
    fault(&app, unlisted).await;
    let accepted = client.post("/v1/nfse/emitir", &services::another("ESCONDIDA")).await.ok(202);
    let consulta = accepted["consulta"].as_str().unwrap().to_owned();
    once(&app, 60, || async {
        let asked = app.control.get("/_sim/requisicoes").await.ok(200).to_string();
        asked.matches("E0014").count() > 0 && asked.matches("GET /dps").count() > 4
    })
    .await;
    let job = async || client.get(&consulta).await.ok(200);
    let undecided = job().await;
    assert_eq!(
        (&undecided["concluido_em"], &undecided["nota"]["status"]),
        (&Value::Null, &Value::Null),
        "{undecided:#}"
    );
    app.control.delete("/_sim/falhas").await;
    once(&app, 1_200, || async { job().await["nota"]["status"].is_string() }).await;
    assert_eq!(job().await["nota"]["status"], "autorizada");
    app.finish().await;
}
