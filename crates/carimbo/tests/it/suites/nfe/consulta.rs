//! `GET /v1/nfe/status-servico` and `GET /v1/nfe/cadastro`.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::body::NUMERIC;

const IE: &str = "110042490114";

async fn asked(app: &TestApp, service: &str) -> u64 {
    let totals = app.control.get("/_sim/contadores").await.ok(200);
    totals["por_servico"][service].as_u64().unwrap_or_default()
}

#[tokio::test]
async fn the_status_is_asked_once_in_three_minutes_and_says_when() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let before = asked(&app, "NFeStatusServico4").await;
    let first = tenant.test.get("/v1/nfe/status-servico?uf=sp").await.ok(200);
    assert_eq!(
        (&first["codigo_status"], &first["em_operacao"], &first["autoridade"]),
        (&107.into(), &true.into(), &"SP".into())
    );
    assert_eq!((&first["ambiente"], &first["uf"]), (&"homologacao".into(), &"SP".into()));
    let down = json!([{ "modo": "paralisado_momentaneamente", "autoridade": "sp", "retorno_s": 600 }]);
    app.control.put("/_sim/servicos", &down).await.ok(200);
    let again = tenant.test.get("/v1/nfe/status-servico?uf=SP").await.ok(200);
    assert_eq!(again, first, "what was said is told again, with its moment");
    assert_eq!(asked(&app, "NFeStatusServico4").await, before + 1);
    app.clock.forward(181);
    let later = tenant.test.get("/v1/nfe/status-servico?uf=SP").await.ok(200);
    assert_eq!((&later["codigo_status"], &later["em_operacao"]), (&108.into(), &false.into()), "{later}");
    assert!(later["retorno_previsto_em"].is_string() && later["consultado_em"] != first["consultado_em"], "{later}");
    // a separate query for another authority
    assert_eq!(tenant.test.get("/v1/nfe/status-servico?uf=RJ").await.ok(200)["autoridade"], "SVRS");
    app.finish().await;
}

#[tokio::test]
async fn a_status_service_that_is_silent_is_503() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    // a handshake that fails is tried once more by TLS 1.2
    app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 2 })).await.ok(201);
    let silent = tenant.test.get("/v1/nfe/status-servico?uf=SP").await;
    assert!(!silent.header("retry-after").is_empty());
    silent.refused(503, "indisponivel");
    app.finish().await;
}

#[tokio::test]
async fn a_taxpayer_is_found_in_the_register_of_its_state() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let taxpayer = json!({ "ie": [IE], "uf": "SP", "nome": "PAPELARIA & CIA", "cnae": "4761003" });
    app.control.put("/_sim/contribuintes/60701190000104", &taxpayer).await.ok(200);
    for query in ["cnpj=60.701.190/0001-04", "ie=110.042.490.114"] {
        let found = tenant.test.get(&format!("/v1/nfe/cadastro?uf=SP&{query}")).await.ok(200);
        assert_eq!(
            (&found["codigo_status"], &found["total"], &found["encontrado"]),
            (&111.into(), &1.into(), &true.into())
        );
        let one = &found["contribuintes"][0];
        assert_eq!(
            (&one["IE"], &one["CNPJ"], &one["xNome"]),
            (&IE.into(), &"60701190000104".into(), &"PAPELARIA & CIA".into())
        );
        assert_eq!(
            (&one["habilitado"], &one["credenciado_nfe"], &one["ender"]),
            (&true.into(), &true.into(), &Value::Null)
        );
    }
    let elsewhere = tenant.test.get("/v1/nfe/cadastro?uf=MG&cnpj=60701190000104").await.refused(404, "nao_encontrado");
    assert_eq!((&elsewhere["encontrado"], &elsewhere["codigo_status"]), (&false.into(), &259.into()), "{elsewhere}");
    let wrong = tenant.test.get("/v1/nfe/cadastro?uf=SP&ie=110042490115").await.refused(422, "validacao");
    assert_eq!(wrong["codigo_status"], 260, "{wrong}");
    tenant.test.get("/v1/nfe/cadastro?uf=AM&cnpj=60701190000104").await.refused(422, "validacao");
    app.finish().await;
}

#[tokio::test]
async fn the_register_is_asked_no_more_often_than_the_authority_bears() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let path = "/v1/nfe/cadastro?uf=SP&cnpj=60701190000104";
    for _ in 0..35 {
        tenant.test.get(path).await.refused(404, "nao_encontrado");
    }
    let refused = tenant.test.get(path).await;
    assert!(refused.header("retry-after").parse::<i64>().unwrap() > 3_000);
    refused.refused(429, "muitas_requisicoes");
    assert_eq!(asked(&app, "CadConsultaCadastro4").await, 35);
    app.finish().await;
}

#[tokio::test]
async fn the_questions_are_checked_whole() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    client.get("/v1/nfe/status-servico").await.refused(400, "campo_obrigatorio");
    client.get("/v1/nfe/status-servico?uf=XX").await.refused(400, "requisicao_invalida");
    client.get("/v1/nfe/status-servico?uf=SP&ambiente=producao").await.refused(403, "ambiente_incorreto");
    client.get("/v1/nfe/cadastro?uf=SP").await.refused(400, "campo_obrigatorio");
    client.get("/v1/nfe/cadastro?uf=SP&cnpj=60701190000104&ie=12").await.refused(400, "campo_obrigatorio");
    for wrong in ["cnpj=1", "cpf=60701190000104", "ie=x1"] {
        client.get(&format!("/v1/nfe/cadastro?uf=SP&{wrong}")).await.refused(400, "requisicao_invalida");
    }
    // another tenant's company, and an account without any certificate
    let bare = app.tenant().await.test;
    bare.get(&format!("/v1/nfe/status-servico?uf=PR&cpf_cnpj={NUMERIC}")).await.refused(404, "nao_encontrado");
    bare.get("/v1/nfe/status-servico?uf=PR").await.refused(422, "certificado_invalido");
    assert_eq!(tenant.live.get("/v1/nfe/status-servico?uf=SP").await.ok(200)["ambiente"], "producao");
    app.finish().await;
}
