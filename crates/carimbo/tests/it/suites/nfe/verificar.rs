//! `POST /v1/nfe/verificar-campos` and its counterpart of the NFC-e: everything is reported, nothing is issued.

use serde_json::{Value, json};
use store::audit::Actor;
use store::quotas::Familia;

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC, number};

const PATH: &str = "/v1/nfe/verificar-campos";

/// The finding at a path of one of the lists.
#[track_caller]
fn at<'v>(answer: &'v Value, list: &str, campo: &str) -> &'v Value {
    let found = answer[list].as_array().unwrap().iter().find(|found| found["campo"] == campo);
    found.unwrap_or_else(|| panic!("{campo} is not in {list}: {answer:#}"))
}

#[track_caller]
fn assert_valid(answer: &Value) {
    for list in ["campos_desconhecidos", "campos_ausentes", "erros", "rejeicoes_previstas"] {
        assert_eq!(answer[list], json!([]), "{list}: {answer:#}");
    }
    assert_eq!((&answer["sucesso"], &answer["valido"]), (&true.into(), &true.into()), "{answer:#}");
}

#[tokio::test]
async fn a_good_payload_is_valid_and_its_totals_are_summed() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"] = json!([body::item("100.00"), body::item("100.00")]);
    body["nota"]["produtos"][1]["vFrete"] = number("12.5");
    body["nota"]["pagamentos"][0]["vPag"] = number("212.50");
    let answer = client.post(PATH, &body).await;
    assert!(answer.text().contains("\"vNF\":212.50"), "{}", answer.text());
    let answer = answer.ok(200);
    assert_valid(&answer);
    assert_eq!(answer["ambiente"], "homologacao");
    assert_eq!(answer["totais_calculados"]["vProd"], number("200.00"));
    assert_eq!(answer["totais_calculados"]["vFrete"], number("12.50"));
    // an assumed value gets a notice and does not block
    assert_eq!(at(&answer, "avisos", "nota.produtos[0].pis.vBC")["codigo"], "assumido_zero");
    let now = engine::process::local_time::written(jiff::Timestamp::now(), fiscal::value::Uf::SP);
    assert_valid(&client.post(PATH, &body::interface_example(NUMERIC, &now)).await.ok(200));
    app.finish().await;
}

#[tokio::test]
async fn every_kind_of_finding_is_told_at_once_and_nothing_is_registered() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let now = jiff::Timestamp::now().as_second();
    app.store
        .set_quota(tenant.id, fiscal::value::TpAmb::Homologacao, Familia::Nfe, Some(1), &Actor::operator(), now)
        .await
        .unwrap();
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("VERIFICA1");
    body["refrencia"] = json!("x");
    let item = body["nota"]["produtos"][0].as_object_mut().unwrap();
    item.shift_remove("NCM");
    item.shift_remove("vProd");
    item.insert("vlProd".to_owned(), number("100.00"));
    item.insert("CFOP".to_owned(), json!(1102));
    body["nota"]["total"] = json!({ "vNF": number("110.00") });
    body["nota"]["identificacao"]["dhEmi"] = json!("ontem");
    let answer = client.post(PATH, &body).await.ok(200);
    assert_eq!((&answer["sucesso"], &answer["valido"]), (&true.into(), &false.into()));
    assert_eq!(at(&answer, "campos_desconhecidos", "nota.produtos[0].vlProd")["sugestao"], "vProd");
    assert_eq!(at(&answer, "campos_desconhecidos", "refrencia")["codigo"], "campo_desconhecido");
    assert_eq!(at(&answer, "campos_ausentes", "nota.produtos[0].NCM")["codigo"], "campo_obrigatorio");
    assert_eq!(at(&answer, "campos_ausentes", "nota.produtos[0].vProd")["codigo"], "assumido_zero");
    assert_eq!(at(&answer, "erros", "nota.identificacao.dhEmi")["codigo"], "valor_invalido");
    let total = at(&answer, "erros", "nota.total.vNF");
    assert_eq!((&total["codigo"], &total["sugestao"]), (&"total_divergente".into(), &"0.00".into()));
    assert_eq!(answer["totais_calculados"]["vNF"], number("0.00"));
    let predicted = at(&answer, "rejeicoes_previstas", "nota.produtos[0].CFOP");
    assert_eq!(predicted["codigo_status"], 518, "{predicted}");
    assert!(predicted["motivo_status"].as_str().unwrap().starts_with("Rejeição: CFOP de entrada"), "{predicted}");
    assert_eq!(at(&answer, "rejeicoes_previstas", "nota.total.vNF")["codigo_status"], 610);
    // no finding about what is not there
    let about_ncm =
        answer["rejeicoes_previstas"].as_array().unwrap().iter().any(|found| found["campo"] == "nota.produtos[0].NCM");
    assert!(!about_ncm, "{answer:#}");
    // the reference is free, and the only emission of the month is still there
    client.get("/v1/jobs/localizar?ref=VERIFICA1").await.refused(404, "nao_encontrado");
    let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    assert_eq!(ended(client, &accepted).await["nota"]["status"], "autorizada");
    app.finish().await;
}

#[tokio::test]
async fn what_is_predicted_is_what_emission_warns_of() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["vProd"] = number("90.00");
    body["nota"]["total"] = json!({ "vNF": number("100.00") });
    let checked = client.post(PATH, &body).await.ok(200);
    let codes = |list: &Value| -> Vec<Value> {
        let found = list.as_array().unwrap().iter().filter(|found| !found["codigo_status"].is_null());
        found.map(|found| json!([found["codigo_status"], found["campo"]])).collect()
    };
    let accepted = client.post("/v1/nfe/emitir", &body).await.ok(202);
    assert_eq!(codes(&checked["rejeicoes_previstas"]), codes(&accepted["avisos"]));
    let job = ended(&client, &accepted).await;
    assert_eq!(job["nota"]["codigo_status"], checked["rejeicoes_previstas"][0]["codigo_status"], "{job}");
    app.finish().await;
}

#[tokio::test]
async fn a_company_that_is_missing_or_not_configured_is_one_finding_more() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["xProdd"] = json!("sobra");
    let answer = client.post(PATH, &body).await.ok(200);
    assert_eq!(at(&answer, "erros", "cpf_cnpj")["codigo"], "nao_encontrado");
    assert_eq!(at(&answer, "campos_ausentes", "nota.emitente.UF")["codigo"], "campo_obrigatorio");
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let answer = client.post(PATH, &body).await.ok(200);
    assert_eq!(at(&answer, "erros", "cpf_cnpj")["codigo"], "empresa_sem_configuracao");
    at(&answer, "campos_desconhecidos", "nota.produtos[0].xProdd");
    assert_eq!(at(&answer, "avisos", "cpf_cnpj")["codigo"], "empresa_sem_certificado");
    app.finish().await;
}

#[tokio::test]
async fn the_wrapper_must_be_well_formed() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post(PATH, &json!({ "nota": {} })).await.refused(400, "campo_obrigatorio");
    client.post(PATH, &json!({ "cpf_cnpj": NUMERIC, "nota": [] })).await.refused(400, "requisicao_invalida");
    client.post(PATH, &json!({ "cpf_cnpj": "11222333000180", "nota": {} })).await.refused(422, "validacao");
    app.anonymous().post(PATH, &body::emission(NUMERIC)).await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn an_nfce_is_judged_as_an_nfce() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let nfce = json!({ "ambiente": 2, "serie": "1", "csc_id": "000001", "csc": "SEGREDO-DE-TESTE" });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfce"), &nfce).await.ok(200);
    let mut body = body::emission(NUMERIC);
    body["nota"].as_object_mut().unwrap().shift_remove("destinatario");
    let answer = tenant.test.post("/v1/nfce/verificar-campos", &body).await.ok(200);
    assert_valid(&answer);
    body["nota"]["total"] = json!({ "vNF": number("110.00") });
    let answer = tenant.test.post("/v1/nfce/verificar-campos", &body).await.ok(200);
    assert_eq!(at(&answer, "rejeicoes_previstas", "nota.total.vNF")["codigo_status"], 610);
    let as_nfe = tenant.test.post(PATH, &body).await.ok(200);
    at(&as_nfe, "campos_ausentes", "nota.destinatario");
    app.finish().await;
}

#[tokio::test]
async fn nine_hundred_and_ninety_items_are_checked_like_one() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    let mut items = vec![body::item("100.00"); 990];
    items[989]["vlProd"] = number("1.00");
    body["nota"]["produtos"] = Value::Array(items);
    body["nota"]["pagamentos"][0]["vPag"] = number("99000.00");
    let answer = client.post(PATH, &body).await.ok(200);
    assert_eq!(at(&answer, "campos_desconhecidos", "nota.produtos[989].vlProd")["sugestao"], "vProd");
    assert_eq!(answer["campos_desconhecidos"].as_array().unwrap().len(), 1);
    assert_eq!(answer["totais_calculados"]["vProd"], number("99000.00"));
    app.finish().await;
}
