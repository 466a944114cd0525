//! Credentials by route, and requests with two of them.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::users::session;

#[tokio::test]
async fn a_key_alone_is_nobody_in_person() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    tenant.test.get("/v1/auth/auditoria").await.refused(403, "permissao_negada");
    tenant.test.post("/v1/auth/logout", &json!({})).await.refused(403, "permissao_negada");
    let body = json!({ "ambiente": "producao" });
    tenant.test.post("/v1/auth/ambiente", &body).await.refused(403, "permissao_negada");
    let body = json!({ "senha_atual": "x", "senha_nova": "y" });
    tenant.test.put("/v1/auth/senha", &body).await.refused(403, "permissao_negada");
    app.finish().await;
}

#[tokio::test]
async fn both_credentials_must_be_right_and_mean_the_same() {
    let app = TestApp::start().await;
    let (tenant, other) = (app.tenant().await, app.tenant().await);
    let session = session(&app, &tenant).await;
    let with = |key: &Option<String>| session.with_key(key.as_ref().unwrap());
    with(&tenant.test.api_key).get("/v1/auth/auditoria").await.ok(200);
    with(&tenant.live.api_key).get("/v1/empresas").await.refused(403, "ambiente_incorreto");
    with(&other.test.api_key).get("/v1/empresas").await.refused(401, "nao_autenticado");
    session.with_key("x").get("/v1/empresas").await.refused(401, "nao_autenticado");
    tenant.test.with_token("x").get("/v1/empresas").await.refused(401, "nao_autenticado");
    app.finish().await;
}
