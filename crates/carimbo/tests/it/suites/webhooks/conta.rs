//! `/v1/webhooks/conta`: the account's address, its test event, and the attempts after the contract's three.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

use super::assinatura::judged;
use super::{app_and_receiver, attempted, ended_as, inside};
use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;

pub(super) const PATH: &str = "/v1/webhooks/conta";

pub(super) async fn delivered(client: &Client, query: &str, is: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let page = client.get(&format!("/v1/webhooks/entregas?{query}")).await.ok(200);
        if is(&page["entregas"][0]) {
            return page["entregas"][0].clone();
        }
        assert!(Instant::now() < deadline, "never so: {page:#}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_gets_a_signed_test_event_and_those_of_every_job() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    let before = tenant.test.get(PATH).await.ok(200);
    assert_eq!((&before["url"], &before["eventos"], &before["tentativas"]), (&Value::Null, &Value::Null, &3.into()));
    tenant.test.post(&format!("{PATH}/teste"), &json!({})).await.refused(409, "estado_invalido");
    tenant.test.put(PATH, &json!({ "url": receiver.url("/conta"), "eventos": ["nfe.*"] })).await.ok(200);
    assert_eq!(tenant.live.get(PATH).await.ok(200)["url"], Value::Null, "each environment has its own");
    let sent = tenant.test.post(&format!("{PATH}/teste"), &json!({})).await.ok(202);
    assert_eq!(
        (&sent["evento"], &sent["job_id"], &sent["conta"]),
        (&json!("webhook.teste"), &Value::Null, &json!(true))
    );
    let shown = delivered(&tenant.test, "evento=webhook.teste", |one| one["status"] == "entregue").await;
    assert_eq!((&shown["id"], &shown["historico"][0]["codigo_http"]), (&sent["id"], &200.into()));
    let heard = receiver.heard().remove(0);
    let secret = tenant.test.get("/v1/webhooks/segredo").await.ok(200)["segredo"].as_str().unwrap().to_owned();
    assert_eq!(judged(&secret, &heard, std::str::from_utf8(&heard.raw).unwrap()), "taken");
    assert!(!heard.headers.contains_key("x-service-job-id"));

    let accepted = tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    assert_eq!(accepted["webhook"], false);
    let job = ended(&tenant.test, &accepted).await;
    let told = ended_as(&tenant.test, &job, "entregue").await;
    assert_eq!((&told["evento"], &told["conta"]), (&json!("nfe.autorizada"), &json!(true)));
    assert_eq!(receiver.heard()[1].headers["x-service-job-id"], job["job_id"].as_str().unwrap());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_refuses_changes_nothing() {
    let app = TestApp::with_webhooks(inside()).await;
    let tenant = app.issuer(NUMERIC).await;
    for (body, code, field) in [
        (json!({ "url": "https://10.1.2.3/" }), "validacao", "url"),
        (json!({ "url": "http://exemplo.com.br/" }), "validacao", "url"),
        (json!({ "url": "https://[::1]/" }), "validacao", "url"),
        (json!({ "tentativas": 2 }), "validacao", "tentativas"),
        (json!({ "tentativas": 13 }), "validacao", "tentativas"),
        (json!({ "eventos": ["nfe.inventado"] }), "validacao", "eventos"),
        (json!({ "eventos": ["<script>"] }), "validacao", "eventos"),
    ] {
        let refused = tenant.test.put(PATH, &body).await.refused(422, code);
        assert_eq!(refused["erros"][0]["campo"], field, "{refused}");
    }
    for body in [json!({ "eventos": [] }), json!({ "eventos": "nfe.*" })] {
        tenant.test.put(PATH, &body).await.refused(400, "requisicao_invalida");
    }
    assert_eq!(tenant.test.get(PATH).await.ok(200)["atualizado_em"], Value::Null);
    app.anonymous().get(PATH).await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_attempts_follow_the_three_and_are_marked() {
    let (app, receiver) = app_and_receiver(&[500; 9]).await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(PATH, &json!({ "url": receiver.url("/"), "tentativas": 5 })).await.ok(200);
    let job = ended(&tenant.test, &tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)).await;
    for (attempt, wait) in [(1, 30), (2, 60), (3, 300), (4, 1_800)] {
        attempted(&tenant.test, &job, attempt).await;
        app.clock.forward(wait);
    }
    let lost = ended_as(&tenant.test, &job, "perdida").await;
    let extended: Vec<bool> =
        lost["historico"].as_array().unwrap().iter().map(|one| one["estendida"].as_bool().unwrap()).collect();
    assert_eq!(extended, [false, false, false, true, true]);
    let resent = tenant.test.post("/v1/webhooks/entregas/reenviar", &json!({})).await.ok(200);
    assert_eq!((&resent["reenviadas"], &resent["restam"]), (&1.into(), &0.into()));
    attempted(&tenant.test, &job, 6).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_near_its_end_is_reported_by_the_running_service() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(PATH, &json!({ "url": receiver.url("/"), "eventos": ["certificado.*"] })).await.ok(200);
    let certificates = tenant.test.get("/v1/empresas/certificados").await.ok(200);
    let days = certificates["certificados"][0]["dias_para_expirar"].as_i64().unwrap();
    app.clock.forward((days + 2) * 86_400);
    let shown = delivered(&tenant.test, "evento=certificado.expirado", |one| one["status"] == "entregue").await;
    assert_eq!((&shown["tentativas"], &shown["job_id"]), (&1.into(), &Value::Null));
    let heard = receiver.heard();
    assert_eq!(heard.len(), 1, "stages that passed unseen are not sent");
    let body = heard[0].json();
    assert_eq!((&body["evento"], &body["cpf_cnpj"]), (&json!("certificado.expirado"), &json!(NUMERIC)));
    app.finish().await;
}
