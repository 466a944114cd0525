//! `GET /status`, and `/metrics` on its own listener.

use std::time::{Duration, Instant};

use http::Method;
use serde_json::json;

use crate::app::{TestApp, ended, issued};
use crate::body::{self, NUMERIC};
use crate::client::Client;

#[tokio::test]
async fn tells_of_every_part_and_of_the_authorities_spoken_to() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let status = app.anonymous().get("/status").await.ok(200);
    assert_eq!(status["status"], "operacional", "{status}");
    let parts = &status["componentes"];
    for part in ["banco_de_dados", "fila", "ponte_fiscal", "trabalhadores", "webhooks"] {
        assert_eq!(parts[part]["status"], "ok", "{status}");
    }
    let authority = &parts["ponte_fiscal"]["autoridades"][0];
    assert_eq!((&authority["autoridade"], &authority["ambiente"]), (&"SP".into(), &"homologacao".into()));
    app.finish().await;
}

#[tokio::test]
async fn answers_503_when_the_database_is_gone_while_health_stays_200() {
    let mut app = TestApp::start().await;
    let tenant = app.tenant().await;
    app.store.close().await;
    let answer = app.anonymous().get("/status").await;
    assert_eq!(answer.header("retry-after"), "10");
    let status = answer.ok(503);
    assert_eq!(status["status"], "fora_do_ar");
    assert_eq!(status["componentes"]["banco_de_dados"]["status"], "fora");
    app.anonymous().get("/health").await.ok(200);
    let refused = tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await;
    assert_eq!(refused.header("retry-after"), "5");
    refused.refused(503, "indisponivel");
    app.stop().await;
}

#[tokio::test]
async fn an_authority_that_does_not_answer_degrades_but_is_not_essential() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let fault = json!({ "tipo": "reset_before", "vezes": 1000 });
    assert!(app.control.post("/_sim/falhas", &fault).await.status.is_success());
    let accepted = tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let deadline = Instant::now() + Duration::from_secs(30);
    let status = loop {
        let status = app.anonymous().get("/status").await.ok(200);
        if status["status"] == "degradado" {
            break status;
        }
        assert!(Instant::now() < deadline, "{status}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let cleared = app.control.send(Method::DELETE, "/_sim/falhas", &[], "".into()).await;
    assert!(cleared.status.is_success(), "{}", cleared.text());
    let authority = &status["componentes"]["ponte_fiscal"]["autoridades"][0];
    assert_eq!(authority["status"], "sem_resposta", "{status}");
    assert_eq!(ended(&tenant.test, &accepted).await["nota"]["status"], "autorizada");
    app.finish().await;
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_show_the_queue() {
    let app = TestApp::start().await;
    app.anonymous().get("/health").await.ok(200);
    let metrics = Client::new(app.metrics_url.trim_end_matches("/metrics")).get("/metrics").await;
    assert_eq!(metrics.status, 200);
    let text = metrics.text();
    assert!(text.contains("carimbo_http_requests_total{method=\"GET\",route=\"/health\",status=\"200\"}"), "{text}");
    assert!(text.contains("carimbo_http_request_seconds_bucket{route=\"/health\",le=\"0.5\"}"), "{text}");
    assert!(text.contains("carimbo_queue_pending 0"), "{text}");
    assert_eq!(app.anonymous().get("/metrics").await.status, 404);
    app.finish().await;
}

#[tokio::test]
async fn metrics_count_documents_by_what_became_of_them() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let mut refused = body::emission(NUMERIC);
    refused["nota"]["produtos"][0]["xProd"] = json!("[SIM:cStat=778]");
    issued(&tenant.test, &refused).await;
    let text = metrics(&app).await;
    for labels in ["resultado=\"autorizada\",classe=\"autorizado\"", "resultado=\"rejeitada\",classe=\"regra\""] {
        let row = format!("carimbo_documents_total{{tipo=\"nfe\",ambiente=\"homologacao\",{labels}}}");
        assert!(text.contains(&row), "{row}\n{text}");
    }
    app.finish().await;
}

async fn metrics(app: &TestApp) -> String {
    let answer = Client::new(app.metrics_url.trim_end_matches("/metrics")).get("/metrics").await;
    assert_eq!(answer.status, 200);
    answer.text()
}
