//! A company that is reconfigured, or removed, while the outcome of an RPS is unknown: the job waits, names the reason,
//! and ends once the query is possible again.

use serde_json::{Value, json};

use super::{NUMERIC, Tenant, TestApp, fault, job_when, notes};
use crate::support::municipal_services::{ROUTE, configuration, provider, service};

/// Issues a note that the city hall makes without answering.
async fn doubted(app: &TestApp, tenant: &Tenant, referencia: &str) -> Value {
    fault(app, "reset_after", "RecepcionarLoteRpsSincrono").await;
    let silent = json!({ "tipo": "reset_before", "servico": "ConsultarNfsePorRps", "vezes": 1_000 });
    app.control.post("/_sim/falhas", &silent).await.ok(201);
    let accepted = tenant.test.post(ROUTE, &service(referencia)).await.ok(202);
    job_when(&tenant.test, &accepted, |job| job["erro_detalhe"]["codigo"] == "sem_resposta").await
}

/// Forwards the clock and waits until the job waits for this reason; its message must name it.
async fn waits(app: &TestApp, tenant: &Tenant, job: &Value, why: &str) {
    app.forward(600).await;
    let is = |job: &Value| job["erro_detalhe"]["codigo"] == "autoridade_sem_endereco";
    let job = job_when(&tenant.test, job, is).await;
    assert_ne!(job["nota"]["status"], "autorizada", "undecided: {job:#}");
    let mensagem = job["mensagem"].as_str().unwrap();
    assert!(mensagem.contains("não a emita de novo") && mensagem.contains(why), "{mensagem}");
}

async fn ends(app: &TestApp, tenant: &Tenant, job: &Value) {
    let job = job_when(&tenant.test, job, |job| job["status"] == "completed").await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero_dps"]), (&json!("autorizada"), &json!(1)), "{job:#}");
    assert_eq!(notes(app).await, 1);
}

#[tokio::test]
async fn one_that_is_configured_otherwise_goes_on_as_soon_as_it_is_as_before() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = doubted(&app, &tenant, "D1").await;
    tenant.test.put(&configuration(), &json!({ "provedor": "abrasf" })).await.ok(200);
    waits(&app, &tenant, &job, "versao").await;
    app.control.delete("/_sim/falhas").await;
    // without a forwarded clock: the configuration itself retries the job
    tenant.test.put(&configuration(), &json!({ "provedor": "govdigital" })).await.ok(200);
    ends(&app, &tenant, &job).await;
    app.finish().await;
}

#[tokio::test]
async fn one_that_is_removed_goes_on_once_it_is_back() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = doubted(&app, &tenant, "D2").await;
    let removed = tenant.test.delete(&format!("/v1/empresas/{NUMERIC}")).await;
    assert!(removed.status.is_success(), "{}", removed.text());
    waits(&app, &tenant, &job, "foi removida").await;
    app.control.delete("/_sim/falhas").await;
    app.company(&tenant, NUMERIC).await;
    crate::support::municipal_services::configure(&tenant).await;
    ends(&app, &tenant, &job).await;
    app.finish().await;
}
