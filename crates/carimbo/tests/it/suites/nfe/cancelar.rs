//! `POST /v1/nfe/cancelar`.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;

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
        // the authorised file stays available
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

/// Sends a request `times` times at once; returns the answers.
pub(super) async fn at_once(client: &Client, path: &str, body: &Value, times: usize) -> Vec<(u16, Value)> {
    let mut calls = JoinSet::new();
    for _ in 0..times {
        let (client, path, body) = (client.clone(), path.to_owned(), body.clone());
        calls.spawn(async move {
            let answer = client.post(&path, &body).await;
            (answer.status.as_u16(), answer.json())
        });
    }
    calls.join_all().await
}

pub(super) async fn sent(app: &TestApp, service: &str) -> u64 {
    let totals = app.control.get("/_sim/contadores").await.ok(200);
    totals["por_servico"][service].as_u64().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_cancellations_at_once_are_one_job_and_one_send() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    // the authority is blocked: all twenty find the note authorised
    app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 100_000 })).await.ok(201);
    let request = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": WHY });
    let answers = at_once(&client, "/v1/nfe/cancelar", &request, 20).await;
    let new: Vec<&Value> = answers.iter().filter(|(status, _)| *status == 202).map(|(_, body)| body).collect();
    assert_eq!(new.len(), 1, "{answers:?}");
    let (accepted, job) = (new[0].clone(), new[0]["job_id"].clone());
    for (status, body) in answers.iter().filter(|(status, _)| *status != 202) {
        assert_eq!((status, &body["idempotente"], &body["job_id"]), (&200, &json!(true), &job), "{body}");
    }
    // an equal act with another text has to wait for the end of the first
    let other =
        json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": "Outra justificativa qualquer" });
    let refused = client.post("/v1/nfe/cancelar", &other).await.refused(409, "estado_invalido");
    assert_eq!((&refused["job_id"], &refused["consulta"]), (&job, &accepted["consulta"]), "{refused}");
    // another type of act is not affected
    let correction =
        json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "correcao": "O volume é de vinte cadernos." });
    let corrected = client.post("/v1/nfe/carta-correcao", &correction).await.ok(202);
    app.control.delete("/_sim/falhas").await;
    assert_eq!(ended(&client, &accepted).await["nota"]["status"], "cancelada");
    ended(&client, &corrected).await;
    assert_eq!(sent(&app, "NFeRecepcaoEvento4").await, 2, "one cancellation and one correction");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_cancellation_that_came_to_nothing_a_new_one_may_come() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    let fault = json!({ "tipo": "cstat", "cStat": 501, "servico": "NFeRecepcaoEvento4", "vezes": 1 });
    app.control.post("/_sim/falhas", &fault).await.ok(201);
    let request = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": WHY });
    let first = client.post("/v1/nfe/cancelar", &request).await.ok(202);
    assert_eq!(ended(&client, &first).await["nota"]["status"], "autorizada");
    let second = client.post("/v1/nfe/cancelar", &request).await.ok(202);
    assert_ne!(first["job_id"], second["job_id"]);
    assert_eq!(ended(&client, &second).await["nota"]["status"], "cancelada");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_range_and_the_same_failed_job_are_taken_once_by_twenty_at_once() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let range = json!({ "cpf_cnpj": NUMERIC, "numero_inicial": 50, "numero_final": 55, "justificativa": WHY });
    let voided = at_once(&client, "/v1/nfe/inutilizar", &range, 20).await;
    let new: Vec<&Value> = voided.iter().filter(|(status, _)| *status == 202).map(|(_, body)| body).collect();
    assert_eq!(new.len(), 1, "{voided:?}");
    assert!(voided.iter().all(|(status, _)| matches!(status, 202 | 409)), "{voided:?}");
    ended(&client, new[0]).await;
    assert_eq!(sent(&app, "NFeInutilizacao4").await, 1);

    let mut taken = body::emission(NUMERIC);
    taken["nota"]["identificacao"]["nNF"] = json!(50);
    let failed = issued(&client, &taken).await;
    assert_eq!(failed["status"], "failed", "{failed}");
    // it waits there, so that all twenty find it either failed or requeued
    app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 100_000 })).await.ok(201);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "serie": "2" })).await.ok(200);
    let path = format!("/v1/jobs/{}/reprocessar", failed["job_id"].as_str().unwrap());
    let again = at_once(&client, &path, &json!({}), 20).await;
    let put_back: Vec<&Value> = again.iter().filter(|(status, _)| *status == 202).map(|(_, body)| body).collect();
    assert_eq!(put_back.len(), 1, "{again:?}");
    app.control.delete("/_sim/falhas").await;
    assert_eq!(ended(&client, put_back[0]).await["nota"]["status"], "autorizada");
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 1);
    app.finish().await;
}
