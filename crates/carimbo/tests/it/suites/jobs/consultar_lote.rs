//! `POST /v1/jobs/consultar-lote`.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};

#[tokio::test]
async fn jobs_come_in_the_order_asked_for_and_the_rest_is_named() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let foreign = issued(&client, &body::emission(NUMERIC)).await;
    let tenant = app.issuer("11444777000161").await.test;
    let one = issued(&tenant, &body::emission("11444777000161")).await;
    let two = issued(&tenant, &body::emission("11444777000161")).await;
    let absent = Uuid::now_v7().to_string();
    let ids = json!([two["job_id"], absent, "não é um uuid", one["job_id"], two["job_id"], foreign["job_id"], absent]);
    let found = tenant.post("/v1/jobs/consultar-lote", &json!({ "job_ids": ids })).await.ok(200);
    assert_eq!(found["jobs"], json!([two, one]));
    assert_eq!(found["nao_encontrados"], json!([absent, "não é um uuid", foreign["job_id"]]));
    let none = tenant.post("/v1/jobs/consultar-lote", &json!({ "job_ids": [] })).await.ok(200);
    assert_eq!(none, json!({ "jobs": [], "nao_encontrados": [] }));
    app.finish().await;
}

#[tokio::test]
async fn two_hundred_are_taken_and_not_one_more() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let ids = |count: usize| json!({ "job_ids": vec![Uuid::nil().to_string(); count] });
    let most = client.post("/v1/jobs/consultar-lote", &ids(200)).await.ok(200);
    assert_eq!(most["nao_encontrados"], json!([Uuid::nil()]));
    let refused = client.post("/v1/jobs/consultar-lote", &ids(201)).await.refused(400, "lote_excedido");
    assert_eq!(refused["erros"][0]["campo"], "job_ids");
    for (body, codigo, campo) in [
        (json!({}), "campo_obrigatorio", "job_ids"),
        (json!({ "job_ids": null }), "campo_obrigatorio", "job_ids"),
        (json!({ "job_ids": "um" }), "requisicao_invalida", "job_ids"),
        (json!({ "job_ids": ["a", 7] }), "requisicao_invalida", "job_ids[1]"),
    ] {
        let refused: Value = client.post("/v1/jobs/consultar-lote", &body).await.refused(400, codigo);
        assert_eq!(refused["erros"][0]["campo"], campo, "{refused}");
    }
    app.anonymous().post("/v1/jobs/consultar-lote", &ids(1)).await.refused(401, "nao_autenticado");
    app.finish().await;
}
