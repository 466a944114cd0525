//! The municipal NFS-e: an RPS to a city hall with ABRASF, from the request to the note and its end.

mod duvida;
mod linhas;
mod prefeitura;
mod sem_emitir;
mod serie;
mod substituicao;

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp, ended, job_when};
use crate::support::body::NUMERIC;
use crate::support::municipal_services::{LAVRAS, ROUTE, configuration, provider, service, there};

async fn issued(tenant: &Tenant, body: &Value) -> Value {
    let accepted = tenant.test.post(ROUTE, body).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    job
}

async fn fault(app: &TestApp, tipo: &str, servico: &str) {
    app.control.post("/_sim/falhas", &json!({ "tipo": tipo, "servico": servico, "vezes": 1 })).await.ok(201);
}

async fn notes(app: &TestApp) -> usize {
    let notes = app.control.get("/_sim/municipal/notas").await.ok(200);
    notes["notas"].as_array().or(notes.as_array()).unwrap().len()
}

#[tokio::test]
async fn an_rps_becomes_a_note_of_the_city_hall() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &service("M1")).await;
    let nota = &job["nota"];
    assert_eq!((&job["tipo"], &nota["modelo"], &nota["numero_dps"]), (&json!("nfse"), &Value::Null, &json!(1)));
    assert!(nota["numero"].is_u64() && nota["codigo_verificacao"].is_string(), "{nota:#}");
    assert_eq!((&nota["chave"], &nota["chave_acesso"], &nota["id_dps"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(nota["valor_total"].to_string(), "1500.00");
    let told = ["data_emissao", "data_autorizacao"].map(|name| nota[name].as_str().unwrap_or_default());
    assert!(told.iter().all(|moment| moment.len() == 25 && moment.ends_with("-03:00")), "{nota:#}");
    assert_eq!(issued(&tenant, &service("M2")).await["nota"]["numero_dps"], 2);
    let replay = tenant.test.post(ROUTE, &service("M1")).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["idempotente"]), (&job["job_id"], &json!(true)));
    let listed = tenant.test.get("/v1/notas?tipo=nfse").await.ok(200);
    assert_eq!(listed["total"], 2, "{listed}");
    let numbering = tenant.test.get("/v1/empresas/numeracao?tipo=nfse").await.ok(200);
    assert!(numbering.to_string().contains("\"proximo_numero\":3"), "{numbering}");
    for (tipo, holds) in
        [("xml", "<CompNfse"), ("xml_dps", "<EnviarLoteRpsSincronoEnvio"), ("log", "MUNICIPIO-3138203")]
    {
        let file = tenant.test.get(&format!("/v1/nfse/{}/file/{tipo}", job["job_id"].as_str().unwrap())).await;
        assert!(file.status.is_success() && file.text().contains(holds), "{tipo}: {}", file.text());
    }
    app.finish().await;
}

/// Res. CGSN 191/2026: a notice from 2026-11-01 on, and no refusal.
#[tokio::test]
async fn an_epp_of_the_simples_is_told_of_the_national_emitter_and_its_note_goes_on() {
    for (moment, competencia, told) in
        [("2026-10-31T23:50:00-03:00", "2026-10-31", false), ("2026-11-01T00:10:00-03:00", "2026-11-01", true)]
    {
        let app = TestApp::start().await;
        app.stand_at(moment.parse().unwrap()).await;
        let tenant = provider(&app).await;
        let regime = json!({ "regime": { "opSimpNac": 3, "regApTribSN": 1, "regEspTrib": 0 } });
        tenant.test.put(&configuration(), &regime).await.ok(200);
        let mut body = service("EPP");
        body["nota"]["competencia"] = competencia.into();
        body["nota"]["optante_simples_nacional"] = 1.into();
        let accepted = tenant.test.post(ROUTE, &body).await.ok(202);
        let remarks = accepted["avisos"].as_array().unwrap().iter();
        let remark = remarks.clone().find(|aviso| aviso["codigo"] == "emissor_nacional_obrigatorio");
        assert_eq!(remark.is_some(), told, "{moment}: {accepted:#}");
        assert!(remark.is_none_or(|aviso| aviso["mensagem"].as_str().unwrap().contains("Resolução CGSN 191")));
        assert_eq!(ended(&tenant.test, &accepted).await["nota"]["status"], "autorizada", "{moment}");
        app.finish().await;
    }
}

#[tokio::test]
async fn a_city_hall_that_refuses_says_why_and_the_number_goes_to_the_next() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let closed = json!({ "nome": "X", "IM": "12345", "nao_autorizado": true });
    app.control.put(&format!("/_sim/municipal/contribuintes/{NUMERIC}"), &closed).await.ok(200);
    let accepted = tenant.test.post(ROUTE, &service("R1")).await.ok(202);
    let job = ended(&tenant.test, &accepted).await;
    assert_eq!(
        (&job["nota"]["status"], &job["nota"]["codigo_status"]),
        (&json!("rejeitada"), &json!("E156")),
        "{job:#}"
    );
    let refusal = &job["nota"]["rejeicoes"][0];
    assert_eq!(refusal["codigo_status"], "E156", "{job:#}");
    let advice = "Confira a inscrição municipal, a autorização e o regime na configuração da empresa.";
    assert_eq!(refusal["o_que_fazer"], advice, "{refusal:#}");
    app.control.put(&format!("/_sim/municipal/contribuintes/{NUMERIC}"), &json!({ "IM": "12345" })).await.ok(200);
    assert_eq!(issued(&tenant, &service("R2")).await["nota"]["numero_dps"], 1);
    app.finish().await;
}

#[tokio::test]
async fn after_silence_the_city_hall_is_asked_and_nothing_is_sent_twice() {
    for tipo in ["reset_before", "reset_after", "http_status", "page_after"] {
        let app = TestApp::start().await;
        let tenant = provider(&app).await;
        fault(&app, tipo, "RecepcionarLoteRpsSincrono").await;
        let accepted = tenant.test.post(ROUTE, &service("S1")).await.ok(202);
        for _ in 0..3 {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            app.forward(90).await;
        }
        let job = job_when(&tenant.test, &accepted, |job| job["status"] == "completed").await;
        assert_eq!(job["nota"]["status"], "autorizada", "{tipo}: {job:#}");
        assert_eq!(notes(&app).await, 1, "{tipo}");
        app.finish().await;
    }
}

#[tokio::test]
async fn a_note_is_cancelled_by_its_job_or_its_number() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    for by in ["job_id", "numero"] {
        let job = issued(&tenant, &service(&format!("C{by}").replace('_', ""))).await;
        let mut body =
            json!({ "cpf_cnpj": NUMERIC, "justificativa": "Serviço que não foi prestado", "codigo_motivo": 2 });
        body[by] = if by == "job_id" { job["job_id"].clone() } else { job["nota"]["numero"].clone() };
        let accepted = tenant.test.post("/v1/nfse/cancelar", &body).await.ok(202);
        let cancelled = ended(&tenant.test, &accepted).await;
        assert_eq!(
            (&cancelled["status"], &cancelled["nota"]["status"]),
            (&json!("completed"), &json!("cancelada")),
            "{cancelled:#}"
        );
        let xml = tenant.test.get(&format!("/v1/nfse/{}/file/xml_cancelamento", job["job_id"].as_str().unwrap())).await;
        assert!(xml.text().contains("NfseCancelamento"), "{}", xml.text());
        tenant.test.post("/v1/nfse/cancelar", &body).await.refused(409, "estado_invalido");
    }
    let missing = json!({ "cpf_cnpj": NUMERIC, "numero": 999, "justificativa": "Serviço que não foi prestado" });
    tenant.test.post("/v1/nfse/cancelar", &missing).await.refused(404, "nao_encontrado");
    let wrong = json!({ "cpf_cnpj": NUMERIC, "numero": 1, "justificativa": "Serviço que não foi prestado", "codigo_cancelamento": 9 });
    tenant.test.post("/v1/nfse/cancelar", &wrong).await.refused(422, "validacao");
    // after an unknown outcome the note is queried before it is sent again
    let job = issued(&tenant, &service("CDUVIDA")).await;
    fault(&app, "reset_after", "CancelarNfse").await;
    let body = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
    let accepted = tenant.test.post("/v1/nfse/cancelar", &body).await.ok(202);
    let cancelled = ended(&tenant.test, &accepted).await;
    assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled:#}");
    app.finish().await;
}

#[tokio::test]
async fn a_note_is_asked_for_by_its_rps() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = issued(&tenant, &service("Q1")).await;
    let found = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await.ok(200);
    assert_eq!(
        (&found["emitida"], &found["numero"], &found["codigo_verificacao"], &found["situacao"], &found["chave"]),
        (&json!(true), &job["nota"]["numero"], &job["nota"]["codigo_verificacao"], &json!("autorizada"), &Value::Null),
        "{found}"
    );
    let absent = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=7")).await.ok(200);
    assert_eq!((&absent["emitida"], &absent["situacao"]), (&json!(false), &Value::Null), "{absent}");
    let body = json!({ "cpf_cnpj": NUMERIC, "numero_rps": 1 });
    let found = tenant.test.post("/v1/nfse/consultar-sefaz", &body).await.ok(200);
    assert_eq!((&found["situacao"], &found["job_id"]), (&json!("autorizada"), &job["job_id"]), "{found}");
    let older = tenant.test.post(&format!("/v1/nfse/{NUMERIC}/consultar"), &json!({ "numero_rps": 1 })).await.ok(200);
    assert_eq!(older["numero"], job["nota"]["numero"]);
    fault(&app, "reset_before", "ConsultarNfsePorRps").await;
    let silent = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await;
    silent.refused(503, "indisponivel");
    app.finish().await;
}

/// ISSNet: the query for an RPS is signed, and stands within `Pedido`.
#[tokio::test]
async fn a_city_hall_that_wants_its_questions_signed_is_asked_by_signed_ones() {
    const RIBEIRAO_PRETO: &str = "3543402";
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let settings = json!({ "codigo_municipio": RIBEIRAO_PRETO, "provedor": "issnet", "versao": "2.04" });
    tenant.test.put(&configuration(), &settings).await.ok(200);
    let mut body = there(RIBEIRAO_PRETO, "A1");
    let job = issued(&tenant, &body).await;
    // no answer, after which only the signed query shows the outcome
    fault(&app, "reset_after", "RecepcionarLoteRps").await;
    body["referencia_externa"] = "A2".into();
    let accepted = tenant.test.post(ROUTE, &body).await.ok(202);
    for _ in 0..3 {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        app.forward(90).await;
    }
    let found = job_when(&tenant.test, &accepted, |job| job["status"] == "completed").await;
    assert_eq!((&found["nota"]["status"], notes(&app).await), (&json!("autorizada"), 2), "{found:#}");
    let found = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await.ok(200);
    assert_eq!(found["numero"], job["nota"]["numero"], "{found}");
    // a cancellation with unknown outcome is queried too
    fault(&app, "reset_after", "CancelarNfse").await;
    let body = json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
    let accepted = tenant.test.post("/v1/nfse/cancelar", &body).await.ok(202);
    let cancelled = ended(&tenant.test, &accepted).await;
    assert_eq!(cancelled["nota"]["status"], "cancelada", "{cancelled:#}");
    app.finish().await;
}

#[tokio::test]
async fn the_older_route_serves_whichever_way_the_company_has() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let job = tenant.test.post(&format!("/v1/nfse/{NUMERIC}/emitir"), &service("O1")).await.ok(200);
    assert_eq!((&job["nota"]["status"], &job["nota"]["chave"]), (&json!("autorizada"), &Value::Null), "{job:#}");
    app.finish().await;
}

#[tokio::test]
async fn each_route_names_the_other_and_what_is_missing_is_said() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let national = super::another("N1");
    let refusal = tenant.test.post("/v1/nfse/emitir", &national).await.refused(422, "documento_invalido");
    assert!(refusal.to_string().contains("/v1/nfse/govdigital/emitir"), "{refusal}");
    tenant.test.put(&configuration(), &json!({ "provedor": "nacional" })).await.ok(200);
    let refusal = tenant.test.post(ROUTE, &service("N2")).await.refused(422, "documento_invalido");
    assert_eq!(refusal["erros"][0]["codigo"], "provedor_nacional", "{refusal}");
    assert!(refusal.to_string().contains("/v1/nfse/emitir"), "{refusal}");
    // ABRASF by itself needs a version and an address
    tenant.test.put(&configuration(), &json!({ "provedor": "abrasf" })).await.ok(200);
    let refusal = tenant.test.post(ROUTE, &service("N3")).await.refused(422, "empresa_sem_configuracao");
    assert!(refusal["mensagem"].as_str().unwrap().contains("versao"), "{refusal}");
    let unknown =
        tenant.test.put(&configuration(), &json!({ "provedor": "govdigita" })).await.refused(422, "validacao");
    assert!(unknown.to_string().contains("GovDigital"), "{unknown}");
    // addresses of inner networks are refused when they are given
    for url in ["https://127.0.0.1/ws", "https://10.0.0.1/ws", "http://prefeitura.example/ws"] {
        tenant.test.put(&configuration(), &json!({ "url_homologacao": url })).await.refused(422, "validacao");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_municipality_is_explained() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let lavras = tenant.test.get(&format!("/v1/nfse/municipios/{LAVRAS}")).await.ok(200);
    assert_eq!(
        (&lavras["nome"], &lavras["caminho"], &lavras["rota"], &lavras["provedor"], &lavras["versao"]),
        (&json!("Lavras"), &json!("municipal"), &json!(ROUTE), &json!("GovDigital"), &json!("2.01")),
        "{lavras:#}"
    );
    assert!(!lavras["porque"].as_array().unwrap().is_empty() && lavras["protocolo"]["soap"] == "1.1", "{lavras:#}");
    // a layout of its own, which the service does not support
    let capital = tenant.test.get("/v1/nfse/municipios/3550308").await.ok(200);
    assert_eq!((&capital["caminho"], &capital["rota"]), (&json!("indefinido"), &Value::Null), "{capital:#}");
    assert_eq!(capital["homologacao"]["utilizavel"], false);
    tenant.test.get("/v1/nfse/municipios/9999999").await.refused(404, "nao_encontrado");
    tenant.test.get("/v1/nfse/municipios/31").await.refused(422, "validacao");
    app.finish().await;
}
