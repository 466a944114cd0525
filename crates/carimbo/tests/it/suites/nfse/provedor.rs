//! The system that receives a note: the configuration's, else that of the município's convênio, for which no request
//! waits.

use serde_json::{Value, json};

use super::issued;
use crate::support::app::{Tenant, TestApp};
use crate::support::body::NUMERIC;
use crate::support::services::another;

const BELEM: &str = "1501402";
const FONTE_BOA: &str = "1301605";
const ARACAJU: &str = "2800308";
const CURITIBA: &str = "4106902";
const PORTO_ALEGRE: &str = "4314902";
const CAMPINAS: &str = "3509502";

/// A company established there, whose configuration names no provider.
async fn of(app: &TestApp, codigo: &str) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    let settings = json!({ "ambiente": 2, "codigo_municipio": codigo, "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
    tenant
}

fn codes(avisos: &Value) -> Vec<&str> {
    avisos.as_array().unwrap().iter().filter_map(|aviso| aviso["codigo_status"].as_str()).collect()
}

async fn questions(app: &TestApp) -> Value {
    app.control.get("/_sim/contadores").await.ok(200)["por_servico"]["GET /parametrizacao"].clone()
}

#[tokio::test]
async fn the_convention_of_the_municipality_foretells_what_the_sefin_says_and_is_asked_for_once_a_day() {
    for (codigo, refusal) in [(BELEM, "E0037"), (FONTE_BOA, "E0038")] {
        let app = TestApp::start().await;
        let tenant = of(&app, codigo).await;
        let checked = tenant.test.post("/v1/nfse/verificar-campos", &another("P0")).await.ok(200);
        let foreseen = &checked["rejeicoes_previstas"];
        assert!(foreseen.to_string().contains(refusal), "{checked}");
        assert_ne!(foreseen[0]["motivo_status"], "Rejeição", "the official text: {checked}");
        let accepted = tenant.test.post("/v1/nfse/emitir", &another("P1")).await.ok(202);
        assert!(codes(&accepted["avisos"]).contains(&refusal), "{accepted}");
        let job = crate::support::app::ended(&tenant.test, &accepted).await;
        let said = job["nota"]["rejeicoes"].to_string();
        assert!(said.contains(refusal), "{job:#}");
        assert_eq!(questions(&app).await, 3, "the convênio, the rate and the laws of withholding, kept for a day");
        app.finish().await;
    }
    // a convênio without the national emitter (E0039), and a provider in the table: there is another route
    let app = TestApp::start().await;
    let tenant = of(&app, ARACAJU).await;
    let refusal = tenant.test.post("/v1/nfse/emitir", &another("P4")).await.refused(422, "documento_invalido");
    assert_eq!(refusal["erros"][0]["codigo"], "provedor_municipal", "{refusal}");
    // a company that chooses the national system anyway gets the Sefin's refusal predicted, and then the refusal
    let national = json!({ "provedor": "nacional" });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &national).await.ok(200);
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &another("P5")).await.ok(200);
    assert!(checked["rejeicoes_previstas"].to_string().contains("E0039"), "{checked}");
    let accepted = tenant.test.post("/v1/nfse/emitir", &another("P5")).await.ok(202);
    assert!(codes(&accepted["avisos"]).contains(&"E0039"), "{accepted}");
    let job = crate::support::app::ended(&tenant.test, &accepted).await;
    assert!(job["nota"]["rejeicoes"].to_string().contains("E0039"), "{job:#}");
    app.finish().await;
    let app = TestApp::start().await;
    let tenant = of(&app, CAMPINAS).await;
    let accepted = tenant.test.post("/v1/nfse/emitir", &another("P2")).await.ok(202);
    assert!(!accepted["avisos"].to_string().contains("provedor"), "{accepted}");
    crate::support::app::ended(&tenant.test, &accepted).await;
    app.forward(24 * 3_600 + 1).await;
    issued(&tenant, &another("P3")).await;
    assert_eq!(questions(&app).await, 6, "each anew after a day");
    app.finish().await;
}

/// Works at Fonte Boa, whose convênio is not active: a company outside the Simples states the rate. Curitiba does not
/// administer the service.
#[tokio::test]
async fn what_the_municipality_of_the_tax_decides_is_foretold_and_refused_alike() {
    let app = TestApp::start().await;
    let tenant = of(&app, CAMPINAS).await;
    for (referencia, place, code, refusal) in
        [("D1", FONTE_BOA, "070201", "E0619"), ("D2", CURITIBA, "160101", "E0312")]
    {
        let mut body = another(referencia);
        body["nota"]["serv"]["locPrest"] = json!({ "cLocPrestacao": place });
        body["nota"]["serv"]["cServ"]["cTribNac"] = json!(code);
        let checked = tenant.test.post("/v1/nfse/verificar-campos", &body).await.ok(200);
        assert!(checked["rejeicoes_previstas"].to_string().contains(refusal), "{checked}");
        let accepted = tenant.test.post("/v1/nfse/emitir", &body).await.ok(202);
        assert!(codes(&accepted["avisos"]).contains(&refusal), "{accepted:#}");
        let told = accepted["avisos"].as_array().unwrap().iter().find(|told| told["codigo_status"] == refusal).unwrap();
        assert!(told["campo"].as_str().unwrap().starts_with("nota."), "{told}");
        let job = crate::support::app::ended(&tenant.test, &accepted).await;
        assert!(job["nota"]["rejeicoes"].to_string().contains(refusal), "{job:#}");
    }
    app.finish().await;
}

/// Porto Alegre has a benefit of each kind; Curitiba bars the estimate.
#[tokio::test]
async fn benefits_and_special_regimes_are_foretold_and_refused_alike_and_each_is_asked_for_once() {
    let app = TestApp::start().await;
    let tenant = of(&app, PORTO_ALEGRE).await;
    for (referencia, bm, refusal) in [
        ("B1", json!({ "nBM": "43149020200099", "pRedBCBM": 10 }), "E0541"),
        ("B2", json!({ "nBM": "43149020200002", "pRedBCBM": 40.01 }), "E0586"),
        ("B3", json!({ "nBM": "43149020200002" }), "E0579"),
        ("B4", json!({ "nBM": "43149020200005", "pRedBCBM": 5 }), "E0544"),
        ("B5", json!({ "nBM": "43149020300003", "vRedBCBM": 1500.01 }), "E0574"),
    ] {
        let mut body = another(referencia);
        body["nota"]["valores"]["trib"] = json!({ "tribMun": { "tribISSQN": 1, "tpRetISSQN": 1, "BM": bm } });
        foretold_and_refused(&tenant, &body, refusal).await;
    }
    // the kinds of exemption and of a rate are known now too: their prohibitions are predicted
    let mut body = another("B6");
    body["nota"]["toma"] = json!({ "CNPJ": "12ABC34501DE35", "xNome": "Empresa Tomadora Ltda", "end": { "endNac": { "cMun": "4314902", "CEP": "90010000" },
        "xLgr": "Rua da Praia", "nro": "1", "xBairro": "Centro" } });
    body["nota"]["valores"]["trib"] =
        json!({ "tribMun": { "tribISSQN": 1, "tpRetISSQN": 2, "BM": { "nBM": "43149020100001" } } });
    foretold_and_refused(&tenant, &body, "E0594").await;
    let asked = questions(&app).await;
    body["referencia_externa"] = json!("B7");
    foretold_and_refused(&tenant, &body, "E0594").await;
    assert_eq!(questions(&app).await, asked, "kept for a day");

    let tenant = of(&app, CURITIBA).await;
    let mut body = another("B8");
    body["nota"]["prest"] = json!({ "regTrib": { "opSimpNac": 1, "regEspTrib": 2 } });
    foretold_and_refused(&tenant, &body, "E0177").await;
    app.finish().await;
}

async fn foretold_and_refused(tenant: &Tenant, body: &Value, refusal: &str) {
    let checked = tenant.test.post("/v1/nfse/verificar-campos", body).await.ok(200);
    assert!(checked["rejeicoes_previstas"].to_string().contains(refusal), "{refusal}: {checked}");
    let accepted = tenant.test.post("/v1/nfse/emitir", body).await.ok(202);
    assert!(codes(&accepted["avisos"]).contains(&refusal), "{refusal}: {accepted:#}");
    let job = crate::support::app::ended(&tenant.test, &accepted).await;
    let said = &job["nota"]["rejeicoes"];
    assert!(said.to_string().contains(refusal), "{refusal}: {job:#}");
    // every reason of the município's refusal was predicted
    for one in said.as_array().unwrap() {
        let code = one["codigo_status"].as_str().unwrap();
        assert!(codes(&accepted["avisos"]).contains(&code), "{code} was not foretold: {accepted:#}");
    }
}

#[tokio::test]
async fn a_law_of_withholding_that_nobody_follows_is_a_remark_and_no_refusal() {
    let app = TestApp::start().await;
    let tenant = of(&app, CURITIBA).await;
    for (referencia, service, is_told) in [("L1", "170101", true), ("L2", "010101", false)] {
        let mut body = another(referencia);
        body["nota"]["serv"]["cServ"]["cTribNac"] = json!(service);
        let accepted = tenant.test.post("/v1/nfse/emitir", &body).await.ok(202);
        let told = accepted["avisos"].as_array().unwrap().iter().find(|told| told["codigo"] == "retencao_do_municipio");
        assert_eq!(told.is_some(), is_told, "{accepted:#}");
        let job = crate::support::app::ended(&tenant.test, &accepted).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_convention_that_cannot_be_read_is_told_and_stops_nothing() {
    let app = TestApp::start().await;
    let tenant = of(&app, CAMPINAS).await;
    let silent = json!({ "tipo": "http_status", "status": 503, "servico": "GET /parametrizacao" });
    app.control.post("/_sim/falhas", &silent).await.ok(201);
    for referencia in ["N1", "N2"] {
        let job = issued(&tenant, &another(referencia)).await;
        assert!(job["avisos"].to_string().contains("provedor_nao_confirmado"), "{job:#}");
    }
    assert_eq!(questions(&app).await, 1, "nobody asks again at once");
    app.control.send(http::Method::DELETE, "/_sim/falhas", &[], "".into()).await;
    app.forward(301).await;
    let job = issued(&tenant, &another("N3")).await;
    assert!(!job["avisos"].to_string().contains("provedor"), "{job:#}");
    app.finish().await;
}

#[tokio::test]
async fn a_municipal_provider_is_another_route_and_the_national_one_has_its_parameters_read() {
    let app = TestApp::start().await;
    let tenant = of(&app, ARACAJU).await;
    let path = format!("/v1/empresas/{NUMERIC}/nfse");
    for provedor in ["govdigital", "abrasf"] {
        tenant.test.put(&path, &json!({ "provedor": provedor })).await.ok(200);
        let refusal = tenant.test.post("/v1/nfse/emitir", &another("M1")).await.refused(422, "documento_invalido");
        assert_eq!(refusal["erros"][0]["codigo"], "provedor_municipal", "{refusal}");
        assert!(refusal.to_string().contains("/v1/nfse/govdigital/emitir"), "{refusal}");
        let checked = tenant.test.post("/v1/nfse/verificar-campos", &another("M1")).await.ok(200);
        assert_eq!(checked["valido"], json!(false), "{checked}");
    }
    tenant.test.put(&path, &json!({ "provedor": "nacional", "codigo_municipio": CAMPINAS })).await.ok(200);
    issued(&tenant, &another("M2")).await;
    assert_eq!(questions(&app).await, 3, "the convênio, the rate and the laws of withholding");
    app.finish().await;
}
