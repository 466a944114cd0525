//! `GET /v1/auth/me`.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::users::{bearer, login, user};

#[tokio::test]
async fn tells_who_is_calling() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let me = bearer(&app, &login(&app, &ana).await).get("/v1/auth/me").await.ok(200);
    assert_eq!(me["usuario"], json!({ "id": ana.id, "nome": "Ana", "email": ana.email }));
    assert_eq!(me["tenant"], json!({ "id": tenant.id, "nome": "Conta de teste" }));
    assert_eq!((&me["ambiente"], &me["autenticacao"]), (&json!("homologacao"), &json!("usuario")));
    assert_eq!(me["chave"]["id"], json!(tenant.test_key_id));

    let me = tenant.live.get("/v1/auth/me").await.ok(200);
    assert_eq!((&me["usuario"], &me["autenticacao"]), (&Value::Null, &json!("chave_api")));
    assert_eq!(me["ambiente"], "producao");
    app.anonymous().get("/v1/auth/me").await.refused(401, "nao_autenticado");
    app.finish().await;
}
