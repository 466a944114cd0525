//! `POST /v1/empresas`, `GET` and `PUT /v1/empresas/{cpf_cnpj}`, `GET /v1/empresas`.

use serde_json::json;
use server::{AccountLimits, ServiceLimits};

use crate::support::app::TestApp;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};

#[tokio::test]
async fn a_company_is_kept_and_found_by_any_writing_of_its_number() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let answer = client.post("/v1/empresas", &body::company("11.222.333/0001-81")).await;
    assert_eq!(answer.header("location"), "/v1/empresas/11222333000181");
    let made = answer.ok(201);
    assert_eq!(made["cpf_cnpj"], NUMERIC);
    assert_eq!(made["inscricao_estadual"], "110042490114");
    assert_eq!(made["endereco"]["cep"], "01001000");
    assert_eq!(made["endereco"]["pais"], "Brasil");
    assert_eq!(made["certificado"], json!({ "status": "sem_certificado" }));
    assert_eq!(made["configuracoes"], json!({}));
    assert!(made["criado_em"].as_str().unwrap().ends_with("-03:00"), "{made}");
    let shown = client.get(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    assert_eq!(shown["endereco"], made["endereco"]);
    for path in ["11.222.333%2F0001-81", "11.222.333/0001-81", "11222333%2F0001-81"] {
        assert_eq!(client.get(&format!("/v1/empresas/{path}")).await.ok(200), shown, "{path}");
    }
    client.post("/v1/empresas", &body::company(NUMERIC)).await.refused(409, "ja_existe");
    app.finish().await;
}

#[tokio::test]
async fn an_account_has_so_many_companies_and_no_more() {
    let account = AccountLimits { companies: 1, ..AccountLimits::default() };
    let app = TestApp::start_with(|parts| parts.limits = ServiceLimits { account, ..ServiceLimits::default() }).await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    let full = client.post("/v1/empresas", &body::company(ALPHANUMERIC)).await.refused(422, "limite_da_conta");
    assert!(full["detail"].as_str().unwrap().contains("1 empresas"), "{full}");
    client.get(&format!("/v1/empresas/{ALPHANUMERIC}")).await.refused(404, "nao_encontrado");
    client.post("/v1/empresas", &body::company(NUMERIC)).await.refused(409, "ja_existe");
    app.tenant().await.test.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    app.finish().await;
}

#[tokio::test]
async fn a_number_with_letters_is_like_any_other() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    client.post("/v1/empresas", &body::company("12.abc.345/01de-35")).await.ok(201);
    for path in [ALPHANUMERIC, "12abc34501de35", "12.ABC.345/01DE-35"] {
        assert_eq!(client.get(&format!("/v1/empresas/{path}")).await.ok(200)["cpf_cnpj"], ALPHANUMERIC, "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn aliases_are_taken_and_every_wrong_value_is_named() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let body = json!({ "cnpj": NUMERIC, "razao_social": "Padaria", "ie": "110042490114",
        "endereco": { "uf": "SP", "codigo_municipio_ibge": 3550308 } });
    let made = client.post("/v1/empresas", &body).await.ok(201);
    assert_eq!(made["avisos"], json!([]));
    assert_eq!(
        (&made["nome_razao_social"], &made["endereco"]["codigo_municipio"]),
        (&"Padaria".into(), &"3550308".into())
    );

    let missing = client.post("/v1/empresas", &json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!(missing["erros"].as_array().unwrap().len(), 2);
    let wrong = json!({ "cpf_cnpj": "11222333000182", "nome": "X", "crt": 7, "ie": "110042490115",
        "endereco": { "uf": "SP", "codigo_municipio": "3304557", "cep": "1" } });
    let error = client.post("/v1/empresas", &wrong).await.refused(422, "validacao");
    let fields: Vec<&str> =
        error["erros"].as_array().unwrap().iter().map(|erro| erro["campo"].as_str().unwrap()).collect();
    assert_eq!(fields, ["cpf_cnpj", "crt", "endereco.cep", "endereco.codigo_municipio", "inscricao_estadual"]);
    app.finish().await;
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_keeps_the_rest() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let path = format!("/v1/empresas/{NUMERIC}");
    let change = json!({ "email": "fiscal@exemplo.com.br", "endereco": { "numero": "100", "bairo": "Luz" } });
    let changed = client.put(&path, &change).await.ok(200);
    let remark = &changed["avisos"][0];
    assert_eq!((&remark["campo"], &remark["sugestao"]), (&"endereco.bairo".into(), &"bairro".into()));
    assert_eq!((&changed["email"], &changed["endereco"]["numero"]), (&"fiscal@exemplo.com.br".into(), &"100".into()));
    assert_eq!((&changed["endereco"]["bairro"], &changed["certificado"]["status"]), (&"Sé".into(), &"valido".into()));
    assert_eq!(changed["configuracoes"]["nfe"]["ambiente"], 2);
    client.put(&path, &json!({ "cpf_cnpj": ALPHANUMERIC })).await.refused(422, "validacao");
    client.put(&path, &json!({ "nome_razao_social": null })).await.refused(422, "validacao");
    client.put("/v1/empresas/12345678000195", &json!({})).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn another_tenants_company_does_not_exist() {
    let app = TestApp::start().await;
    let owner = app.issuer(NUMERIC).await.test;
    let other = app.tenant().await.test;
    let path = format!("/v1/empresas/{NUMERIC}");
    other.get(&path).await.refused(404, "nao_encontrado");
    other.put(&path, &json!({ "email": "x@y.z" })).await.refused(404, "nao_encontrado");
    other.put(&format!("{path}/nfe"), &json!({})).await.refused(404, "nao_encontrado");
    assert_eq!(other.get("/v1/empresas").await.ok(200)["total"], 0);
    assert_eq!(owner.get("/v1/empresas").await.ok(200)["total"], 1);
    other.get("/v1/empresas/123").await.refused(422, "validacao");
    app.finish().await;
}

#[tokio::test]
async fn companies_are_listed_in_pages() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    for number in [NUMERIC, ALPHANUMERIC, "52998224725"] {
        client.post("/v1/empresas", &body::company(number)).await.ok(201);
    }
    let page = client.get("/v1/empresas?limite=2&pagina=2").await.ok(200);
    assert_eq!(page["empresas"].as_array().unwrap().len(), 1);
    assert_eq!((&page["total"], &page["pagina"], &page["limite"]), (&3.into(), &2.into(), &2.into()));
    client.get("/v1/empresas?limite=101").await.refused(400, "requisicao_invalida");
    app.finish().await;
}
