//! The older routes, used by a client that expects the outcome in the first answer.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{ALPHANUMERIC, NUMERIC};
use crate::support::services::{another, provider, service};

fn route(act: &str) -> String {
    format!("/v1/nfse/{NUMERIC}/{act}")
}

/// The guide's example, its company in the path alone.
fn bare(referencia: &str) -> Value {
    let mut body = another(referencia);
    body.as_object_mut().unwrap().remove("cpf_cnpj");
    body
}

#[tokio::test]
async fn the_end_of_the_job_is_in_the_same_answer() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = tenant.test.post(&route("emitir"), &bare("S1")).await.ok(200);
    assert_eq!(
        (&job["status"], &job["nota"]["status"], &job["idempotente"], &job["operacao"]),
        (&json!("completed"), &json!("autorizada"), &json!(false), &json!("emissao")),
        "{job:#}"
    );
    assert_eq!(job["nota"]["chave"].as_str().unwrap().len(), 50);
    // a mask in the path, the company of the path in the body, an unknown member
    let mut body = service();
    body["referencia_externa"] = "S2".into();
    body["enviar_email"] = json!(true);
    let second = tenant.test.post("/v1/nfse/11.222.333/0001-81/emitir/json/sync", &body).await.ok(200);
    assert_eq!((&second["nota"]["status"], &second["nota"]["numero_dps"]), (&json!("autorizada"), &json!(2)));
    assert!(second["avisos"].to_string().contains("enviar_email"), "{second:#}");
    let replay = tenant.test.post(&route("emitir"), &bare("S1")).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&job["job_id"], &json!(true)));
    let mut refused = bare("S3");
    refused["nota"]["serv"]["cServ"]["cTribNac"] = json!("999999");
    let refused = tenant.test.post(&route("emitir"), &refused).await.ok(200);
    assert_eq!((&refused["status"], &refused["nota"]["status"]), (&json!("completed"), &json!("rejeitada")));
    let body = json!({ "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado", "codigo_motivo": 2 });
    let cancelled = tenant.test.post(&route("cancelar"), &body).await.ok(200);
    assert_eq!(
        (&cancelled["operacao"], &cancelled["status"], &cancelled["nota"]["status"]),
        (&json!("cancelamento"), &json!("completed"), &json!("cancelada")),
        "{cancelled:#}"
    );
    tenant.test.post(&route("cancelar"), &body).await.refused(409, "estado_invalido");
    app.finish().await;
}

#[tokio::test]
async fn a_job_that_does_not_end_in_time_is_answered_as_accepted_and_goes_on() {
    let app = TestApp::start_with(|parts| parts.limits.wait_s = 1).await;
    let tenant = provider(&app).await;
    let stopped = json!({ "tipo": "http_status", "status": 503, "servico": "POST /nfse", "vezes": 1 });
    app.control.post("/_sim/falhas", &stopped).await.ok(201);
    let accepted = tenant.test.post(&route("emitir"), &bare("L1")).await.ok(202);
    assert_eq!((&accepted["status"], &accepted["tipo"]), (&json!("pending"), &Value::Null), "{accepted}");
    let replay = tenant.test.post(&route("emitir"), &bare("L1")).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&accepted["job_id"], &json!(true)));
    // without an answer it is queried first, and sent again only when it is surely absent
    app.forward(120).await;
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    app.finish().await;
}

#[tokio::test]
async fn the_company_is_that_of_the_path() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let mut other = bare("P1");
    other["cpf_cnpj"] = ALPHANUMERIC.into();
    for act in ["emitir", "emitir/json/sync", "cancelar", "consultar"] {
        let refusal = tenant.test.post(&route(act), &other).await.refused(422, "validacao");
        assert_eq!(refusal["erros"][0]["campo"], "cpf_cnpj", "{act}: {refusal}");
        tenant.test.post(&format!("/v1/nfse/123/{act}"), &bare("P2")).await.refused(422, "validacao");
    }
    tenant.test.post(&format!("/v1/nfse/{ALPHANUMERIC}/emitir"), &bare("P3")).await.refused(404, "nao_encontrado");
    tenant.test.post(&route("emitir"), &json!({})).await.refused(400, "campo_obrigatorio");
    app.finish().await;
}

#[tokio::test]
async fn a_note_is_asked_for_by_its_key_or_by_the_number_it_was_declared_under() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = tenant.test.post(&route("emitir"), &bare("Q1")).await.ok(200);
    let nota = &job["nota"];
    let by_number = json!({ "numero_rps": nota["numero_dps"] });
    let with_series = json!({ "numero_rps": nota["numero_dps"].to_string(), "serie": 1 });
    for body in [json!({ "chave": nota["chave"] }), by_number, with_series] {
        let found = tenant.test.post(&route("consultar"), &body).await.ok(200);
        let expected = (&json!("autorizada"), &nota["chave"], &job["job_id"]);
        assert_eq!((&found["situacao"], &found["chave"], &found["job_id"]), expected, "{body}");
    }
    let absent = tenant.test.post(&route("consultar"), &json!({ "numero_rps": 77 })).await.ok(200);
    assert_eq!(absent["situacao"], "nao_encontrada");
    tenant.test.post(&route("consultar"), &json!({})).await.refused(400, "campo_obrigatorio");
    let both = json!({ "chave": nota["chave"], "numero_rps": 1 });
    tenant.test.post(&route("consultar"), &both).await.refused(400, "campo_obrigatorio");
    let found = tenant.test.get(&route("consultar-rps?numero_rps=1")).await.ok(200);
    assert_eq!(
        (&found["emitida"], &found["numero"], &found["chave"], &found["situacao"], &found["codigo_verificacao"]),
        (&json!(true), &nota["numero"], &nota["chave"], &json!("autorizada"), &Value::Null),
        "{found}"
    );
    assert!(found["data_emissao"].as_str().unwrap().starts_with("20"), "{found}");
    let absent = tenant.test.get(&route("consultar-rps?numero_rps=1&serie=2&inscricao_municipal=123")).await.ok(200);
    let nothing = (&json!(false), &Value::Null, &Value::Null, &Value::Null);
    assert_eq!((&absent["emitida"], &absent["numero"], &absent["chave"], &absent["situacao"]), nothing, "{absent}");
    for query in ["", "?numero_rps=0", "?numero_rps=1&serie=A", "?numero_rps=1&inscricao_municipal=1234567890123456"] {
        let answer = tenant.test.get(&route(&format!("consultar-rps{query}"))).await;
        assert_eq!(answer.status.as_u16(), 400, "{query}");
    }
    let fault = json!({ "tipo": "reset_before", "servico": "GET /dps", "vezes": 1 });
    app.control.post("/_sim/falhas", &fault).await.ok(201);
    tenant.test.get(&route("consultar-rps?numero_rps=1")).await.refused(503, "indisponivel");
    app.finish().await;
}
