//! Events of the account that no job causes, as real deliveries to a real receiver, verified by the public package.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::assinatura::judged;
use super::conta::{PATH, delivered};
use super::receiver::{Heard, Receiver};
use super::{app_and_receiver, inside};
use crate::support::app::{Tenant, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::received::chave;

/// A sequence is looked at once an hour.
const AN_HOUR_S: i64 = 3_700;
const DAY_S: i64 = 86_400;

async fn listen(tenant: &Tenant, receiver: &Receiver, eventos: &[&str]) {
    tenant.test.put(PATH, &json!({ "url": receiver.url("/conta"), "eventos": eventos })).await.ok(200);
}

/// The one request that the receiver got, if its signature is the account's and its id the delivery's.
async fn verified(tenant: &Tenant, receiver: &Receiver, delivery: &Value) -> Value {
    let [heard]: [Heard; 1] = receiver.heard().try_into().unwrap();
    let secret = tenant.test.get("/v1/webhooks/segredo").await.ok(200)["segredo"].as_str().unwrap().to_owned();
    assert_eq!(judged(&secret, &heard, std::str::from_utf8(&heard.raw).unwrap()), "taken");
    assert!(!heard.headers.contains_key("x-service-job-id") && heard.path == "/conta");
    let body = heard.json();
    assert_eq!((&body["id"], &body["evento"], &body["tentativa"]), (&delivery["id"], &delivery["evento"], &1.into()));
    assert_eq!((&delivery["conta"], &delivery["job_id"]), (&true.into(), &Value::Null));
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gap_in_the_numbers_is_delivered_once() {
    let (app, receiver) = app_and_receiver(&[]).await;
    // the verifier has the machine's clock, which is that of the first event
    app.forward(-AN_HOUR_S).await;
    let tenant = app.issuer(NUMERIC).await;
    listen(&tenant, &receiver, &["numeracao.lacuna"]).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    let mut ahead = body::emission(NUMERIC);
    ahead["nota"]["identificacao"]["nNF"] = json!(9);
    issued(&tenant.test, &ahead).await;
    app.forward(AN_HOUR_S).await;
    let shown = delivered(&tenant.test, "evento=numeracao.lacuna", |one| one["status"] == "entregue").await;
    let body = verified(&tenant, &receiver, &shown).await;
    assert_eq!((&body["cpf_cnpj"], &body["ambiente"]), (&json!(NUMERIC), &json!("homologacao")));
    let expected = json!({ "cpf_cnpj": NUMERIC, "modelo": 55, "serie": "1", "numero_inicial": 2, "numero_final": 8,
        "quantidade": 7 });
    assert_eq!(body["dados"], expected);

    // the next check finds the gap again and another one, and reports that alone
    let mut further = body::emission(NUMERIC);
    further["nota"]["identificacao"]["nNF"] = json!(12);
    issued(&tenant.test, &further).await;
    app.forward(AN_HOUR_S).await;
    delivered(&tenant.test, "evento=numeracao.lacuna&status=entregue", |one| one["id"] != shown["id"]).await;
    let gaps: Vec<Value> =
        receiver.heard().iter().map(|heard| heard.json()["dados"]["numero_inicial"].clone()).collect();
    assert_eq!(gaps, [2, 10]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_of_another_issuer_is_delivered_once() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let (issuer, recipient) = (app.issuer(NUMERIC).await, app.issuer(ALPHANUMERIC).await);
    listen(&recipient, &receiver, &["recebida.*"]).await;
    let mut emission = body::emission(NUMERIC);
    emission["nota"]["destinatario"]["CNPJCPF"] = json!(ALPHANUMERIC);
    let chave = chave(&issued(&issuer.test, &emission).await["nota"]);
    let point = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": chave });
    recipient.test.post("/v1/nfe/recebidas/sincronizar", &point).await.ok(200);
    let shown = delivered(&recipient.test, "evento=recebida.nova", |one| one["status"] == "entregue").await;
    let body = verified(&recipient, &receiver, &shown).await;
    let dados = &body["dados"];
    assert_eq!((&body["cpf_cnpj"], &dados["chave"]), (&json!(ALPHANUMERIC), &json!(chave)));
    assert_eq!((&dados["tipo"], &dados["emitente"]), (&json!("nfe"), &json!(NUMERIC)));
    assert_eq!(issuer.test.get("/v1/webhooks/entregas").await.ok(200)["total"], 0, "another account's");
    app.finish().await;
}

/// The days of all events, once there are so many.
async fn until_heard(receiver: &Receiver, count: usize) -> Vec<Value> {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let heard: Vec<Value> = receiver.heard().iter().map(|heard| heard.json()["dados"]["dias"].clone()).collect();
        if heard.len() >= count {
            return heard;
        }
        assert!(Instant::now() < deadline, "{heard:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_report_a_certificate_once_at_each_stage() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let second = app.second_node(inside()).await;
    let tenant = app.issuer(NUMERIC).await;
    listen(&tenant, &receiver, &["certificado.*"]).await;
    let certificates = tenant.test.get("/v1/empresas/certificados").await.ok(200);
    let until = certificates["certificados"][0]["valido_ate"].as_str().unwrap();
    let left = until.parse::<jiff::Timestamp>().unwrap().as_second() - jiff::Timestamp::now().as_second();
    let (mut at, mut passed) = (0, Vec::new());
    for (before, stage) in [(30, json!(30)), (15, json!(15)), (7, json!(7)), (1, json!(1)), (0, Value::Null)] {
        // an hour after the stage has begun
        let target = left - before * DAY_S + AN_HOUR_S;
        app.clock.forward(target - at);
        (at, passed) = (target, [passed, vec![stage]].concat());
        assert_eq!(until_heard(&receiver, passed.len()).await, passed);
    }
    // each node has looked once more
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(until_heard(&receiver, passed.len()).await, passed);
    assert_eq!(tenant.test.get("/v1/webhooks/entregas").await.ok(200)["total"], passed.len());
    second.stop(Duration::from_secs(60)).await;
    app.finish().await;
}
