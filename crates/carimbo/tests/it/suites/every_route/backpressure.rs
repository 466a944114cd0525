//! Backpressure: jobs that would only pile up are refused before they are accepted.

use engine::acceptance::backlog::BacklogLimits;
use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Answer;

/// Starts a service without workers.
async fn without_workers(in_all: u64, per_tenant: u64) -> TestApp {
    TestApp::start_with(|parts| (parts.worker, parts.backlog) = (None, BacklogLimits { in_all, per_tenant })).await
}

fn emission(cpf_cnpj: &str, referencia: &str) -> Value {
    let mut body = body::emission(cpf_cnpj);
    body["referencia_externa"] = json!(referencia);
    body
}

async fn emit(tenant: &Tenant, cpf_cnpj: &str, referencia: &str) -> Answer {
    tenant.test.post("/v1/nfe/emitir", &emission(cpf_cnpj, referencia)).await
}

#[tokio::test]
async fn a_full_queue_takes_no_more_and_forgets_nothing() {
    let mut app = without_workers(100, 4).await;
    let tenant = app.issuer(NUMERIC).await;
    let first = emit(&tenant, NUMERIC, "A1").await.ok(202);
    for referencia in ["A2", "A3", "A4"] {
        emit(&tenant, NUMERIC, referencia).await.ok(202);
    }
    let used = tenant.test.get("/v1/cotas").await.ok(200);
    let refused = emit(&tenant, NUMERIC, "A5").await;
    assert_eq!(refused.header("retry-after"), "30");
    refused.refused(503, "fila_cheia");
    // nothing of it stays: no job, no quota
    tenant.test.get("/v1/jobs/localizar?ref=A5").await.refused(404, "nao_encontrado");
    assert_eq!(tenant.test.get("/v1/cotas").await.ok(200), used);
    // a job accepted before is answered as always
    let replay = emit(&tenant, NUMERIC, "A1").await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&first["job_id"], &json!(true)));
    tenant.test.get(first["consulta"].as_str().unwrap()).await.ok(200);
    // a preparation accepts no job; a confirmation does
    let prepared = tenant.test.post("/v1/nfe/preparar", &emission(NUMERIC, "A6")).await.ok(200);
    let confirm = json!({ "token_confirmacao": prepared["token_confirmacao"] });
    tenant.test.post("/v1/nfe/confirmar", &confirm).await.refused(503, "fila_cheia");
    let status = app.anonymous().get("/status").await.json();
    assert_eq!(status["componentes"]["fila"]["pendentes"], 4);
    assert!(status["componentes"]["fila"]["espera_mais_longa_s"].is_u64());
    // other tenants are not delayed
    let other = app.issuer(ALPHANUMERIC).await;
    emit(&other, ALPHANUMERIC, "B1").await.ok(202);
    app.stop().await;
}

#[tokio::test]
async fn the_bound_holds_for_all_accounts_together() {
    let mut app = without_workers(2, 0).await;
    let (one, two) = (app.issuer(NUMERIC).await, app.issuer(ALPHANUMERIC).await);
    emit(&one, NUMERIC, "A1").await.ok(202);
    emit(&two, ALPHANUMERIC, "B1").await.ok(202);
    emit(&one, NUMERIC, "A2").await.refused(503, "fila_cheia");
    emit(&two, ALPHANUMERIC, "B2").await.refused(503, "fila_cheia");
    app.stop().await;
}

#[tokio::test]
async fn whoever_is_carried_makes_room() {
    let app = TestApp::start_with(|parts| parts.backlog = BacklogLimits { in_all: 3, per_tenant: 3 }).await;
    let tenant = app.issuer(NUMERIC).await;
    // more jobs than fit at once, one after the other: each processed job makes room
    for number in 0..6 {
        let accepted = loop {
            let answer = emit(&tenant, NUMERIC, &format!("C{number}")).await;
            if answer.status == 202 {
                break answer.json();
            }
            answer.refused(503, "fila_cheia");
        };
        crate::support::app::ended(&tenant.test, &accepted).await;
    }
    app.finish().await;
}
