//! `/v1/auth/api-keys`.

use http::Method;
use serde_json::{Value, json};
use server::{AccountLimits, ServiceLimits};
use uuid::Uuid;

use crate::support::app::TestApp;
use crate::support::client::{Answer, Client};
use crate::support::users::{bearer, session};

/// Returns the user's session in production.
async fn in_production(app: &TestApp, session: &Client) -> Client {
    bearer(app, &session.post("/v1/auth/ambiente", &json!({ "ambiente": "producao" })).await.ok(200))
}

async fn delete(client: &Client, id: &str) -> Answer {
    client.send(Method::DELETE, &format!("/v1/auth/api-keys/{id}"), &[], "".into()).await
}

#[tokio::test]
async fn a_key_is_shown_once_works_and_stops_working_when_revoked() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let session = in_production(&app, &session(&app, &tenant).await).await;
    let body = json!({ "nome": "loja do centro", "ambiente": "producao" });
    let made = session.post("/v1/auth/api-keys", &body).await.ok(201);
    let key = made["chave"].as_str().unwrap();
    assert!(key.starts_with("crb_live_") && key.starts_with(made["prefixo"].as_str().unwrap()), "{made}");
    assert_eq!((&made["nome"], &made["ambiente"]), (&json!("loja do centro"), &json!("producao")));
    assert!(made["criado_em"].as_str().unwrap().ends_with("-03:00"), "{made}");
    let client = app.anonymous().with_key(key);
    assert_eq!(client.get("/v1/auth/me").await.ok(200)["chave"]["id"], made["id"]);

    let list = session.get("/v1/auth/api-keys").await;
    assert!(!list.text().contains(key), "the secret is shown once");
    let list = list.ok(200);
    assert_eq!((&list["total"], &list["pagina"], &list["limite"]), (&json!(3), &json!(1), &json!(20)));
    let first = &list["api_keys"][0];
    assert_eq!((&first["id"], &first["ativa"], &first["revogado_em"]), (&made["id"], &json!(true), &Value::Null));
    let members: Vec<&String> = first.as_object().unwrap().keys().collect();
    let expected =
        ["id", "nome", "ambiente", "permissao", "prefixo", "ativa", "criado_em", "ultimo_uso_em", "revogado_em"];
    assert_eq!(members, expected);

    let id = made["id"].as_str().unwrap();
    assert_eq!(delete(&session, id).await.ok(200)["id"], made["id"]);
    client.get("/v1/empresas").await.refused(401, "chave_revogada");
    delete(&session, id).await.ok(200);
    let list = session.get("/v1/auth/api-keys?limite=1").await.ok(200);
    assert_eq!(list["api_keys"][0]["ativa"], false);
    assert!(list["api_keys"][0]["revogado_em"].is_string(), "{list}");
    app.finish().await;
}

#[tokio::test]
async fn what_is_not_there_or_is_anothers_cannot_be_revoked() {
    let app = TestApp::start().await;
    let (tenant, other) = (app.tenant().await, app.tenant().await);
    let session = session(&app, &tenant).await;
    for id in [other.test_key_id.to_string(), Uuid::now_v7().to_string(), "x".to_owned()] {
        delete(&session, &id).await.refused(404, "nao_encontrado");
    }
    other.test.get("/v1/empresas").await.ok(200);
    app.finish().await;
}

#[tokio::test]
async fn a_key_reaches_the_keys_of_its_own_environment_only() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let made = tenant.test.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    assert_eq!((&made["ambiente"], &made["nome"]), (&json!("homologacao"), &json!("criada pela API")));
    let body = json!({ "ambiente": "producao" });
    tenant.test.post("/v1/auth/api-keys", &body).await.refused(403, "ambiente_incorreto");
    // it sees no other either; a credential of production sees both
    let shown = async |client: &Client| {
        let list = client.get("/v1/auth/api-keys").await.ok(200);
        let keys = list["api_keys"].as_array().unwrap().clone();
        assert_eq!(list["total"], keys.len());
        keys
    };
    let test = shown(&tenant.test).await;
    assert!(test.len() == 2 && test.iter().all(|key| key["ambiente"] == "homologacao"), "{test:?}");
    let in_homologacao = session(&app, &tenant).await;
    assert_eq!(shown(&in_homologacao).await.len(), 2);
    let all = shown(&tenant.live).await;
    assert_eq!((all.len(), shown(&in_production(&app, &in_homologacao).await).await.len()), (3, 3));
    let live = all.iter().find(|key| key["ambiente"] == "producao").unwrap();
    delete(&tenant.test, live["id"].as_str().unwrap()).await.refused(403, "ambiente_incorreto");
    delete(&tenant.test, made["id"].as_str().unwrap()).await.ok(200);
    app.finish().await;
}

#[tokio::test]
async fn an_account_makes_so_many_keys_and_no_more() {
    let account = AccountLimits { keys: 4, ..AccountLimits::default() };
    let app = TestApp::start_with(|parts| parts.limits = ServiceLimits { account, ..ServiceLimits::default() }).await;
    let tenant = app.tenant().await;
    let made = tenant.test.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    tenant.test.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    let full = tenant.test.post("/v1/auth/api-keys", &json!({})).await.refused(422, "limite_da_conta");
    assert!(full["detail"].as_str().unwrap().contains("4 chaves"), "{full}");
    // a loop of making and revoking ends there too
    delete(&tenant.test, made["id"].as_str().unwrap()).await.ok(200);
    tenant.test.post("/v1/auth/api-keys", &json!({})).await.refused(422, "limite_da_conta");
    // another account has its own
    app.tenant().await.test.post("/v1/auth/api-keys", &json!({})).await.ok(201);
    app.finish().await;
}

#[tokio::test]
async fn a_bad_request_makes_no_key() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let make = async |body| tenant.test.post("/v1/auth/api-keys", &body).await;
    make(json!({ "nome": "x".repeat(101) })).await.refused(422, "validacao");
    make(json!({ "nome": 5, "ambiente": "x" })).await.refused(400, "requisicao_invalida");
    let list = tenant.test.get("/v1/auth/api-keys?limite=101").await.refused(400, "requisicao_invalida");
    assert_eq!(list["erros"][0]["campo"], "limite");
    assert_eq!(tenant.test.get("/v1/auth/api-keys").await.ok(200)["total"], 1);
    let path = "/v1/auth/api-keys";
    app.anonymous().get(path).await.refused(401, "nao_autenticado");
    app.anonymous().post(path, &json!({})).await.refused(401, "nao_autenticado");
    delete(app.anonymous(), &tenant.test_key_id.to_string()).await.refused(401, "nao_autenticado");
    app.finish().await;
}
