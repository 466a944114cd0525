//! `/painel/amostra.json`: the account's values in the examples of the documentation.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::browser::Browser;

const PATH: &str = "/painel/amostra.json";

#[tokio::test]
async fn a_session_sees_its_own_company_and_the_beginning_of_a_test_key() {
    let app = TestApp::start().await;
    let (tenant, other) = (app.issuer(NUMERIC).await, app.issuer(ALPHANUMERIC).await);
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let answer = person.get(PATH).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "no-store"));
    let sample: Value = serde_json::from_slice(&answer.bytes).unwrap();
    assert_eq!(sample["cnpj"], NUMERIC);
    assert_eq!(sample["empresa"], "Papelaria de Teste Ltda");
    let key = sample["chave"].as_str().unwrap();
    assert!(key.starts_with("crb_test_") && key.ends_with('…') && key.chars().count() == 13, "{key}");
    // in production too, the key is one of tests
    let (mut live, _) = Browser::of(&app, &tenant, "producao").await;
    assert!(live.get(PATH).await.text().contains("crb_test_"));
    // another account's session sees another company
    let (mut stranger, _) = Browser::of(&app, &other, "homologacao").await;
    let strange = stranger.get(PATH).await.text();
    assert!(strange.contains(ALPHANUMERIC) && !strange.contains(NUMERIC), "{strange}");
    app.finish().await;
}

#[tokio::test]
async fn without_a_session_there_is_nothing_and_nobody_is_sent_anywhere() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let mut anonymous = Browser::new(&app);
    let answer = anonymous.get(PATH).await;
    assert_eq!((answer.status.as_u16(), answer.bytes.len(), answer.header("cache-control")), (204, 0, "no-store"));
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    person.cookies.values_mut().for_each(|value| value.push('x'));
    assert_eq!(person.get(PATH).await.status, 204);
    app.finish().await;
}

#[tokio::test]
async fn an_account_without_companies_and_a_name_with_markup_are_values_like_others() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let (mut person, _) = Browser::of(&app, &tenant, "homologacao").await;
    let sample: Value = serde_json::from_slice(&person.get(PATH).await.bytes).unwrap();
    assert_eq!((&sample["cnpj"], &sample["empresa"]), (&Value::Null, &Value::Null));
    let mut company = body::company(NUMERIC);
    company["nome_razao_social"] = json!("<script>alert(1)</script>");
    tenant.test.post("/v1/empresas", &company).await.ok(201);
    let answer = person.get(PATH).await;
    // JSON, which no browser runs; the script of the pages puts it in as text
    assert_eq!(answer.header("content-type"), "application/json");
    let sample: Value = serde_json::from_slice(&answer.bytes).unwrap();
    assert_eq!(sample["empresa"], "<script>alert(1)</script>");
    app.finish().await;
}
