//! `POST /v1/nfe/cancelar`.

use serde_json::json;

use crate::app::{TestApp, ended, issued};
use crate::body::{self, ALPHANUMERIC, NUMERIC};
use crate::judge;

const WHY: &str = "Venda desfeita a pedido do cliente";

#[tokio::test]
async fn an_authorised_note_is_cancelled_by_job_or_by_key() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for by in ["job_id", "chave"] {
        let issued = issued(&client, &body::emission(NUMERIC)).await;
        let target = if by == "chave" { &issued["nota"]["chave"] } else { &issued["job_id"] };
        let request = json!({ "cpf_cnpj": NUMERIC, by: target, "justificativa": WHY });
        let accepted = client.post("/v1/nfe/cancelar", &request).await.ok(202);
        assert_eq!((&accepted["status"], &accepted["operacao"]), (&"pending".into(), &"cancelamento".into()));
        let job = ended(&client, &accepted).await;
        assert_eq!((&job["status"], &job["nota"]["status"]), (&"completed".into(), &"cancelada".into()), "{job}");
        assert_eq!(job["evento_fiscal"]["codigo_status"], 135, "{job}");
        let note = client.get(issued["consulta"].as_str().unwrap()).await.ok(200);
        assert_eq!(note["nota"]["status"], "cancelada");
        let event = client.get(note["arquivos"]["xml_cancelamento"].as_str().unwrap()).await;
        assert!(event.header("content-disposition").contains("-cancelamento-procEventoNFe.xml"));
        judge::accepts_proc_evento(&event.text(), &app.ca_file());
        // what was authorised stays to be had
        client.get(note["arquivos"]["xml"].as_str().unwrap()).await;
        client.post("/v1/nfe/cancelar", &request).await.refused(409, "estado_invalido");
    }
    app.finish().await;
}

#[tokio::test]
async fn only_an_authorised_note_of_this_company_can_be_cancelled() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    let client = tenant.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["xProd"] = json!("[SIM:cStat=778]");
    let rejected = issued(&client, &body).await;
    let request =
        |cpf_cnpj: &str, id: &serde_json::Value| json!({ "cpf_cnpj": cpf_cnpj, "job_id": id, "justificativa": WHY });
    client.post("/v1/nfe/cancelar", &request(NUMERIC, &rejected["job_id"])).await.refused(409, "estado_invalido");
    let authorised = issued(&client, &body::emission(NUMERIC)).await;
    let foreign = client.post("/v1/nfe/cancelar", &request(ALPHANUMERIC, &authorised["job_id"])).await;
    foreign.refused(404, "nao_encontrado");
    let other = app.issuer(NUMERIC).await.test;
    other.post("/v1/nfe/cancelar", &request(NUMERIC, &authorised["job_id"])).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn the_request_is_checked_whole() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let missing = client.post("/v1/nfe/cancelar", &json!({})).await.refused(400, "campo_obrigatorio");
    for empty in ["", "   "] {
        let request = json!({ "cpf_cnpj": NUMERIC, "job_id": empty, "justificativa": WHY });
        let refused = client.post("/v1/nfe/cancelar", &request).await.refused(400, "campo_obrigatorio");
        assert_eq!(refused["erros"][0]["campo"], "chave", "{refused}");
    }
    assert_eq!(missing["erros"].as_array().unwrap().len(), 3);
    let short = json!({ "cpf_cnpj": NUMERIC, "job_id": uuid::Uuid::now_v7(), "justificativa": "curta" });
    let error = client.post("/v1/nfe/cancelar", &short).await.refused(422, "validacao");
    assert_eq!(error["erros"][0]["campo"], "justificativa");
    let no_key = json!({ "cpf_cnpj": NUMERIC, "chave": "1".repeat(44), "justificativa": WHY });
    client.post("/v1/nfe/cancelar", &no_key).await.refused(422, "validacao");
    let no_uuid = json!({ "cpf_cnpj": NUMERIC, "job_id": "1", "justificativa": WHY });
    client.post("/v1/nfe/cancelar", &no_uuid).await.refused(400, "requisicao_invalida");
    app.finish().await;
}
