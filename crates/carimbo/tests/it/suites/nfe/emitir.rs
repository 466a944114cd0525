//! `POST /v1/nfe/emitir`: accepted input, notices, refusals.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC, number};
use crate::support::judge;

#[tokio::test]
async fn the_example_of_the_interface_is_accepted_and_authorised() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let now = engine::process::local_time::written(jiff::Timestamp::now(), fiscal::value::Uf::SP);
    let accepted = client.post("/v1/nfe/emitir", &body::interface_example(NUMERIC, &now)).await.ok(202);
    assert_eq!(accepted["referencia_externa"], "PED1001");
    assert_eq!((&accepted["status"], &accepted["webhook"]), (&"pending".into(), &true.into()));
    assert_eq!((&accepted["ambiente"], &accepted["idempotente"]), (&"homologacao".into(), &false.into()));
    assert!(accepted["mensagem"].is_string() && accepted["avisos"].is_array());
    let job_id = accepted["job_id"].as_str().unwrap();
    assert_eq!(uuid::Uuid::parse_str(job_id).unwrap().get_version_num(), 7);
    assert_eq!(accepted["consulta"], format!("/v1/nfe/consultar/{job_id}"));
    let job = ended(&client, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    assert_eq!(job["nota"]["numero"], 1234);
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_proc_nfe(&xml, &app.ca_file());
    app.finish().await;
}

#[tokio::test]
async fn a_company_with_letters_in_its_number_issues_like_any_other() {
    let app = TestApp::start().await;
    let client = app.issuer(ALPHANUMERIC).await.test;
    let mut body = body::emission("12.abc.345/01de-35");
    body["referencia_externa"] = json!("ALFA1");
    let job = issued(&client, &body).await;
    assert_eq!((&job["status"], &job["nota"]["status"]), (&"completed".into(), &"autorizada".into()), "{job}");
    assert_eq!(&job["nota"]["chave"].as_str().unwrap()[6..20], ALPHANUMERIC);
    let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    judge::accepts_proc_nfe(&xml, &app.ca_file());
    app.finish().await;
}

#[tokio::test]
async fn a_misspelled_field_is_ignored_and_named_with_the_right_one() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["xProdd"] = json!("sobra");
    body["refrencia_externa"] = json!("A1");
    let accepted = client.post("/v1/nfe/emitir", &body).await.ok(202);
    let avisos = accepted["avisos"].as_array().unwrap();
    let find = |campo: &str| {
        avisos.iter().find(|aviso| aviso["campo"] == campo).unwrap_or_else(|| panic!("{campo}: {avisos:?}"))
    };
    let field = find("nota.produtos[0].xProdd");
    assert_eq!((&field["codigo"], &field["sugestao"]), (&"campo_desconhecido".into(), &"xProd".into()));
    assert_eq!(find("refrencia_externa")["sugestao"], "referencia_externa");
    assert_eq!(ended(&client, &accepted).await["nota"]["status"], "autorizada");
    app.finish().await;
}

#[tokio::test]
async fn strict_refuses_what_would_be_remarked_and_registers_nothing() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("ESTRITO1");
    body["nota"]["produtos"][0]["vProdd"] = number("1.00");
    let error = client.post("/v1/nfe/emitir?estrito=true", &body).await.refused(422, "documento_invalido");
    let problem = error["erros"].as_array().unwrap().iter().find(|erro| erro["campo"] == "nota.produtos[0].vProdd");
    let problem = problem.unwrap_or_else(|| panic!("{error}"));
    assert_eq!((&problem["codigo"], &problem["sugestao"]), (&"campo_desconhecido".into(), &"vProd".into()));
    client.post("/v1/nfe/emitir?estrito=talvez", &body).await.refused(400, "requisicao_invalida");
    // the reference is still free
    client.post("/v1/nfe/emitir", &body).await.ok(202);
    let job = ended(&client, &client.post("/v1/nfe/emitir", &body).await.ok(200)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    app.finish().await;
}

#[tokio::test]
async fn what_cannot_be_built_is_refused_with_every_problem() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"].as_object_mut().unwrap().remove("destinatario");
    body["nota"]["produtos"][0]["vProd"] = json!("cem");
    body["nota"]["produtos"][0].as_object_mut().unwrap().remove("xProd");
    let error = client.post("/v1/nfe/emitir", &body).await.refused(422, "documento_invalido");
    let fields: Vec<String> =
        error["erros"].as_array().unwrap().iter().map(|erro| erro["campo"].as_str().unwrap().to_owned()).collect();
    for expected in ["nota.destinatario", "nota.produtos[0].vProd", "nota.produtos[0].xProd"] {
        assert!(fields.iter().any(|field| field.starts_with(expected)), "{expected} in {fields:?}");
    }
    let error = client.post("/v1/nfe/emitir", &json!({ "cpf_cnpj": NUMERIC, "nota": {} })).await;
    error.refused(422, "documento_invalido");
    app.finish().await;
}

#[tokio::test]
async fn a_company_must_be_known_configured_and_certified() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.refused(404, "nao_encontrado");
    let wrong = client.post("/v1/nfe/emitir", &body::emission("11222333000180")).await.refused(422, "validacao");
    assert_eq!(wrong["erros"][0]["campo"], "cpf_cnpj");
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.refused(422, "empresa_sem_configuracao");
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 2 })).await.ok(200);
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    assert!(accepted["avisos"].to_string().contains("empresa_sem_certificado"), "{accepted}");
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["status"], &job["erro_detalhe"]["etapa"]), (&"failed".into(), &"assinatura".into()), "{job}");
    assert_eq!(job["erro_detalhe"]["codigo"], "empresa_sem_certificado");
    assert!(job["erro"].is_string());
    app.finish().await;
}

#[tokio::test]
async fn production_needs_the_key_and_the_configuration() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let ambiente = async |client: &crate::support::client::Client| -> Value {
        let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
        let job = ended(client, &accepted).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
        assert_eq!(job["ambiente"], accepted["ambiente"]);
        accepted["ambiente"].clone()
    };
    assert_eq!(ambiente(&tenant.live).await, "homologacao");
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    assert_eq!(ambiente(&tenant.test).await, "homologacao");
    assert_eq!(ambiente(&tenant.live).await, "producao");
    app.finish().await;
}

#[tokio::test]
async fn numbers_come_as_numbers_or_texts_and_keep_their_decimals() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["vUnCom"] = json!("5.0000000000");
    body["nota"]["produtos"][0]["qCom"] = json!("20.0000");
    body["nota"]["produtos"][0]["vProd"] = json!("100");
    let accepted = client.post("/v1/nfe/emitir", &body).await.ok(202);
    ended(&client, &accepted).await;
    let answer = client.get(accepted["consulta"].as_str().unwrap()).await;
    assert!(answer.text().contains("\"valor_total\":100.00,"), "{}", answer.text());
    app.finish().await;
}
