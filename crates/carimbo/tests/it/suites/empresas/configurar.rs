//! `PUT /v1/empresas/{cpf_cnpj}/nfe`, `…/nfce`, `…/nfse`, `…/cte`.

use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Value, json};
use store::companies::CompanySecret;

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};

fn path(tipo: &str) -> String {
    format!("/v1/empresas/{NUMERIC}/{tipo}")
}

fn fields(error: &Value) -> Vec<&str> {
    error["erros"].as_array().unwrap().iter().map(|erro| erro["campo"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn series_and_next_number_are_used_by_the_next_note() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let made = client.put(&path("nfe"), &json!({ "serie": "7", "proximo_numero": 500 })).await.ok(200);
    assert_eq!((&made["ambiente"], &made["serie"], &made["proximo_numero"]), (&2.into(), &"7".into(), &500.into()));
    assert_eq!(made["avisos"], json!([]));
    let job = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!((&job["nota"]["serie"], &job["nota"]["numero"]), (&"7".into(), &500.into()), "{job}");
    let back = client.put(&path("nfe"), &json!({ "proximo_numero": 10 })).await.ok(200);
    assert_eq!((&back["proximo_numero"], &back["avisos"][0]["codigo"]), (&501.into(), &"numero_em_uso".into()));
    app.finish().await;
}

#[tokio::test]
async fn wrong_values_of_the_nfe_are_refused_all_at_once() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let wrong = json!({ "ambiente": 5, "crt": "x", "serie": "1000", "proximo_numero": 0 });
    let error = client.put(&path("nfe"), &wrong).await.refused(422, "validacao");
    assert_eq!(fields(&error), ["ambiente", "crt", "serie", "proximo_numero"]);
    client.put(&path("nfe"), &json!({ "serie": [] })).await.refused(400, "requisicao_invalida");
    client.put("/v1/empresas/123/nfe", &json!({})).await.refused(422, "validacao");
    client.put("/v1/empresas/12345678000195/nfce", &json!({})).await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn the_csc_is_sealed_per_environment_and_never_returned() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let client = &tenant.test;
    client.post("/v1/empresas", &body::company(ALPHANUMERIC)).await.ok(201);
    let masked = "/v1/empresas/12.ABC.345/01DE-35";
    let csc = "X".repeat(50);
    let body = json!({ "ambiente": 2, "crt": 1, "serie": "999", "proximo_numero": 1, "csc_id": "0123456789", "csc": csc, "cscid": 1 });
    let made = client.put(&format!("{masked}/nfce"), &body).await.ok(200);
    assert_eq!(
        (&made["csc_configurado"], &made["csc_id"], &made["serie"]),
        (&true.into(), &"0123456789".into(), &"999".into())
    );
    assert_eq!(made["avisos"][0]["sugestao"], "csc_id");
    let shown = client.get(masked).await.ok(200);
    assert_eq!(shown["configuracoes"]["nfce"]["csc_configurado"], true);
    assert!(!format!("{made}{shown}").contains(&csc));
    let cpf_cnpj = CnpjCpf::parse(ALPHANUMERIC).unwrap();
    let secret = |ambiente| CompanySecret { tipo: "nfce", ambiente, nome: "csc" };
    let opened = app.store.open_company_secret(tenant.id, cpf_cnpj, secret(TpAmb::Homologacao)).await.unwrap();
    assert_eq!(*opened, csc);
    let live = tenant.live.put(&format!("{masked}/nfce"), &json!({ "ambiente": 1 })).await.ok(200);
    assert_eq!((&live["csc_configurado"], &live["csc_id"]), (&false.into(), &Value::Null));
    assert!(app.store.open_company_secret(tenant.id, cpf_cnpj, secret(TpAmb::Producao)).await.is_err());
    let back = json!({ "ambiente": 2, "csc": null });
    client.put(&format!("{masked}/nfce"), &back).await.refused(403, "ambiente_incorreto");
    let cleared = tenant.live.put(&format!("{masked}/nfce"), &back).await.ok(200);
    assert_eq!((&cleared["csc_configurado"], &cleared["csc_id"]), (&false.into(), &"0123456789".into()));
    assert!(app.store.open_company_secret(tenant.id, cpf_cnpj, secret(TpAmb::Homologacao)).await.is_err());
    app.finish().await;
}

#[tokio::test]
async fn the_lengths_of_the_nfce_are_the_contracts() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let wrong = json!({ "ambiente": 0, "crt": 5, "serie": "0001000", "proximo_numero": 0, "csc_id": "x".repeat(11), "csc": "x".repeat(51) });
    let error = client.put(&path("nfce"), &wrong).await.refused(422, "validacao");
    assert_eq!(fields(&error), ["ambiente", "crt", "serie", "proximo_numero", "csc_id", "csc"]);
    let error = client.put(&path("nfce"), &json!({ "serie": "0001" })).await.refused(422, "validacao");
    assert_eq!(fields(&error), ["serie"]);
    assert_eq!(client.put(&path("nfce"), &json!({ "serie": "001" })).await.ok(200)["serie"], "1");
    for wrong in [json!({ "csc": {} }), json!({ "proximo_numero": 1.5 }), json!({ "ambiente": true })] {
        client.put(&path("nfce"), &wrong).await.refused(400, "requisicao_invalida");
    }
    let made = client.put(&path("nfce"), &json!({})).await.ok(200);
    assert_eq!((&made["ambiente"], &made["serie"], &made["csc_configurado"]), (&2.into(), &"1".into(), &false.into()));
    app.finish().await;
}

#[tokio::test]
async fn the_nfse_takes_everything_the_contract_names() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let body = json!({
        "ambiente": 2, "codigo_municipio_ibge": 3550308, "inscricao_municipal": "12345678", "provedor": "govdigital", "versao": "2.03",
        "url_homologacao": "https://hom.prefeitura.example/nfse", "url_producao": "https://prefeitura.example/nfse", "serie": "900",
        "proximo_numero": 10, "regime": { "opSimpNac": 3, "regApTribSN": 1, "regEspTrib": 0 }, "incentivo_fiscal": false, "percentual_simples": "6.20", "assinatura": "sha256",
        "prefeitura": { "login": "loja", "senha": "s3gredo-da-prefeitura", "token": "t0ken-da-prefeitura" }
    });
    let made = client.put(&path("nfse"), &body).await.ok(200);
    for member in [
        "inscricao_municipal",
        "provedor",
        "versao",
        "url_homologacao",
        "url_producao",
        "serie",
        "proximo_numero",
        "regime",
        "percentual_simples",
        "assinatura",
        "incentivo_fiscal",
    ] {
        assert_eq!(made[member], body[member], "{member}");
    }
    assert_eq!((&made["codigo_municipio"], &made["credenciais_configuradas"]), (&"3550308".into(), &true.into()));
    assert_eq!(made["avisos"], json!([]));
    assert!(made["prefeitura"].is_null() && !made.to_string().contains("da-prefeitura"), "{made}");
    let kept = CompanySecret { tipo: "nfse", ambiente: TpAmb::Homologacao, nome: "token" };
    let opened = app.store.open_company_secret(tenant.id, CnpjCpf::parse(NUMERIC).unwrap(), kept).await.unwrap();
    assert_eq!(*opened, "t0ken-da-prefeitura");
    let none = client.put(&path("nfse"), &json!({ "prefeitura": null })).await.ok(200);
    assert_eq!((&none["credenciais_configuradas"], &none["provedor"]), (&false.into(), &"govdigital".into()));
    let wrong = json!({ "codigo_municipio": "1", "provedor": "outro", "url_producao": "http://x", "regime": { "opSimpNac": 9 } });
    let error = client.put(&path("nfse"), &wrong).await.refused(422, "validacao");
    assert_eq!(fields(&error), ["codigo_municipio", "provedor", "url_producao", "regime.opSimpNac"]);
    client.put(&path("nfse"), &json!({ "prefeitura": "x" })).await.refused(400, "requisicao_invalida");
    app.finish().await;
}

#[tokio::test]
async fn the_cte_takes_rntrc_and_taf() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let body = json!({ "ambiente": 2, "crt": 3, "serie": "0", "proximo_numero": 7, "rntrc": "12345678", "taf": "123456789012" });
    let made = client.put(&path("cte"), &body).await.ok(200);
    for member in ["ambiente", "crt", "serie", "proximo_numero", "rntrc", "taf"] {
        assert_eq!(made[member], body[member], "{member}");
    }
    let changed = client.put(&path("cte"), &json!({ "taf": null })).await.ok(200);
    assert_eq!((&changed["taf"], &changed["rntrc"]), (&Value::Null, &"12345678".into()));
    let error = client.put(&path("cte"), &json!({ "rntrc": "1", "taf": "1" })).await.refused(422, "validacao");
    assert_eq!(fields(&error), ["rntrc", "taf"]);
    app.finish().await;
}

#[tokio::test]
async fn every_act_enters_the_audit_trail_without_its_secrets() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(&path("nfce"), &json!({ "csc": "s3gredo" })).await.ok(200);
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}"), &json!({ "email": "a@b.c" })).await.ok(200);
    tenant.test.put(&path("nfce"), &json!({ "csc_id": [] })).await.refused(400, "requisicao_invalida");
    tenant.test.delete(&format!("/v1/empresas/{NUMERIC}")).await.ok(200);
    let (entries, _) = app.store.audit_trail(tenant.id, store::audit::AuditFilter::default(), 100, 0).await.unwrap();
    let acts: Vec<&str> =
        entries.iter().filter(|entry| entry.alvo == NUMERIC).map(|entry| entry.ato.as_str()).collect();
    let expected = [
        "empresa_removida",
        "empresa_alterada",
        "configuracao_alterada",
        "certificado_enviado",
        "configuracao_alterada",
        "empresa_criada",
    ];
    assert_eq!(acts, expected);
    let by_key = entries.iter().filter(|entry| entry.alvo == NUMERIC);
    assert!(by_key.clone().all(|entry| entry.ator_id == Some(tenant.test_key_id) && entry.requisicao_id.is_some()));
    assert!(by_key.clone().all(|entry| !entry.detalhes.to_string().contains("s3gredo")));
    assert!(entries[2].detalhes["campos"].to_string().contains("csc"), "{:?}", entries[2]);
    app.finish().await;
}
