//! `POST /v1/nfe/inutilizar`, and the places that show voided numbers afterwards.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;

const PATH: &str = "/v1/nfe/inutilizar";
const WHY: &str = "Numeração pulada por falha do sistema";

fn range(from: u32, until: u32) -> Value {
    json!({ "cpf_cnpj": NUMERIC, "numero_inicial": from, "numero_final": until, "justificativa": WHY })
}

async fn voided(client: &Client, request: &Value) -> Value {
    let accepted = client.post(PATH, request).await.ok(202);
    ended(client, &accepted).await
}

async fn gaps(client: &Client) -> Value {
    let listed = client.get("/v1/empresas/numeracao?lacunas=true&tipo=nfe").await.ok(200);
    listed["numeracao"][0]["lacunas"].clone()
}

#[tokio::test]
async fn a_range_is_voided_and_seen_everywhere() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut request = range(1, 3);
    request["webhook_url"] = json!("https://receptor.invalid/gancho");
    let accepted = client.post(PATH, &request).await.ok(202);
    assert_eq!((&accepted["operacao"], &accepted["status"]), (&json!("inutilizacao"), &json!("pending")));
    assert_eq!((&accepted["ambiente"], &accepted["webhook"]), (&json!("homologacao"), &json!(true)));
    let job = ended(&client, &accepted).await;
    let nota = &job["nota"];
    assert_eq!(
        (&job["status"], &nota["status"], &job["erro"]),
        (&json!("completed"), &json!("inutilizada"), &Value::Null)
    );
    assert_eq!((&nota["numero_inicial"], &nota["numero_final"], &nota["numero"]), (&json!(1), &json!(3), &Value::Null));
    assert_eq!(
        (&nota["codigo_status"], &nota["modelo"], &nota["serie"]),
        (&json!(102), &json!(55), &json!("1")),
        "{job}"
    );
    assert!(nota["protocolo"].is_string() && nota["data_autorizacao"].is_string(), "{job}");
    assert_eq!((&job["evento_fiscal"], &job["arquivos"]["pdf"]), (&Value::Null, &Value::Null), "{job}");
    // its file
    let file = client.get(job["arquivos"]["xml"].as_str().unwrap()).await;
    assert!(file.header("content-disposition").contains("55001000000001000000003-procInutNFe.xml"));
    judge::accepts_proc_inut(&file.text(), &app.ca_file());
    let pdf = job["arquivos"]["xml"].as_str().unwrap().replace("/xml", "/pdf");
    client.get(&pdf).await.refused(409, "arquivo_indisponivel");
    // no note gets these numbers
    assert_eq!(issued(&client, &body::emission(NUMERIC)).await["nota"]["numero"], 4);
    let mut asked = body::emission(NUMERIC);
    asked["nota"]["identificacao"]["nNF"] = json!(2);
    assert_eq!(issued(&client, &asked).await["erro_detalhe"]["codigo"], "numero_em_uso");
    // the list of notes, and the audit trail
    let listed = client.get("/v1/notas?status=inutilizada&numero=2&tipo=nfe").await.ok(200);
    assert_eq!((&listed["total"], &listed["notas"][0]["job_id"]), (&json!(1), &job["job_id"]), "{listed}");
    assert_eq!(listed["notas"][0]["status"], "inutilizada");
    assert_eq!(client.get("/v1/notas?status=inutilizada&numero=4").await.ok(200)["total"], 0);
    assert_eq!(client.get("/v1/notas?status=inutilizada&tipo=nfce").await.ok(200)["total"], 0);
    let told = client.get("/v1/webhooks/entregas").await.ok(200);
    assert_eq!((&told["total"], &told["entregas"][0]["evento"]), (&json!(1), &json!("nfe.inutilizada")), "{told}");
    // numbers cost nothing
    let quotas = client.get("/v1/cotas").await.ok(200);
    let nfe = quotas["cotas"].as_array().unwrap().iter().find(|quota| quota["nome"] == "nfe").unwrap();
    assert_eq!(nfe["consumo"], json!(2), "the two emissions alone");
    app.finish().await;
}

#[tokio::test]
async fn gaps_are_told_and_voided() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    assert_eq!(gaps(&client).await, json!([]));
    for number in [10, 14] {
        let mut chosen = body::emission(NUMERIC);
        chosen["nota"]["identificacao"]["nNF"] = json!(number);
        assert_eq!(issued(&client, &chosen).await["nota"]["numero"], number);
    }
    assert_eq!(gaps(&client).await, json!([{ "numero_inicial": 11, "numero_final": 13, "quantidade": 3 }]));
    let told = client.get("/v1/empresas/numeracao?lacunas=true&tipo=nfe").await.ok(200);
    let law = told["numeracao"][0]["orientacao_lacunas"].as_str().unwrap();
    assert!(law.contains("POST /v1/nfe/inutilizar"), "{law}");
    assert_eq!(voided(&client, &range(11, 13)).await["nota"]["status"], "inutilizada");
    assert_eq!(gaps(&client).await, json!([]));
    let plain = client.get("/v1/empresas/numeracao?tipo=nfe").await.ok(200);
    assert_eq!(plain["numeracao"][0]["lacunas"], Value::Null, "only when asked for");
    client.get("/v1/empresas/numeracao?lacunas=talvez").await.refused(400, "requisicao_invalida");
    app.finish().await;
}

#[tokio::test]
async fn a_lost_reply_does_not_void_twice() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let fault = json!({ "servico": "NFeInutilizacao4", "tipo": "reset_after", "vezes": 1 });
    app.control.post("/_sim/falhas", &fault).await.ok(201);
    let job = voided(&client, &range(5, 5)).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["codigo_status"]), (&json!("inutilizada"), &json!(563)), "{job}");
    assert_eq!(job["nota"]["numero"], 5);
    let there = app.control.get("/_sim/contadores").await.ok(200);
    assert_eq!(there["inutilizacoes"].as_array().unwrap().len(), 1, "{there}");
    assert_eq!(there["inutilizacoes"][0]["nProt"], job["nota"]["protocolo"]);
    app.finish().await;
}

#[tokio::test]
async fn a_refused_range_is_free_again() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let fault = json!({ "servico": "NFeInutilizacao4", "tipo": "cstat", "cStat": 203, "vezes": 1 });
    app.control.post("/_sim/falhas", &fault).await.ok(201);
    let mut request = range(1, 2);
    request["webhook_url"] = json!("https://receptor.invalid/gancho");
    let job = voided(&client, &request).await;
    assert_eq!((&job["status"], &job["nota"]["status"]), (&json!("completed"), &json!("rejeitada")), "{job}");
    assert_eq!((&job["nota"]["codigo_status"], &job["arquivos"]["xml"]), (&json!(203), &Value::Null));
    assert!(job["nota"]["motivo_status"].is_string() && job["nota"]["protocolo"].is_null(), "{job}");
    let told = client.get("/v1/webhooks/entregas").await.ok(200);
    assert_eq!(told["entregas"][0]["evento"], "nfe.inutilizacao_rejeitada", "{told}");
    assert_eq!(issued(&client, &body::emission(NUMERIC)).await["nota"]["numero"], 1);
    app.finish().await;
}

#[tokio::test]
async fn a_reference_gives_the_first_job_again() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut request = range(1, 2);
    request["referencia_externa"] = json!("INUT1");
    let first = client.post(PATH, &request).await.ok(202);
    ended(&client, &first).await;
    let again = client.post(PATH, &request).await.ok(200);
    assert_eq!((&again["job_id"], &again["idempotente"]), (&first["job_id"], &json!(true)));
    assert_eq!((&again["payload_divergente"], &again["nota"]["status"]), (&json!(false), &json!("inutilizada")));
    request["numero_final"] = json!(3);
    assert_eq!(client.post(PATH, &request).await.ok(200)["payload_divergente"], json!(true));
    app.finish().await;
}

#[tokio::test]
async fn only_numbers_that_nobody_holds_are_voided() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    issued(&client, &body::emission(NUMERIC)).await;
    let used = client.post(PATH, &range(1, 9)).await.refused(409, "estado_invalido");
    assert_eq!(used["numero"], 1);
    voided(&client, &range(3, 4)).await;
    let again = client.post(PATH, &range(4, 5)).await.refused(409, "estado_invalido");
    assert_eq!(again["numero"], 4);
    assert!(again["mensagem"].as_str().unwrap().contains("já está inutilizado"), "{again}");
    app.finish().await;
}

#[tokio::test]
async fn the_request_is_checked_whole() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let missing = client.post(PATH, &json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!(missing["erros"].as_array().unwrap().len(), 3);
    for (member, value, campo) in [
        ("justificativa", json!("curta"), "justificativa"),
        ("justificativa", json!("x".repeat(256)), "justificativa"),
        ("justificativa", json!(format!("curta{}", "\u{1F600}".repeat(20))), "justificativa"),
        ("numero_inicial", json!(0), "numero_inicial"),
        ("numero_inicial", json!(1_000_000_000), "numero_inicial"),
        ("numero_final", json!(0), "numero_final"),
        ("numero_final", json!(10_001), "numero_final"),
        ("serie", json!(1000), "serie"),
        ("serie", json!("915"), "serie"),
        ("ano", json!(1999), "ano"),
        ("ano", json!("99"), "ano"),
        ("cpf_cnpj", json!("11222333000100"), "cpf_cnpj"),
        ("webhook_url", json!("http://exemplo.com.br"), "webhook_url"),
    ] {
        let mut request = range(1, 2);
        request[member] = value;
        let error = client.post(PATH, &request).await.refused(422, "validacao");
        assert_eq!(error["erros"][0]["campo"], campo, "{member} {error}");
    }
    let backwards = client.post(PATH, &range(3, 2)).await.refused(422, "validacao");
    assert_eq!(backwards["erros"][0]["campo"], "numero_final");
    let mut word = range(1, 2);
    word["numero_inicial"] = json!("dez");
    client.post(PATH, &word).await.refused(400, "requisicao_invalida");
    word = range(1, 2);
    word["referencia_externa"] = json!("com espaço");
    client.post(PATH, &word).await.refused(400, "referencia_invalida");
    let mut unknown = range(1, 2);
    unknown["cpf_cnpj"] = json!(ALPHANUMERIC);
    client.post(PATH, &unknown).await.refused(404, "nao_encontrado");
    client.post("/v1/empresas", &body::company(ALPHANUMERIC)).await.ok(201);
    client.post(PATH, &unknown).await.refused(422, "empresa_sem_configuracao");
    assert_eq!(client.get("/v1/notas?status=inutilizada").await.ok(200)["total"], 0, "nothing was registered");
    app.finish().await;
}

#[tokio::test]
async fn a_failed_request_is_tried_again() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let client = &tenant.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    // without a certificate it fails before anything is sent, and its numbers are free
    let failed = voided(client, &range(1, 2)).await;
    assert_eq!((&failed["status"], &failed["nota"]["status"]), (&json!("failed"), &Value::Null), "{failed}");
    assert_eq!(failed["erro_detalhe"]["codigo"], "empresa_sem_certificado");
    app.company_certificate(&tenant, NUMERIC).await;
    let path = format!("/v1/jobs/{}/reprocessar", failed["job_id"].as_str().unwrap());
    let again = client.post(&path, &json!({})).await.ok(202);
    assert_eq!(ended(client, &again).await["nota"]["status"], "inutilizada");
    app.finish().await;
}

#[tokio::test]
async fn a_producer_with_a_cpf_voids_numbers_in_mato_grosso_alone() {
    let app = TestApp::start().await;
    let client = app.issuer(PRODUCER).await.test;
    let request =
        json!({ "cpf_cnpj": PRODUCER, "serie": 920, "numero_inicial": 5, "numero_final": 6, "justificativa": WHY });
    let refused = client.post(PATH, &request).await.refused(422, "validacao");
    assert_eq!(refused["erros"][0]["campo"], "cpf_cnpj", "{refused}");
    let moved = json!({
        "inscricao_estadual": "00130000019",
        "endereco": { "uf": "MT", "codigo_municipio": "5103403", "cidade": "Cuiabá" }
    });
    client.put(&format!("/v1/empresas/{PRODUCER}"), &moved).await.ok(200);
    let job = voided(&client, &request).await;
    assert_eq!(job["nota"]["status"], "inutilizada", "{job}");
    let id = job["job_id"].as_str().unwrap();
    let xml = client.get(&format!("/v1/nfe/{id}/file/xml")).await.text();
    let range = "0005299822472555920000000005000000006\"";
    assert!(
        xml.contains("Id=\"ID51") && xml.contains(range) && xml.contains(&format!("<CPF>{PRODUCER}</CPF>")),
        "{xml}"
    );
    app.finish().await;
}

const PRODUCER: &str = "52998224725";
