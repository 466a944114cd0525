//! `PUT /v1/empresas/{cpf_cnpj}/nfe`.

use serde_json::json;

use crate::app::{TestApp, issued};
use crate::body::{self, NUMERIC};

#[tokio::test]
async fn series_and_next_number_are_used_by_the_next_note() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    let made = client.put(&path, &json!({ "serie": "7", "proximo_numero": 500 })).await.ok(200);
    assert_eq!((&made["ambiente"], &made["serie"], &made["proximo_numero"]), (&2.into(), &"7".into(), &500.into()));
    let job = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!((&job["nota"]["serie"], &job["nota"]["numero"]), (&"7".into(), &500.into()), "{job}");
    app.finish().await;
}

#[tokio::test]
async fn wrong_values_are_refused_all_at_once() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    let wrong = json!({ "ambiente": 5, "crt": "x", "serie": "1000", "proximo_numero": 0 });
    let error = client.put(&path, &wrong).await.refused(422, "validacao");
    assert_eq!(error["erros"].as_array().unwrap().len(), 4);
    client.put(&path, &json!({ "serie": [] })).await.refused(400, "requisicao_invalida");
    app.finish().await;
}
