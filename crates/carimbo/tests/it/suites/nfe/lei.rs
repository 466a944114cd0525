//! The law of an installation: a rule that its operator moves is predicted, refused and documented accordingly, without
//! another build.

use fiscal::law::Law;
use fiscal::value::brasilia;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};

/// 732: CFOP 6102 inside of the state.
fn out_of_state() -> Value {
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["CFOP"] = json!(6102);
    body
}

fn law(change: &Value) -> Law {
    let mut change = change.clone();
    (change["codigo"], change["fonte"]) = (json!(732), json!("ensaio"));
    Law::read(json!({ "regras": [change] })).unwrap()
}

/// Starts service and authority with one law.
async fn under(law: Law) -> TestApp {
    let app = TestApp::start_with(|parts| parts.law = Arc::new(law.clone())).await;
    app.simulate(|settings| settings.lei = law);
    app
}

/// Returns predicted codes with their certainty.
fn foreseen(job: &Value) -> Vec<(&str, u64)> {
    let notices = job["avisos"].as_array().unwrap().iter();
    notices.filter_map(|notice| Some((notice["codigo"].as_str()?, notice["codigo_status"].as_u64()?))).collect()
}

#[tokio::test]
async fn a_rule_that_is_moved_is_foreseen_and_refused_from_its_new_day_on() {
    let tomorrow = brasilia::day(Timestamp::now()).tomorrow().unwrap();
    let app = under(law(&json!({ "a_partir_de": tomorrow.to_string() }))).await;
    let client = app.issuer(NUMERIC).await.test;
    let before = issued(&client, &out_of_state()).await;
    assert_eq!((&before["nota"]["status"], foreseen(&before)), (&json!("autorizada"), vec![]), "{before}");
    app.forward(86_400).await;
    let after = issued(&client, &out_of_state()).await;
    assert_eq!(foreseen(&after), [("rejeicao_prevista", 732)], "{after}");
    assert_eq!(
        (&after["nota"]["status"], &after["nota"]["codigo_status"]),
        (&json!("rejeitada"), &json!(732)),
        "{after}"
    );
    app.finish().await;
}

#[tokio::test]
async fn a_rule_that_only_warns_lets_the_note_pass_and_one_that_is_off_says_nothing() {
    for (effect, told) in [("aviso", vec![("rejeicao_possivel", 732)]), ("nada", vec![])] {
        let app = under(law(&json!({ "efeito": effect, "ambiente": "homologacao" }))).await;
        let client = app.issuer(NUMERIC).await.test;
        let check = client.post("/v1/nfe/verificar-campos", &out_of_state()).await.ok(200);
        assert_eq!((&check["valido"], &check["rejeicoes_previstas"]), (&json!(true), &json!([])), "{check}");
        let job = issued(&client, &out_of_state()).await;
        assert_eq!((&job["nota"]["status"], foreseen(&job)), (&json!("autorizada"), told), "{effect}: {job}");
        app.finish().await;
    }
}

#[tokio::test]
async fn an_authority_may_be_stricter_than_the_law_that_the_service_knows() {
    let app = TestApp::start_with(|parts| parts.law = Arc::new(law(&json!({ "efeito": "nada" })))).await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &out_of_state()).await;
    assert_eq!((&job["nota"]["codigo_status"], foreseen(&job)), (&json!(732), vec![]), "{job}");
    app.finish().await;
}

/// NT 2026.002 v1.11: 375 and 679 are valid in production from 2026-12-14 on.
#[tokio::test]
async fn a_day_of_the_book_turns_at_midnight_in_brasilia() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    let mut cupom = body::emission(NUMERIC);
    cupom["nota"]["produtos"][0]["CFOP"] = json!(5929);
    cupom["nota"]["identificacao"]["NFref"] = json!([{ "refNFe": "35261111222333000181650010000000011234567897" }]);
    app.stand_at("2026-12-13T23:50:00-03:00".parse().unwrap()).await;
    let before = issued(&tenant.live, &cupom).await;
    assert_eq!((&before["nota"]["status"], foreseen(&before)), (&json!("autorizada"), vec![]), "{before}");
    app.stand_at("2026-12-14T00:00:00-03:00".parse().unwrap()).await;
    let after = issued(&tenant.live, &cupom).await;
    assert_eq!(foreseen(&after), [("rejeicao_prevista", 679), ("rejeicao_prevista", 375)], "{after}");
    assert_eq!(after["nota"]["codigo_status"], 679, "{after}");
    app.finish().await;
}

#[tokio::test]
async fn a_change_stands_on_the_page_of_its_document() {
    let change = |documento: &str, codigo: Value| json!({ "documento": documento, "codigo": codigo, "efeito": "nada", "fonte": "ofício" });
    let written = json!({ "regras": [change("cte", json!(252)), change("nfse", json!("E0617"))] });
    let app = TestApp::start_with(|parts| parts.law = Arc::new(Law::read(written).unwrap())).await;
    let (of_cte, of_nfse) = ("252 do CT-e: desligada (ofício)", "E0617: desligada (ofício)");
    for (page, expected) in [
        ("regras", [false, false]),
        ("regras-do-cte", [true, false]),
        ("regras-da-nfse", [false, true]),
        ("o-que-muda", [true, true]),
    ] {
        let html = app.anonymous().get(&format!("/docs/guia/{page}")).await.text();
        assert_eq!([of_cte, of_nfse].map(|change| html.contains(change)), expected, "{page}");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_was_changed_is_documented_and_diagnosed() {
    let written = json!({ "cbs_2027": "8.7", "regras": [{ "codigo": 732, "regra": "I08-110", "efeito": "aviso", "fonte": "ofício" }] });
    let Err(unknown) = Law::read(written) else { panic!("732 is not of that rule") };
    assert!(unknown[0].contains("nenhuma regra"), "{unknown:?}");
    let written = json!({ "cbs_2027": "8.7", "regras": [{ "codigo": 732, "ambiente": "producao", "efeito": "aviso", "fonte": "ofício" }] });
    let app = TestApp::start_with(|parts| parts.law = Arc::new(Law::read(written).unwrap())).await;
    for page in ["regras-do-cte", "regras-da-nfse"] {
        let html = app.anonymous().get(&format!("/docs/guia/{page}")).await.text();
        assert!(html.contains("CBS de 2027: 8.7 %") && !html.contains("732 em produção: só um aviso"), "{page}");
    }
    for page in ["regras", "o-que-muda"] {
        let html = app.anonymous().get(&format!("/docs/guia/{page}")).await.text();
        assert!(html.contains("Mudado nesta instalação") && html.contains("CBS de 2027: 8.7 %"), "{page}");
        assert!(html.contains("732 em produção: só um aviso (ofício)"), "{page}");
    }
    let seen = app.tenant().await.test.get("/v1/diagnostico").await.ok(200);
    let change = json!({ "documento": "nfe", "codigo_status": 732, "regra": null, "ambiente": "producao", "mudanca": "só um aviso", "fonte": "ofício" });
    assert_eq!(seen["lei"], json!({ "cbs": [{ "ano": 2027, "aliquota": "8.7" }], "regras": [change] }));
    app.finish().await;
    let printed = TestApp::start().await;
    let html = printed.anonymous().get("/docs/guia/o-que-muda").await.text();
    assert!(html.contains("14/12/2026") && !html.contains("Mudado nesta instalação"));
    let seen = printed.tenant().await.test.get("/v1/diagnostico").await.ok(200);
    assert_eq!(seen["lei"], json!({ "cbs": [], "regras": [] }));
    printed.finish().await;
}
