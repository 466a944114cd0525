//! `GET /v1/jobs/localizar`.

use serde_json::{Value, json};

use super::without_certificate;
use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};

#[tokio::test]
async fn a_reference_is_found_exactly_or_not_at_all() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("PED1001");
    let job = issued(&client, &body).await;
    let found = client.get("/v1/jobs/localizar?ref=PED1001").await.ok(200);
    assert_eq!((&found["encontrado"], &found["jobs"]), (&true.into(), &json!([job])));
    for absent in ["PED100", "PED10011", "ped1001"] {
        let none = client.get(&format!("/v1/jobs/localizar?ref={absent}")).await.refused(404, "nao_encontrado");
        assert_eq!(none["encontrado"], false);
    }
    let stranger = app.tenant().await.test;
    let none = stranger.get("/v1/jobs/localizar?ref=PED1001").await.refused(404, "nao_encontrado");
    assert_eq!(none["encontrado"], false);
    client.get("/v1/jobs/localizar?ref=PED-1001").await.refused(400, "referencia_invalida");
    client.get(&format!("/v1/jobs/localizar?ref={}", "A".repeat(121))).await.refused(400, "referencia_invalida");
    app.anonymous().get("/v1/jobs/localizar?ref=PED1001").await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn a_sale_is_found_by_who_whom_how_much_and_when() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    // a job that failed before it had a document is found too
    without_certificate(&app, &tenant, ALPHANUMERIC).await;
    let client = tenant.test;
    let one = issued(&client, &body::emission(NUMERIC)).await;
    let two = issued(&client, &body::emission(ALPHANUMERIC)).await;
    assert_eq!(two["status"], "failed");
    let today = &one["criado_em"].as_str().unwrap()[..10];
    for (query, expected) in [
        (format!("emitente={NUMERIC}"), vec![&one]),
        ("emitente=12.ABC.345/01DE-35".to_owned(), vec![&two]),
        ("destinatario=529.982.247-25".to_owned(), vec![&two, &one]),
        ("valor=100".to_owned(), vec![&two, &one]),
        (format!("valor=100.00&emitente={NUMERIC}&destinatario=52998224725&de={today}&ate={today}"), vec![&one]),
        ("destinatario=52998224725&limite=1&pagina=2".to_owned(), vec![&one]),
    ] {
        let found = client.get(&format!("/v1/jobs/localizar?{query}")).await.ok(200);
        assert_eq!(found["encontrado"], true);
        assert_eq!(found["jobs"], json!(expected), "{query}");
    }
    let first = client.get("/v1/jobs/localizar?valor=100.0&limite=1").await.ok(200);
    assert_eq!((&first["ha_mais"], &first["pagina"], &first["limite"]), (&true.into(), &1.into(), &1.into()));
    assert_eq!(client.get("/v1/jobs/localizar?valor=100").await.ok(200)["ha_mais"], false);
    for absent in ["valor=100.01", "valor=1000", "destinatario=11144477735", "valor=100&de=2020-01-01&ate=2020-01-31"] {
        let none = client.get(&format!("/v1/jobs/localizar?{absent}")).await.refused(404, "nao_encontrado");
        assert_eq!(none["encontrado"], false, "{absent}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_job_is_found_as_soon_as_it_is_registered() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let found = client.get("/v1/jobs/localizar?valor=100&destinatario=52998224725").await.ok(200);
    assert_eq!(found["jobs"][0]["job_id"], accepted["job_id"]);
    let _: Value = ended(&client, &accepted).await;
    app.finish().await;
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.get("/v1/jobs/localizar").await.refused(400, "campo_obrigatorio");
    client.get("/v1/jobs/localizar?de=2026-01-01").await.refused(400, "campo_obrigatorio");
    for wrong in ["valor=1,50", "valor=1.001", "valor=-1", "valor=x", "emitente=1", "destinatario=1"] {
        let refused = client.get(&format!("/v1/jobs/localizar?{wrong}")).await.refused(400, "requisicao_invalida");
        assert_eq!(refused["erros"][0]["campo"], wrong.split('=').next().unwrap());
    }
    client.get("/v1/jobs/localizar?valor=1&limite=101").await.refused(400, "requisicao_invalida");
    let long = "/v1/jobs/localizar?valor=1&de=2026-01-01&ate=2026-04-02";
    client.get(long).await.refused(400, "periodo_excedido");
    app.finish().await;
}
