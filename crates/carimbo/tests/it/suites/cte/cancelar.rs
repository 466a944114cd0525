//! `POST /v1/cte/cancelar`: 57 and 67, by job and by key, and what the law keeps from being cancelled.

use serde_json::{Value, json};

use super::{at_the_svc, issued};
use crate::support::app::{TestApp, ended, job_when};
use crate::support::body::NUMERIC;
use crate::support::client::Client;
use crate::support::judge;
use crate::support::transports::{cargo, carrier, passengers};

const PATH: &str = "/v1/cte/cancelar";

fn request(by: &str, target: &Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, by: target, "justificativa": "Serviço não prestado ao cliente" })
}

async fn used(client: &Client) -> Value {
    let quotas = client.get("/v1/cotas").await.ok(200);
    let cte = quotas["cotas"].as_array().unwrap().iter().find(|quota| quota["nome"] == "cte").unwrap();
    cte["consumo"].clone()
}

#[tokio::test]
async fn a_transport_is_cancelled_by_job_or_by_key() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    for (body, by, used_before) in [(cargo(), "job_id", 0), (passengers(), "chave", 2)] {
        let client = &tenant.test;
        let (issued, _) = issued(&tenant, &body).await;
        let target = if by == "chave" { &issued["nota"]["chave"] } else { &issued["job_id"] };
        let accepted = client.post(PATH, &request(by, target)).await.ok(202);
        assert_eq!((&accepted["operacao"], &accepted["job_id_emissao"]), (&"cancelamento".into(), &issued["job_id"]));
        let job = ended(client, &accepted).await;
        assert_eq!((&job["status"], &job["nota"]["status"]), (&"completed".into(), &"cancelada".into()), "{job}");
        assert_eq!(job["evento_fiscal"]["codigo_status"], 135, "{job}");
        assert_eq!(used(client).await, used_before + 2, "emission and cancellation debit");
        let note = client.get(issued["consulta"].as_str().unwrap()).await.ok(200);
        assert_eq!(note["nota"]["status"], "cancelada");
        let event = client.get(note["arquivos"]["xml_cancelamento"].as_str().unwrap()).await;
        let name = event.header("content-disposition").to_owned();
        assert!(name.contains("-cancelamento-procEventoCTe.xml"), "{name}");
        assert!(event.text().contains("<nSeqEvento>001</nSeqEvento>"), "{}", event.text());
        judge::accepts_proc_evento_cte(&event.text(), &app.ca_file());
        let form = client.get(job["arquivos"]["pdf"].as_str().unwrap()).await;
        assert!(judge::text_of_pdf(&form.bytes).contains("CANCELAMENTO"), "the event has a form");
        let path = format!("/v1/cte/{}/eventos", issued["job_id"].as_str().unwrap());
        let listed = client.get(&path).await.ok(200);
        let first = &listed["eventos"][0];
        assert_eq!((&first["codigo"], &first["descricao"]), (&"110111".into(), &"Cancelamento".into()), "{listed}");
        assert_eq!(used(client).await, used_before + 2, "questions and files do not");
        client.post(PATH, &request(by, target)).await.refused(409, "estado_invalido");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_the_law_keeps_from_being_cancelled_is_said_at_once() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (first, _) = issued(&tenant, &cargo()).await;
    let mut other = cargo();
    other["referencia_externa"] = json!("CTE0002");
    let (late, _) = issued(&tenant, &other).await;
    let letter = json!({ "cpf_cnpj": NUMERIC, "job_id": first["job_id"],
        "correcoes": [{ "grupo": "compl", "campo": "xObs", "valor": "Entregar pela rua lateral" }] });
    ended(&tenant.test, &tenant.test.post("/v1/cte/carta-correcao", &letter).await.ok(202)).await;
    let refused = tenant.test.post(PATH, &request("job_id", &first["job_id"])).await.refused(409, "estado_invalido");
    assert!(refused["detail"].as_str().unwrap().contains("523"), "{refused}");
    app.forward(168 * 3_600 + 60).await;
    let refused = tenant.test.post(PATH, &request("job_id", &late["job_id"])).await.refused(409, "estado_invalido");
    assert!(refused["detail"].as_str().unwrap().contains("220"), "{refused}");
    assert_eq!(used(&tenant.test).await, 2, "what is refused debits nothing");
    app.finish().await;
}

#[tokio::test]
async fn what_only_the_authority_knows_is_its_answer() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (issued, _) = issued(&tenant, &cargo()).await;
    let fault = json!({ "tipo": "cstat", "cStat": 528, "servico": "CTeRecepcaoEventoV4", "vezes": 1 });
    app.control.post("/_sim/falhas", &fault).await.ok(201);
    let accepted = tenant.test.post(PATH, &request("job_id", &issued["job_id"])).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["evento_fiscal"]["codigo_status"]), (&"autorizada".into(), &528.into()));
    let accepted = tenant.test.post(PATH, &request("job_id", &issued["job_id"])).await.ok(202);
    assert_eq!(ended(&tenant.test, &accepted).await["nota"]["status"], "cancelada");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_whose_reply_was_lost_is_found_and_not_sent_twice() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let (issued, _) = issued(&tenant, &cargo()).await;
    let lost = json!({ "servico": "CTeRecepcaoEventoV4", "tipo": "reset_after", "vezes": 1 });
    app.control.post("/_sim/falhas", &lost).await.ok(201);
    let accepted = tenant.test.post(PATH, &request("job_id", &issued["job_id"])).await.ok(202);
    let job = job_when(&tenant.test, &accepted, |job| job["nota"]["status"] == "cancelada").await;
    let calls = app.control.get("/_sim/contadores").await.ok(200)["por_servico"].clone();
    assert_eq!((&calls["CTeRecepcaoEventoV4"], &calls["CTeConsultaV4"]), (&1.into(), &1.into()), "{calls}");
    let event = tenant.test.get(job["arquivos"]["xml_cancelamento"].as_str().unwrap()).await;
    judge::accepts_proc_evento_cte(&event.text(), &app.ca_file());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_the_contingency_authority_is_cancelled_there_and_corrected_at_home() {
    let app = TestApp::start().await;
    let tenant = carrier(&app).await;
    let accepted = at_the_svc(&app, &tenant).await;
    let cancelled = tenant.test.post(PATH, &request("job_id", &accepted[0]["job_id"])).await.ok(202);
    let job = job_when(&tenant.test, &cancelled, |job| job["nota"]["status"] == "cancelada").await;
    let log = tenant.test.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("SVC-RS"), "{log}");
    app.sp_works().await;
    let letter = json!({ "cpf_cnpj": NUMERIC, "job_id": accepted[1]["job_id"],
        "correcoes": [{ "grupo": "compl", "campo": "xObs", "valor": "Entregar pela rua lateral" }] });
    let corrected = tenant.test.post("/v1/cte/carta-correcao", &letter).await.ok(202);
    let job = job_when(&tenant.test, &corrected, |job| job["status"] == "completed").await;
    assert_eq!(job["evento_fiscal"]["codigo_status"], 135, "{job}");
    app.finish().await;
}
