//! `GET /v1/cnpj/{cnpj}`: the sources, the masks, the refusals. The imported base is tested in `operator::dados` and in
//! the crate `lookup`.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::quotas::consumed;
use crate::support::source::{Says, Source, sources};

const CNPJ: &str = "11222333000181";
const LETTERS: &str = "12ABC34501DE35";

fn loja() -> Value {
    json!({ "cnpj": CNPJ, "razao_social": "LOJA LTDA", "nome_fantasia": "", "situacao_cadastral": 2, "descricao_situacao_cadastral": "ATIVA",
        "data_inicio_atividade": "1998-03-31", "cnae_fiscal": 111_301, "cnae_fiscal_descricao": "Cultivo de arroz",
        "cnaes_secundarios": [{ "codigo": 0, "descricao": "" }, { "codigo": 6_201_501, "descricao": "Software" }],
        "logradouro": "DA SE", "cep": "01001000", "municipio": "SAO PAULO", "codigo_municipio": 7107, "uf": "SP", "capital_social": 10_000,
        "opcao_pelo_simples": true, "qsa": [{ "nome_socio": "ANA", "outro": 1 }], "mais": "x" })
}

#[tokio::test]
async fn a_source_s_registration_is_told_in_our_names() {
    let source = Source::start().await;
    source.says(&format!("/brasilapi/{CNPJ}"), Says::Json(200, loja()));
    let app = TestApp::with_lookups(sources(&[], &[("brasilapi", &source.url)])).await;
    let tenant = app.tenant().await;
    let company = tenant.test.get(&format!("/v1/cnpj/{CNPJ}")).await.ok(200);
    for (name, value) in [
        ("sucesso", json!(true)),
        ("encontrado", json!(true)),
        ("cnpj", json!(CNPJ)),
        ("razao_social", json!("LOJA LTDA")),
        ("nome_fantasia", Value::Null),
        ("situacao_cadastral", json!(2)),
        ("cnae_fiscal", json!("0111301")),
        ("cnaes_secundarios", json!([{ "codigo": "6201501", "descricao": "Software" }])),
        ("codigo_municipio_ibge", json!("3550308")),
        ("opcao_pelo_simples", json!(true)),
        ("opcao_pelo_mei", Value::Null),
        ("fonte", json!("fonte_externa")),
        ("versao_da_base", Value::Null),
    ] {
        assert_eq!(company[name], value, "{name}");
    }
    assert_eq!(company["capital_social"].to_string(), "10000.00");
    assert_eq!(
        (&company["qsa"][0]["nome_socio"], &company["qsa"][0]["outro"], &company["mais"]),
        (&json!("ANA"), &Value::Null, &Value::Null)
    );
    for masked in ["11.222.333/0001-81", "11.222.333%2F0001-81", "11222333%2F0001-81"] {
        assert_eq!(tenant.test.get(&format!("/v1/cnpj/{masked}")).await.ok(200)["cnpj"], CNPJ, "{masked}");
    }
    assert_eq!(source.asked().len(), 1);
    assert_eq!(consumed(&tenant, "cnpj").await, 4);
    app.finish().await;
}

#[tokio::test]
async fn receita_ws_is_read_too_and_asked_when_the_first_is_down() {
    let (down, good) = (Source::start().await, Source::start().await);
    down.says(&format!("/brasilapi/{CNPJ}"), Says::Json(503, json!({})));
    let told = json!({ "status": "OK", "nome": "LOJA LTDA", "situacao": "BAIXADA", "tipo": "FILIAL", "abertura": "31/03/1998", "municipio": "SAO PAULO", "uf": "SP" });
    good.says(&format!("/receitaws/{CNPJ}"), Says::Json(200, told));
    good.says(
        &format!("/receitaws/{LETTERS}"),
        Says::Json(200, json!({ "status": "ERROR", "message": "CNPJ inválido" })),
    );
    let app = TestApp::with_lookups(sources(&[], &[("brasilapi", &down.url), ("receitaws", &good.url)])).await;
    let tenant = app.tenant().await;
    let company = tenant.test.get(&format!("/v1/cnpj/{CNPJ}")).await.ok(200);
    assert_eq!((&company["situacao_cadastral"], &company["data_inicio_atividade"]), (&json!(8), &json!("1998-03-31")));
    // a source that does not know letters yet calls the number wrong; we do not
    down.says(&format!("/brasilapi/{LETTERS}"), Says::Json(400, json!({ "message": "CNPJ inválido" })));
    let absent = tenant.test.get(&format!("/v1/cnpj/{LETTERS}")).await.refused(404, "nao_encontrado");
    assert_eq!(absent["encontrado"], false);
    assert!(!absent["mensagem"].as_str().unwrap().contains("inválido"));
    app.finish().await;
}

#[tokio::test]
async fn an_unknown_company_is_a_404_and_a_wrong_number_is_named() {
    let source = Source::start().await;
    let app = TestApp::with_lookups(sources(&[], &[("minhareceita", &source.url)])).await;
    let tenant = app.tenant().await;
    let absent = tenant.test.get("/v1/cnpj/12.abc.345%2F01de-35").await.refused(404, "nao_encontrado");
    assert_eq!(absent["encontrado"], false);
    assert_eq!(source.asked(), [format!("/minhareceita/{LETTERS}")]);
    for (wrong, status, codigo) in [
        ("11222333000182", 422, "validacao"),
        ("00000000000000", 422, "validacao"),
        ("1122233300018", 400, "requisicao_invalida"),
        ("abc", 400, "requisicao_invalida"),
        ("112223330001AA", 400, "requisicao_invalida"),
    ] {
        let refused = tenant.test.get(&format!("/v1/cnpj/{wrong}")).await.refused(status, codigo);
        assert_eq!(refused["erros"][0]["campo"], "cnpj", "{wrong}");
    }
    app.anonymous().get(&format!("/v1/cnpj/{CNPJ}")).await.refused(401, "nao_autenticado");
    assert_eq!(consumed(&tenant, "cnpj").await, 1);
    app.finish().await;
}

#[tokio::test]
async fn with_nowhere_to_look_the_answer_says_so() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let refused = tenant.test.get(&format!("/v1/cnpj/{CNPJ}")).await;
    assert_eq!(refused.header("retry-after"), "");
    let message = refused.refused(501, "consulta_nao_configurada")["mensagem"].as_str().unwrap().to_owned();
    assert!(message.contains("consultas.cnpj_fontes") && message.contains("carimbo dados importar cnpj"), "{message}");
    assert_eq!(consumed(&tenant, "cnpj").await, 0);
    app.finish().await;
}
