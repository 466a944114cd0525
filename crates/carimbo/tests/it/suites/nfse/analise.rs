//! After the deadline of the município: the cancellation reports it, the analysis is requested, and the note follows
//! the município's decision.

use serde_json::{Value, json};

use super::{issued, path};
use crate::support::app::{Tenant, TestApp, ended, job_when};
use crate::support::body::NUMERIC;
use crate::support::services::{another, provider};

const JUSTIFICATIVA: &str = "Serviço que não foi prestado";

fn about(job: &Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": JUSTIFICATIVA, "codigo_motivo": 2 })
}

/// São Paulo gives its issuers an hour, and two have passed.
async fn late(app: &TestApp) {
    let deadline = json!({ "prazo_cancelamento_h": 1 });
    app.control.put("/_sim/nfse/municipios/3550308", &deadline).await.ok(200);
    app.forward(7_200).await;
}

async fn by_the_municipality(app: &TestApp, job: &Value, tipo: &str) {
    let chave = job["nota"]["chave"].as_str().unwrap();
    app.control.post(&format!("/_sim/nfse/notas/{chave}/eventos"), &json!({ "tipo": tipo })).await.ok(200);
}

/// Requests the analysis and waits until the Sefin has the request.
async fn asked(tenant: &Tenant, job: &Value) -> Value {
    let accepted = tenant.test.post("/v1/nfse/solicitar-analise", &about(job)).await.ok(202);
    let asked = ended(&tenant.test, &accepted).await;
    assert_eq!((&asked["status"], &asked["operacao"]), (&json!("completed"), &json!("analise_fiscal")), "{asked:#}");
    assert_eq!(
        (&asked["nota"]["status"], &asked["nota"]["analise_fiscal"]),
        (&json!("autorizada"), &json!("pendente"))
    );
    assert_eq!(asked["mensagem"], "Pedido de análise fiscal: registro confirmado pela autoridade");
    asked
}

#[tokio::test]
async fn a_cancellation_after_the_deadline_fails_and_names_the_analysis_which_cancels_the_note_when_it_is_granted() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &another("AF1")).await;
    assert_eq!(job["nota"]["analise_fiscal"], Value::Null);
    late(&app).await;
    let accepted = tenant.test.post("/v1/nfse/cancelar", &about(&job)).await.ok(202);
    let refused = ended(&tenant.test, &accepted).await;
    assert_eq!(
        (&refused["status"], &refused["nota"]["status"]),
        (&json!("failed"), &json!("autorizada")),
        "{refused:#}"
    );
    assert_eq!(refused["erro_detalhe"]["codigo"], "prazo_encerrado");
    assert_eq!(
        (&refused["erro_detalhe"]["repetivel"], &refused["evento_fiscal"]["codigo_status"]),
        (&json!(false), &json!("E0822"))
    );
    assert!(refused["erro"].as_str().unwrap().contains("/v1/nfse/solicitar-analise"), "{refused:#}");

    let asked = asked(&tenant, &job).await;
    assert_eq!(asked["evento_fiscal"]["codigo"], "101103");
    // while the município has not answered, a second request is none, and a cancellation would be refused
    let twice = tenant.test.post("/v1/nfse/solicitar-analise", &about(&job)).await.refused(409, "estado_invalido");
    assert!(twice["detail"].as_str().unwrap().contains("pendente"), "{twice}");
    let accepted = tenant.test.post("/v1/nfse/cancelar", &about(&job)).await.ok(202);
    assert_eq!(accepted["avisos"][0]["codigo_status"], "E0840", "{accepted}");
    let refused = ended(&tenant.test, &accepted).await;
    assert!(refused.to_string().contains("E0840"), "{refused:#}");
    let events = format!("/v1/nfse/{}/eventos", job["job_id"].as_str().unwrap());
    let told = tenant.test.get(&events).await.ok(200);
    let event = &told["eventos"][0];
    assert_eq!(
        (&told["total"], &event["codigo"], &event["situacao"]),
        (&json!(1), &json!("101103"), &json!("registrado"))
    );
    assert_eq!(event["descricao"], "Solicitação de Análise Fiscal para Cancelamento de NFS-e");
    let xml = tenant.test.get(&path(&job, "xml_evento")).await;
    assert!(xml.header("content-disposition").contains("-evento-"), "{}", xml.header("content-disposition"));
    assert!(xml.text().contains("<e101103>"), "{}", xml.text());
    let own = tenant.test.get(&path(&asked, "xml")).await;
    assert!(own.header("content-disposition").contains("analise-fiscal-01"), "{}", own.header("content-disposition"));

    by_the_municipality(&app, &job, "105104").await;
    app.forward(3_601).await;
    let consulta = json!({ "consulta": format!("/v1/nfse/consultar/{}", job["job_id"].as_str().unwrap()) });
    let granted = job_when(&tenant.test, &consulta, |job| job["nota"]["status"] == "cancelada").await;
    assert_eq!(granted["nota"]["analise_fiscal"], "deferida");
    let xml = tenant.test.get(&path(&job, "xml_cancelamento")).await.text();
    assert!(xml.contains("<e105104>"), "{xml}");
    let told = tenant.test.get(&events).await.ok(200);
    let kinds: Vec<&str> =
        told["eventos"].as_array().unwrap().iter().map(|it| it["codigo"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["101103", "105104"]);
    app.finish().await;
}

#[tokio::test]
async fn an_analysis_that_is_refused_leaves_the_note_and_whoever_asks_the_sefin_learns_it_at_once() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &another("AF2")).await;
    late(&app).await;
    asked(&tenant, &job).await;
    by_the_municipality(&app, &job, "105105").await;
    let question = json!({ "cpf_cnpj": NUMERIC, "chave": job["nota"]["chave"] });
    for _ in 0..2 {
        let found = tenant.test.post("/v1/nfse/consultar-sefaz", &question).await.ok(200);
        let said = (&found["situacao"], &found["analise_fiscal"]);
        assert_eq!(said, (&json!("autorizada"), &json!("indeferida")), "{found}");
    }
    let now = tenant.test.get(&format!("/v1/nfse/consultar/{}", job["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!((&now["nota"]["status"], &now["nota"]["analise_fiscal"]), (&json!("autorizada"), &json!("indeferida")));
    let xml = tenant.test.get(&path(&job, "xml_evento")).await.text();
    assert!(xml.contains("<e105105>"), "{xml}");
    app.finish().await;
}

#[tokio::test]
async fn a_block_by_the_municipality_is_foreseen_and_holds_back_the_cancellation_until_it_is_released() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &another("AF4")).await;
    let question = json!({ "cpf_cnpj": NUMERIC, "chave": job["nota"]["chave"] });
    by_the_municipality(&app, &job, "305102").await;
    tenant.test.post("/v1/nfse/consultar-sefaz", &question).await.ok(200);
    let accepted = tenant.test.post("/v1/nfse/cancelar", &about(&job)).await.ok(202);
    let told = &accepted["avisos"][0];
    assert_eq!((&told["codigo"], &told["codigo_status"]), (&json!("rejeicao_prevista"), &json!("E0840")), "{accepted}");
    assert!(told["mensagem"].as_str().unwrap().contains("Bloqueio de NFS-e por Ofício"), "{told}");
    let refused = ended(&tenant.test, &accepted).await;
    assert_eq!(refused["evento_fiscal"]["codigo_status"], "E0840", "{refused:#}");
    by_the_municipality(&app, &job, "305103").await;
    tenant.test.post("/v1/nfse/consultar-sefaz", &question).await.ok(200);
    let accepted = tenant.test.post("/v1/nfse/cancelar", &about(&job)).await.ok(202);
    assert_eq!(accepted["avisos"], json!([]), "{accepted}");
    let cancelled = ended(&tenant.test, &accepted).await;
    assert_eq!(cancelled["status"], "completed", "{cancelled:#}");
    app.finish().await;
}

#[tokio::test]
async fn a_note_that_the_municipality_cancels_by_itself_is_cancelled_here_when_the_sefin_is_asked() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &another("AF3")).await;
    by_the_municipality(&app, &job, "305101").await;
    let question = json!({ "cpf_cnpj": NUMERIC, "chave": job["nota"]["chave"] });
    tenant.test.post("/v1/nfse/consultar-sefaz", &question).await.ok(200);
    let listed = tenant.test.get("/v1/notas?tipo=nfse&status=cancelada").await.ok(200);
    assert_eq!((&listed["total"], &listed["notas"][0]["chave"]), (&json!(1), &job["nota"]["chave"]), "{listed}");
    tenant.test.post("/v1/nfse/solicitar-analise", &about(&job)).await.refused(409, "estado_invalido");
    let wrong = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "curta", "codigo_motivo": "3" });
    let refusal = tenant.test.post("/v1/nfse/solicitar-analise", &wrong).await.refused(422, "validacao");
    for campo in ["justificativa", "codigo_motivo"] {
        assert!(refusal["erros"].to_string().contains(&format!("\"campo\":\"{campo}\"")), "{refusal}");
    }
    app.finish().await;
}
