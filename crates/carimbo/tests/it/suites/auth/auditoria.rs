//! `GET /v1/auth/auditoria`.

use http::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::users::session;

fn acts(trail: &Value) -> Vec<&str> {
    trail["auditoria"].as_array().unwrap().iter().map(|entry| entry["ato"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_act_stands_with_who_did_it_and_by_which_request() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let session = session(&app, &tenant).await;
    let headers = [("content-type", "application/json"), ("x-request-id", "pedido-7")];
    let made = session.send(Method::POST, "/v1/auth/api-keys", &headers, "{}".into()).await.ok(201);
    let by_key = tenant.test.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    let trail = session.get("/v1/auth/auditoria").await.ok(200);
    // newest first; the account and its first keys were made by the operator
    let expected = [
        "chave_criada",
        "chave_criada",
        "sessao_iniciada",
        "usuario_criado",
        "chave_criada",
        "chave_criada",
        "conta_criada",
    ];
    assert_eq!(acts(&trail), expected, "{trail}");
    assert_eq!((&trail["total"], &trail["pagina"], &trail["limite"]), (&json!(7), &json!(1), &json!(20)));
    let me = session.get("/v1/auth/me").await.ok(200);
    let entry = &trail["auditoria"][1];
    assert_eq!(entry["alvo"], made["id"]);
    let person = json!({ "tipo": "usuario", "id": me["usuario"]["id"], "nome": me["usuario"]["email"] });
    assert_eq!(entry["ator"], person);
    assert_eq!((&entry["requisicao_id"], &entry["endereco"]), (&json!("pedido-7"), &json!("127.0.0.1")));
    let details = json!({
        "nome": "criada pela API",
        "ambiente": "homologacao",
        "permissao": "completa",
        "prefixo": made["prefixo"],
    });
    assert_eq!(entry["detalhes"], details);
    assert!(entry["em"].as_str().unwrap().ends_with("-03:00"), "{entry}");
    let program = json!({ "tipo": "chave_api", "id": tenant.test_key_id, "nome": "de teste" });
    assert_eq!((&trail["auditoria"][0]["ator"], &trail["auditoria"][0]["alvo"]), (&program, &by_key["id"]));
    let operator = json!({ "tipo": "operador", "id": null, "nome": null });
    assert_eq!(trail["auditoria"][6]["ator"], operator);
    app.finish().await;
}

#[tokio::test]
async fn pages_and_filters_are_those_asked_for() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let session = session(&app, &tenant).await;
    let ask = async |query: &str| session.get(&format!("/v1/auth/auditoria?{query}")).await;
    let page = ask("limite=2&pagina=2").await.ok(200);
    assert_eq!((acts(&page), &page["total"]), (vec!["chave_criada", "chave_criada"], &json!(5)));
    assert_eq!(acts(&ask("ato=conta_criada").await.ok(200)), ["conta_criada"]);
    let me = session.get("/v1/auth/me").await.ok(200);
    let by = ask(&format!("ator_id={}", me["usuario"]["id"].as_str().unwrap())).await.ok(200);
    assert_eq!(acts(&by), ["sessao_iniciada"]);
    // what the test's helpers made is of 1970, the login of today
    assert_eq!(acts(&ask("de=2000-01-01").await.ok(200)), ["sessao_iniciada"]);
    assert_eq!(ask("de=1969-12-31&ate=1969-12-31").await.ok(200)["total"], 4);
    assert_eq!(ask("de=1970-01-01&ate=1970-01-01").await.ok(200)["total"], 0);
    for strange in
        ["ato=x", "ator_id=x", "de=x", "ate=2026-02-30", "de=2026-02-02&ate=2026-02-01", "limite=101", "pagina=0"]
    {
        ask(strange).await.refused(400, "requisicao_invalida");
    }
    app.finish().await;
}

#[tokio::test]
async fn the_trail_of_another_account_is_not_shown() {
    let app = TestApp::start().await;
    let (tenant, other) = (app.tenant().await, app.tenant().await);
    let session = session(&app, &tenant).await;
    let path = format!("/v1/auth/auditoria?ator_id={}", other.test_key_id);
    other.test.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    assert_eq!(session.get(&path).await.ok(200)["total"], 0);
    app.anonymous().get("/v1/auth/auditoria").await.refused(401, "nao_autenticado");
    app.finish().await;
}
