//! The series of an RPS is a text: configured, requested, counted and queried with letters.

use serde_json::json;

use super::{NUMERIC, TestApp, issued};
use crate::support::municipal_services::{ROUTE, configuration, provider, service};

#[tokio::test]
async fn a_series_with_letters_counts_and_is_asked_for_as_any_other() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let kept = tenant.test.put(&configuration(), &json!({ "serie": "nf", "proximo_numero": 7 })).await.ok(200);
    assert!(kept.to_string().contains("\"serie\":\"NF\""), "{kept}");
    let job = issued(&tenant, &service("L1")).await;
    assert_eq!((&job["nota"]["serie"], &job["nota"]["numero_dps"]), (&json!("NF"), &json!(7)), "{job:#}");
    let xml = tenant.test.get(&format!("/v1/nfse/{}/file/xml_dps", job["job_id"].as_str().unwrap())).await.text();
    assert!(xml.contains("<Serie>NF</Serie>"), "{xml}");
    // of the payload, in a sequence of its own
    let mut body = service("L2");
    body["nota"]["rps"] = json!({ "serie": "A" });
    let other = issued(&tenant, &body).await;
    assert_eq!((&other["nota"]["serie"], &other["nota"]["numero_dps"]), (&json!("A"), &json!(1)), "{other:#}");
    for (serie, numero, note) in [("NF", 7, &job), ("nf", 7, &job), ("A", 1, &other)] {
        let path = format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps={numero}&serie={serie}");
        assert_eq!(tenant.test.get(&path).await.ok(200)["numero"], note["nota"]["numero"], "{serie}");
        let asked = json!({ "cpf_cnpj": NUMERIC, "numero_rps": numero, "serie": serie });
        let found = tenant.test.post("/v1/nfse/consultar-sefaz", &asked).await.ok(200);
        assert_eq!(found["job_id"], note["job_id"], "{serie}");
    }
    let numbering = tenant.test.get("/v1/empresas/numeracao?tipo=nfse").await.ok(200).to_string();
    assert!(numbering.contains("\"serie\":\"NF\"") && numbering.contains("\"serie\":\"A\""), "{numbering}");
    app.finish().await;
}

#[tokio::test]
async fn what_is_no_series_is_refused_wherever_it_is_said() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    for serie in [json!("ABCDEF"), json!("A-1"), json!(50_000)] {
        tenant.test.put(&configuration(), &json!({ "serie": serie })).await.refused(422, "validacao");
    }
    for serie in ["ABCDEF", "A-1", "50000"] {
        let path = format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1&serie={serie}");
        tenant.test.get(&path).await.refused(400, "requisicao_invalida");
    }
    // never another series than the requested one
    for (member, value) in
        [("serie", json!("A-1")), ("serie", json!("ABCDEF")), ("numero", json!("x1")), ("numero", json!(0))]
    {
        let mut body = service("S1");
        body["nota"]["rps"] = json!({ member: value });
        let refusal = tenant.test.post(ROUTE, &body).await.refused(422, "documento_invalido");
        assert_eq!(refusal["erros"][0]["campo"], format!("nota.rps.{member}"), "{refusal:#}");
    }
    // a DPS has digits alone
    let national = json!({ "provedor": "nacional", "codigo_municipio": "3550308", "serie": "NF" });
    let refusal = tenant.test.put(&configuration(), &national).await.refused(422, "validacao");
    assert!(refusal.to_string().contains("de 1 a 49999"), "{refusal:#}");
    app.finish().await;
}

/// Without a provider it is open if a DPS or an RPS is sent: both sequences begin at the company's number, and each
/// counts for itself.
#[tokio::test]
async fn a_number_of_a_company_without_a_provider_is_that_of_both_sequences() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    // its row decides: by its convênio the município does not use the national emitter
    let own = json!({ "emissor_nacional": false });
    app.control.put("/_sim/nfse/municipios/3138203", &own).await.ok(200);
    let unsaid = json!({ "provedor": null, "serie": "7", "proximo_numero": 50 });
    let kept = tenant.test.put(&configuration(), &unsaid).await.ok(200);
    assert_eq!((&kept["provedor"], &kept["proximo_numero"]), (&json!(null), &json!(50)), "{kept}");
    for (referencia, numero) in [("N1", 50), ("N2", 51)] {
        assert_eq!(issued(&tenant, &service(referencia)).await["nota"]["numero_dps"], numero);
    }
    // what is shown is the number of the one that is further on
    let shown = tenant.test.put(&configuration(), &json!({ "provedor": null })).await.ok(200);
    assert_eq!(shown["proximo_numero"], 52, "{shown}");
    // the other sequence begins at the configured number, whatever the first has used
    let national = json!({ "provedor": "nacional", "codigo_municipio": "3550308" });
    let shown = tenant.test.put(&configuration(), &national).await.ok(200);
    assert_eq!(shown["proximo_numero"], 50, "{shown}");
    let accepted = tenant.test.post("/v1/nfse/emitir", &crate::support::services::another("N3")).await.ok(202);
    assert_eq!(crate::support::app::ended(&tenant.test, &accepted).await["nota"]["numero_dps"], 50);
    app.finish().await;
}
