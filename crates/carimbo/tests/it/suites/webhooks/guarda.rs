//! Allowed targets of `webhook_url`: checked at acceptance as far as the text shows, and again at every delivery.

use std::sync::Arc;

use outbound::AddressPolicy;
use serde_json::{Value, json};
use server::WebhookSettings;

use super::receiver::Receiver;
use super::{Names, attempted, ended_as, inside, issue};
use crate::support::app::TestApp;
use crate::support::body::{self, NUMERIC};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_a_public_https_address_is_refused_with_the_request() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let mut cancellation = json!({
        "cpf_cnpj": NUMERIC, "job_id": uuid::Uuid::now_v7(), "justificativa": "Venda desfeita a pedido do cliente"
    });
    for url in [
        "http://exemplo.com.br/",
        "https://u:s@exemplo.com.br/",
        "https://exemplo.com.br/#x",
        "https://exemplo.com.br:22/",
        "https://127.0.0.1/",
        "https://10.1.2.3/",
        "https://172.16.0.1/",
        "https://192.168.0.1/",
        "https://100.64.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://0.0.0.0/",
        "https://224.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://[::1]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://[2001:0:1::]/",
        "https://localhost/",
        "https://metadata.google.internal/",
        "http://127.0.0.1:9/",
        "nada",
        &format!("https://exemplo.com.br/{}", "x".repeat(2048)),
    ] {
        let mut emission = body::emission(NUMERIC);
        for (path, request) in [("/v1/nfe/emitir", &mut emission), ("/v1/nfe/cancelar", &mut cancellation)] {
            request["webhook_url"] = Value::from(url);
            let error = tenant.test.post(path, request).await.refused(422, "validacao");
            assert_eq!(error["erros"][0]["campo"], "webhook_url", "{url}");
            assert!(error["mensagem"].as_str().unwrap().starts_with("webhook_url "), "{error}");
        }
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_leads_inside_is_not_called() {
    let receiver = Receiver::https(&[]).await;
    for (address, why) in
        [("127.0.0.1", "loopback"), ("169.254.169.254", "metadados"), ("::ffff:10.0.0.1", "rede privada")]
    {
        let names = Names(vec!["8.8.8.8".parse().unwrap(), address.parse().unwrap()]);
        let webhooks = WebhookSettings { reach: AddressPolicy::public(), resolver: Arc::new(names), ..inside() };
        let app = TestApp::with_webhooks(webhooks).await;
        let tenant = app.issuer(NUMERIC).await;
        let job = issue(&tenant.test, &format!("https://erp.exemplo.com.br:{}/x", receiver.port())).await;
        let delivery = attempted(&tenant.test, &job, 1).await;
        let attempt = &delivery["historico"][0];
        assert_eq!((&delivery["status"], &attempt["codigo_http"]), (&"pendente".into(), &Value::Null));
        assert!(attempt["erro"].as_str().unwrap().contains(why), "{attempt}");
        app.finish().await;
    }
    assert!(receiver.heard().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_a_failure_and_is_not_followed() {
    let app = TestApp::with_webhooks(inside()).await;
    let (elsewhere, receiver) = (Receiver::https(&[]).await, Receiver::https(&[307]).await);
    receiver.say("", &elsewhere.url("/"));
    let tenant = app.issuer(NUMERIC).await;
    let job = issue(&tenant.test, &receiver.url("/")).await;
    let delivery = attempted(&tenant.test, &job, 1).await;
    assert_eq!(delivery["historico"][0]["erro"], "O destino respondeu HTTP 307; redirecionamentos não são seguidos.");
    assert!(elsewhere.heard().is_empty());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_not_trusted_is_not_told() {
    let app = TestApp::with_webhooks(WebhookSettings { extra_anchors_pem: None, ..inside() }).await;
    let receiver = Receiver::https(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    let job = issue(&tenant.test, &receiver.url("/")).await;
    let delivery = attempted(&tenant.test, &job, 1).await;
    assert!(delivery["historico"][0]["erro"].as_str().unwrap().contains("não confiável"), "{delivery}");
    assert!(receiver.heard().is_empty());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn development_may_be_told_by_http_on_this_machine() {
    let webhooks = WebhookSettings { reach: AddressPolicy::public().with_plain_loopback(true), ..inside() };
    let app = TestApp::with_webhooks(webhooks).await;
    let receiver = Receiver::http(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    let job = issue(&tenant.test, &receiver.url("/")).await;
    ended_as(&tenant.test, &job, "entregue").await;
    assert_eq!(receiver.heard().len(), 1);
    app.finish().await;
}
