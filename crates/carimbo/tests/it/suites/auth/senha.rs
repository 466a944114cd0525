//! `PUT /v1/auth/senha`.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::users::{SENHA, bearer, login, user};

const NEW: &str = "outra senha bem longa";

#[tokio::test]
async fn the_new_password_is_the_only_one_and_every_session_before_ends() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let (one, two) = (bearer(&app, &login(&app, &ana).await), bearer(&app, &login(&app, &ana).await));
    let changed = one.put("/v1/auth/senha", &json!({ "senha_atual": SENHA, "senha_nova": NEW })).await.ok(200);
    one.get("/v1/auth/me").await.refused(401, "token_expirado");
    two.get("/v1/auth/me").await.refused(401, "token_expirado");
    bearer(&app, &changed).get("/v1/auth/me").await.ok(200);
    let login =
        async |senha| app.anonymous().post("/v1/auth/login", &json!({ "email": ana.email, "senha": senha })).await;
    login(SENHA).await.refused(401, "credenciais_invalidas");
    login(NEW).await.ok(200);
    app.finish().await;
}

#[tokio::test]
async fn what_is_wrong_changes_nothing() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let session = bearer(&app, &login(&app, &ana).await);
    let put = async |body| session.put("/v1/auth/senha", &body).await;
    let error = put(json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!(error["erros"].as_array().unwrap().len(), 2);
    put(json!({ "senha_atual": SENHA, "senha_nova": "curta" })).await.refused(422, "validacao");
    put(json!({ "senha_atual": SENHA, "senha_nova": "x".repeat(257) })).await.refused(422, "validacao");
    put(json!({ "senha_atual": SENHA, "senha_nova": SENHA })).await.refused(422, "validacao");
    put(json!({ "senha_atual": SENHA, "senha_nova": 7 })).await.refused(400, "requisicao_invalida");
    let wrong = json!({ "senha_atual": "não é esta", "senha_nova": NEW });
    for _ in 0..5 {
        put(wrong.clone()).await.refused(401, "credenciais_invalidas");
    }
    let slowed = put(json!({ "senha_atual": SENHA, "senha_nova": NEW })).await;
    assert!(slowed.header("retry-after").parse::<u32>().unwrap() > 0);
    slowed.refused(429, "muitas_requisicoes");
    session.get("/v1/auth/me").await.ok(200);
    app.finish().await;
}
