//! `POST /v1/nfe/ator-interessado`.

use serde_json::json;

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::judge;

const PATH: &str = "/v1/nfe/ator-interessado";
const CARRIER: &str = "33.000.167/0001-01";

#[tokio::test]
async fn a_carrier_may_fetch_the_note_once_the_event_is_registered() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    let request =
        json!({ "cpf_cnpj": NUMERIC, "chave": note["nota"]["chave"], "ator": CARRIER, "permite_subcontratacao": true });
    let accepted = client.post(PATH, &request).await.ok(202);
    assert_eq!(accepted["operacao"], json!("ator_interessado"));
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["status"], &job["evento_fiscal"]["codigo_status"]), (&json!("completed"), &json!(135)), "{job}");
    let file = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    judge::accepts_proc_evento(&file.text(), &app.ca_file());
    assert!(file.text().contains("<CNPJ>33000167000101</CNPJ>"));
    // the same carrier again is the authority's to refuse
    let job = ended(&client, &client.post(PATH, &request).await.ok(202)).await;
    assert_eq!((&job["status"], &job["evento_fiscal"]["codigo_status"]), (&json!("completed"), &json!(423)), "{job}");
    assert!(job["arquivos"]["xml"].is_null(), "{job}");
    app.finish().await;
}

#[tokio::test]
async fn the_request_is_checked_whole() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let missing = client.post(PATH, &json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!(missing["erros"].as_array().unwrap().len(), 3);
    let id = uuid::Uuid::now_v7();
    let wrong = json!({ "cpf_cnpj": NUMERIC, "job_id": id, "ator": "33000167000102" });
    assert_eq!(client.post(PATH, &wrong).await.refused(422, "validacao")["erros"][0]["campo"], "ator");
    let wrong = json!({ "cpf_cnpj": NUMERIC, "job_id": id, "ator": CARRIER, "permite_subcontratacao": "sim" });
    client.post(PATH, &wrong).await.refused(400, "requisicao_invalida");
    let unknown = json!({ "cpf_cnpj": NUMERIC, "job_id": id, "ator": CARRIER });
    client.post(PATH, &unknown).await.refused(404, "nao_encontrado");
    app.finish().await;
}
