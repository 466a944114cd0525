//! `POST /v1/nfse/consultar-sefaz`: the Sefin's record alone.

use serde_json::{Value, json};

use super::issued;
use crate::support::app::{TestApp, ended};
use crate::support::body::{ALPHANUMERIC, NUMERIC};
use crate::support::services::{another, provider};

const ROUTE: &str = "/v1/nfse/consultar-sefaz";
/// A company that takes services.
const TAKER: &str = "60701190000104";

fn by(member: &str, value: &Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, member: value })
}

#[tokio::test]
async fn a_note_is_found_by_its_key_its_declaration_and_its_number_and_one_that_is_not_there_is_said_so() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &another("Q1")).await;
    let nota = &job["nota"];
    let number = json!({ "cpf_cnpj": NUMERIC, "numero_dps": nota["numero_dps"], "serie": nota["serie"] });
    for body in [by("chave", &nota["chave"]), by("id_dps", &nota["id_dps"]), number] {
        let found = tenant.test.post(ROUTE, &body).await.ok(200);
        assert_eq!(
            (&found["situacao"], &found["chave"], &found["numero"], &found["job_id"], &found["ambiente"]),
            (&json!("autorizada"), &nota["chave"], &nota["numero"], &job["job_id"], &json!("homologacao")),
            "{body}"
        );
        assert_eq!((&found["eventos"], &found["analise_fiscal"]), (&json!([]), &Value::Null));
        let dados = &found["dados"];
        assert_eq!((&dados["id_dps"], &dados["prestador"]), (&nota["id_dps"], &json!(NUMERIC)));
        assert_eq!(dados["valor_total"].to_string(), "1500.00");
        let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
        assert_eq!(dados["xml"], json!(xml));
    }
    let absent = json!({ "cpf_cnpj": NUMERIC, "numero_dps": "999", "serie": 1 });
    let other = nota["chave"].as_str().unwrap().replacen("0000000000001", "0000000000777", 1);
    for body in [absent, by("chave", &json!(other))] {
        let found = tenant.test.post(ROUTE, &body).await.ok(200);
        let nothing = (&json!("nao_encontrada"), &Value::Null, &Value::Null, &Value::Null);
        assert_eq!((&found["situacao"], &found["chave"], &found["dados"], &found["job_id"]), nothing, "{body}");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_was_registered_on_a_note_says_what_it_is_worth_whoever_did_it() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let cancelled = issued(&tenant, &another("R1")).await;
    let body =
        json!({ "cpf_cnpj": NUMERIC, "job_id": cancelled["job_id"], "justificativa": "Serviço que não foi prestado" });
    let accepted = tenant.test.post("/v1/nfse/cancelar", &body).await.ok(202);
    ended(&tenant.test, &accepted).await;
    let found = tenant.test.post(ROUTE, &by("chave", &cancelled["nota"]["chave"])).await.ok(200);
    assert_eq!(found["situacao"], "cancelada", "{found}");
    let event = &found["eventos"][0];
    assert_eq!((&event["tipo"], &event["motivo"]), (&json!("101101"), &json!("Serviço que não foi prestado")));
    assert_eq!(event["descricao"], "Cancelamento de NFS-e");
    let by_office = issued(&tenant, &another("R2")).await;
    let chave = by_office["nota"]["chave"].as_str().unwrap();
    app.control.post(&format!("/_sim/nfse/notas/{chave}/eventos"), &json!({ "tipo": "305101" })).await.ok(200);
    let found = tenant.test.post(ROUTE, &by("chave", &json!(chave))).await.ok(200);
    assert_eq!((&found["situacao"], &found["eventos"][0]["tipo"]), (&json!("cancelada"), &json!("305101")), "{found}");
    let old = issued(&tenant, &another("R3")).await;
    let mut body = another("R4");
    body["nota"]["subst"] =
        json!({ "chSubstda": old["nota"]["chave"], "cMotivo": "99", "xMotivo": "Correção da descrição do serviço" });
    let new = issued(&tenant, &body).await;
    let found = tenant.test.post(ROUTE, &by("chave", &old["nota"]["chave"])).await.ok(200);
    assert_eq!(found["situacao"], "substituida", "{found}");
    assert_eq!(found["eventos"][0]["chave_substituta"], new["nota"]["chave"]);
    let found = tenant.test.post(ROUTE, &by("chave", &new["nota"]["chave"])).await.ok(200);
    assert_eq!((&found["situacao"], &found["dados"]["substitui"]), (&json!("autorizada"), &old["nota"]["chave"]));
    app.finish().await;
}

/// The other company of the note queries with its own certificate, in an account that issued nothing; a third company
/// may not.
#[tokio::test]
async fn whoever_is_named_in_a_note_may_ask_for_it_and_nobody_else() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let mut body = another("S1");
    body["nota"]["toma"] = json!({ "CNPJ": TAKER, "xNome": "Quem tomou o serviço" });
    let job = issued(&tenant, &body).await;
    let taker = app.issuer(TAKER).await;
    let question = json!({ "cpf_cnpj": TAKER, "chave": job["nota"]["chave"] });
    let found = taker.test.post(ROUTE, &question).await.ok(200);
    assert_eq!((&found["situacao"], &found["job_id"]), (&json!("autorizada"), &Value::Null), "{found}");
    let stranger = app.issuer(ALPHANUMERIC).await;
    let question = json!({ "cpf_cnpj": ALPHANUMERIC, "chave": job["nota"]["chave"] });
    let refusal = stranger.test.post(ROUTE, &question).await.refused(422, "validacao");
    assert!(refusal["mensagem"].as_str().unwrap().contains("não é permitida"), "{refusal}");
    stranger.test.post(ROUTE, &by("chave", &job["nota"]["chave"])).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn a_silent_sefin_is_unavailable_and_never_a_note_that_is_not_there() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &another("T1")).await;
    for (servico, tipo) in [
        ("GET /nfse", "reset_before"),
        ("GET /nfse", "page_after"),
        ("GET /nfse/eventos", "http_status"),
        ("GET /nfse/eventos", "garbage"),
        ("GET /nfse", "half_reply"),
    ] {
        let fault = json!({ "tipo": tipo, "servico": servico, "vezes": 1 });
        app.control.post("/_sim/falhas", &fault).await.ok(201);
        let answer = tenant.test.post(ROUTE, &by("chave", &job["nota"]["chave"])).await;
        assert_eq!(answer.header("retry-after"), "60", "{servico} {tipo}");
        let refusal = answer.refused(503, "indisponivel");
        assert!(!refusal.to_string().contains("nao_encontrada"), "{refusal}");
    }
    let page = json!({ "tipo": "http_status", "status": 404, "servico": "GET /dps", "vezes": 1 });
    app.control.post("/_sim/falhas", &page).await.ok(201);
    tenant.test.post(ROUTE, &by("id_dps", &job["nota"]["id_dps"])).await.refused(503, "indisponivel");
    tenant.test.post(ROUTE, &by("id_dps", &job["nota"]["id_dps"])).await.ok(200);
    app.finish().await;
}

#[tokio::test]
async fn questions_are_read_strictly_and_counted_by_the_hour() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    for (body, campo) in [
        (json!({ "cpf_cnpj": NUMERIC }), "chave"),
        (json!({ "cpf_cnpj": NUMERIC, "numero_dps": 1 }), "serie"),
        (json!({ "cpf_cnpj": NUMERIC, "numero_dps": 1, "serie": "60000" }), "serie"),
        (json!({ "cpf_cnpj": NUMERIC, "numero_dps": 0, "serie": "1" }), "numero_dps"),
        (json!({ "cpf_cnpj": NUMERIC, "chave": "35261111222333000181550010000000011123456784" }), "chave"),
        (json!({ "cpf_cnpj": NUMERIC, "id_dps": "DPS1" }), "id_dps"),
        (json!({ "cpf_cnpj": NUMERIC, "id_dps": "DPS1", "numero_dps": 1, "serie": 1 }), "chave"),
        (json!({ "id_dps": "DPS1" }), "cpf_cnpj"),
    ] {
        let answer = tenant.test.post(ROUTE, &body).await;
        assert!(matches!(answer.status.as_u16(), 400 | 422), "{body}: {}", answer.status);
        let refusal: Value = serde_json::from_str(&answer.text()).unwrap();
        assert!(refusal["erros"].to_string().contains(&format!("\"campo\":\"{campo}\"")), "{body}: {refusal}");
    }
    let id = json!("DPS355030821122233300018100001000000000000009");
    for _ in 0..20 {
        tenant.test.post(ROUTE, &by("id_dps", &id)).await.ok(200);
    }
    tenant.test.post(ROUTE, &by("id_dps", &id)).await.refused(429, "muitas_requisicoes");
    app.clock.forward(3_700);
    tenant.test.post(ROUTE, &by("id_dps", &id)).await.ok(200);
    app.finish().await;
}
