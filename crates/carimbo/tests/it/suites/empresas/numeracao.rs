//! `GET /v1/empresas/numeracao`.

use serde_json::{Value, json};

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::users::session;

fn record(listed: &Value, cpf_cnpj: &str, tipo: &str, ambiente: &str) -> Value {
    let found = listed["numeracao"].as_array().unwrap().iter();
    let mut found = found
        .filter(|record| record["cpf_cnpj"] == cpf_cnpj && record["tipo"] == tipo && record["ambiente"] == ambiente);
    found.next().unwrap_or_else(|| panic!("{cpf_cnpj} {tipo} {ambiente} in {listed}")).clone()
}

#[tokio::test]
async fn only_authorised_notes_advance_the_last_number() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let path = "/v1/empresas/numeracao";
    let fresh = record(&client.get(path).await.ok(200), NUMERIC, "nfe", "homologacao");
    let expected = json!({ "cpf_cnpj": NUMERIC, "tipo": "nfe", "modelo": 55, "serie": "1", "ambiente": "homologacao",
        "ultimo_numero": null, "proximo_numero": 1 });
    assert_eq!(fresh, expected);
    assert_eq!(issued(client, &body::emission(NUMERIC)).await["nota"]["numero"], 1);
    let mut rejected = body::emission(NUMERIC);
    rejected["nota"]["produtos"][0]["xProd"] = json!("Caderno [SIM:cStat=610]");
    assert_eq!(issued(client, &rejected).await["nota"]["status"], "rejeitada");
    let after = record(&client.get(path).await.ok(200), NUMERIC, "nfe", "homologacao");
    assert_eq!((&after["ultimo_numero"], &after["proximo_numero"]), (&1.into(), &2.into()));
    // a number of the caller's choice, beyond the sequence
    let mut chosen = body::emission(NUMERIC);
    chosen["nota"]["identificacao"]["nNF"] = json!(40);
    assert_eq!(issued(client, &chosen).await["nota"]["numero"], 40);
    let after = record(&client.get(path).await.ok(200), NUMERIC, "nfe", "homologacao");
    assert_eq!((&after["ultimo_numero"], &after["proximo_numero"]), (&40.into(), &2.into()));
    app.finish().await;
}

#[tokio::test]
async fn companies_types_and_environments_are_told_apart() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.live;
    client.post("/v1/empresas", &body::company(ALPHANUMERIC)).await.ok(201);
    client.put(&format!("/v1/empresas/{ALPHANUMERIC}/nfce"), &json!({ "serie": 3, "proximo_numero": 9 })).await.ok(200);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1, "proximo_numero": 77 })).await.ok(200);
    client.put(&format!("/v1/empresas/{NUMERIC}/cte"), &json!({})).await.ok(200);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &json!({})).await.ok(200);
    let all = client.get("/v1/empresas/numeracao").await.ok(200);
    assert_eq!(all["total"], 5);
    assert_eq!(record(&all, NUMERIC, "nfe", "producao")["proximo_numero"], 77);
    assert_eq!(record(&all, NUMERIC, "nfe", "homologacao")["proximo_numero"], 1);
    assert_eq!(record(&all, NUMERIC, "nfse", "homologacao")["modelo"], Value::Null);
    let nfce = record(&all, ALPHANUMERIC, "nfce", "homologacao");
    assert_eq!((&nfce["serie"], &nfce["proximo_numero"]), (&"3".into(), &9.into()));
    for (query, total) in [
        ("tipo=nfe", 2),
        ("tipo=nfce", 1),
        ("tipo=nfse", 1),
        ("tipo=cte", 1),
        ("cnpj=12.ABC.345%2F01DE-35", 1),
        ("cnpj=12abc34501de35&tipo=nfe", 0),
        ("cnpj=52998224725", 0),
    ] {
        let listed = client.get(&format!("/v1/empresas/numeracao?{query}")).await.ok(200);
        assert_eq!(
            (&listed["total"], listed["numeracao"].as_array().unwrap().len()),
            (&total.into(), total),
            "{query}"
        );
    }
    let error = client.get("/v1/empresas/numeracao?tipo=mdfe&cnpj=1").await.refused(400, "requisicao_invalida");
    assert_eq!(error["erros"].as_array().unwrap().len(), 2);
    app.anonymous().get("/v1/empresas/numeracao").await.refused(401, "nao_autenticado");
    // a session begins in homologação
    let of_homologacao = tenant.test.get("/v1/empresas/numeracao").await.ok(200);
    assert_eq!(of_homologacao["total"], 4);
    assert_eq!(session(&app, &tenant).await.get("/v1/empresas/numeracao").await.ok(200), of_homologacao);
    assert_eq!(app.tenant().await.test.get("/v1/empresas/numeracao").await.ok(200)["total"], 0);
    app.finish().await;
}
