//! `GET /v1/webhooks/entregas`, `POST /v1/webhooks/entregas/{id}/reenviar`.

use serde_json::{Value, json};
use store::audit::{AuditAct, AuditFilter};

use super::receiver::Receiver;
use super::{app_and_receiver, attempted, ended_as, inside, issue};
use crate::support::app::TestApp;
use crate::support::body::NUMERIC;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_three_failures_it_is_lost_on_record_and_can_be_sent_again_by_hand() {
    let (app, receiver) = app_and_receiver(&[500, 500, 500]).await;
    receiver.say("caiu\nfeio", "");
    let tenant = app.issuer(NUMERIC).await;
    let job = issue(&tenant.test, &receiver.url("/?token=do-cliente")).await;
    let waiting = attempted(&tenant.test, &job, 1).await;
    let resend = format!("/v1/webhooks/entregas/{}/reenviar", waiting["id"].as_str().unwrap());
    tenant.test.post(&resend, &json!({})).await.refused(409, "estado_invalido");
    app.clock.forward(30);
    attempted(&tenant.test, &job, 2).await;
    app.clock.forward(60);
    let lost = ended_as(&tenant.test, &job, "perdida").await;
    assert_eq!((&lost["tentativas"], &lost["proxima_tentativa_em"]), (&3.into(), &Value::Null));
    assert!(lost["concluido_em"].is_string(), "{lost}");
    let third = &lost["historico"][2];
    assert_eq!(
        (&third["tentativa"], &third["codigo_http"], &third["resposta"]),
        (&3.into(), &500.into(), &"caiu feio".into())
    );
    assert_eq!(third["erro"], "O destino respondeu HTTP 500; só 2xx confirma a entrega.");
    let log = tenant.test.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("tentativa 3:") && log.contains("Entrega perdida") && !log.contains("do-cliente"), "{log}");

    let accepted = tenant.test.post(&resend, &json!({})).await.ok(202);
    assert_eq!((&accepted["status"], &accepted["id"]), (&"pendente".into(), &lost["id"]));
    let taken = ended_as(&tenant.test, &job, "entregue").await;
    assert_eq!((&taken["tentativas"], taken["historico"].as_array().unwrap().len()), (&4.into(), 4));
    let heard = receiver.heard();
    assert_eq!(heard[3].headers["x-service-tentativa"], "4");
    assert_eq!(heard[3].json()["id"], heard[0].json()["id"], "the same event");
    let resent = AuditFilter { act: Some(AuditAct::EntregaReenviada), ..AuditFilter::default() };
    let (trail, _) = app.store.audit_trail(tenant.id, resent, 10, 0).await.unwrap();
    assert_eq!(trail.iter().map(|entry| entry.alvo.as_str()).collect::<Vec<_>>(), [lost["id"].as_str().unwrap()]);
    // a receiver may have lost an accepted delivery
    tenant.test.post(&resend, &json!({})).await.ok(202);
    attempted(&tenant.test, &job, 5).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_and_filters() {
    let (app, receiver) = app_and_receiver(&[500]).await;
    let tenant = app.issuer(NUMERIC).await;
    let first = issue(&tenant.test, &receiver.url("/")).await;
    attempted(&tenant.test, &first, 1).await;
    let second = issue(&tenant.test, &receiver.url("/")).await;
    ended_as(&tenant.test, &second, "entregue").await;
    let list = async |query: &str| tenant.test.get(&format!("/v1/webhooks/entregas{query}")).await.ok(200);
    let all = list("").await;
    assert_eq!((&all["total"], &all["pagina"], &all["limite"]), (&2.into(), &1.into(), &20.into()));
    assert_eq!(all["entregas"][0]["job_id"], second["job_id"], "newest first");
    for (query, total) in [
        ("?status=pendente", 1),
        ("?status=entregue", 1),
        ("?status=perdida", 0),
        ("?evento=nfe.autorizada", 2),
        ("?evento=nfe.rejeitada", 0),
        ("?status=entregue&evento=nfe.autorizada&outro=1", 1),
    ] {
        assert_eq!(list(query).await["total"], total, "{query}");
    }
    let page = list("?limite=1&pagina=2").await;
    assert_eq!((&page["entregas"][0]["job_id"], &page["total"]), (&first["job_id"], &2.into()));
    assert_eq!(list("?limite=1&pagina=3").await["entregas"], json!([]));
    for (query, field) in [
        ("?status=talvez", "status"),
        ("?evento=autorizada", "evento"),
        ("?evento=xyz.autorizada", "evento"),
        ("?job_id=7", "job_id"),
        ("?limite=101", "limite"),
        ("?pagina=0", "pagina"),
    ] {
        let error = tenant.test.get(&format!("/v1/webhooks/entregas{query}")).await.refused(400, "requisicao_invalida");
        assert_eq!(error["erros"][0]["campo"], field, "{query}");
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tenants_see_nothing_of_each_other() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let (one, other) = (app.issuer(NUMERIC).await, app.issuer(NUMERIC).await);
    let job = issue(&one.test, &receiver.url("/")).await;
    let delivery = ended_as(&one.test, &job, "entregue").await;
    let by_job = format!("/v1/webhooks/entregas?job_id={}", job["job_id"].as_str().unwrap());
    for path in ["/v1/webhooks/entregas", &by_job] {
        assert_eq!(other.test.get(path).await.ok(200)["total"], 0, "{path}");
    }
    let resend = format!("/v1/webhooks/entregas/{}/reenviar", delivery["id"].as_str().unwrap());
    let stranger = other.test.post(&resend, &json!({})).await.refused(404, "nao_encontrado");
    let nobody =
        other.test.post("/v1/webhooks/entregas/nada/reenviar", &json!({})).await.refused(404, "nao_encontrado");
    assert_eq!(stranger["mensagem"], nobody["mensagem"]);
    let secret = async |client: &crate::support::client::Client| {
        client.get("/v1/webhooks/segredo").await.ok(200)["segredo"].clone()
    };
    assert_ne!(secret(&one.test).await, secret(&other.test).await);
    app.anonymous().get("/v1/webhooks/entregas").await.refused(401, "nao_autenticado");
    app.anonymous().post(&resend, &json!({})).await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deliveries_are_counted() {
    let app = TestApp::with_webhooks(inside()).await;
    let receiver = Receiver::https(&[500]).await;
    let tenant = app.issuer(NUMERIC).await;
    let job = issue(&tenant.test, &receiver.url("/")).await;
    attempted(&tenant.test, &job, 1).await;
    let metrics = crate::support::client::Client::new(&app.metrics_url).get("").await.text();
    for name in
        ["carimbo_webhooks_total{result=\"nova_tentativa\"}", "carimbo_webhook_seconds", "carimbo_webhooks_pending"]
    {
        assert!(metrics.contains(name), "{name}\n{metrics}");
    }
    let status = app.anonymous().get("/status").await.ok(200);
    let part = &status["componentes"]["webhooks"];
    assert_eq!((&part["status"], &part["pendentes"], &part["essencial"]), (&"ok".into(), &1.into(), &false.into()));
    app.finish().await;
}
