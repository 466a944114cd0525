//! `POST /v1/auth/logout`.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::users::{bearer, login, user};

#[tokio::test]
async fn ends_this_session_and_no_other() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let (one, two) = (bearer(&app, &login(&app, &ana).await), bearer(&app, &login(&app, &ana).await));
    assert_eq!(one.post("/v1/auth/logout", &json!({})).await.ok(200)["sucesso"], true);
    let ended = one.get("/v1/auth/me").await;
    assert!(ended.header("www-authenticate").contains("Bearer"));
    ended.refused(401, "token_expirado");
    one.post("/v1/auth/logout", &json!({})).await.refused(401, "token_expirado");
    two.get("/v1/auth/me").await.ok(200);
    // a body is not needed
    two.send(http::Method::POST, "/v1/auth/logout", &[], "".into()).await.ok(200);
    app.anonymous().post("/v1/auth/logout", &json!({})).await.refused(401, "nao_autenticado");
    app.finish().await;
}
