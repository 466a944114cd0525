//! `POST /v1/auth/ambiente`.

use serde_json::json;
use store::audit::Actor;

use crate::support::app::TestApp;
use crate::support::body::{self, NUMERIC};
use crate::support::users::{bearer, login, opened, session, user};

#[tokio::test]
async fn the_session_goes_over_and_the_token_before_is_worth_nothing() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let first = login(&app, &user(&app, &tenant).await).await;
    let before = bearer(&app, &first);
    let second = before.post("/v1/auth/ambiente", &json!({ "ambiente": "producao" })).await.ok(200);
    assert_eq!((&second["ambiente"], &second["expires_in"]), (&json!("producao"), &json!(3600)));
    assert_ne!(first["token"], second["token"]);
    assert_eq!(opened(&app, second["token"].as_str().unwrap()).1["ambiente"], "producao");
    before.get("/v1/empresas").await.refused(401, "token_expirado");
    before.post("/v1/auth/ambiente", &json!({ "ambiente": "producao" })).await.refused(401, "token_expirado");
    let after = bearer(&app, &second);
    assert_eq!(after.get("/v1/auth/me").await.ok(200)["ambiente"], "producao");
    let third = after.post("/v1/auth/ambiente", &json!({ "ambiente": "homologacao" })).await.ok(200);
    assert_eq!(bearer(&app, &third).get("/v1/auth/me").await.ok(200)["ambiente"], "homologacao");
    app.finish().await;
}

#[tokio::test]
async fn what_a_session_issues_is_of_its_environment() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let session = session(&app, &tenant).await;
    let emission = body::emission(NUMERIC);
    let accepted = session.post("/v1/nfe/emitir", &emission).await.ok(202);
    assert_eq!(accepted["ambiente"], "homologacao");
    crate::support::app::ended(&session, &accepted).await;
    app.finish().await;
}

#[tokio::test]
async fn without_an_active_key_there_the_session_stays_where_it_is() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let session = session(&app, &tenant).await;
    let keys = app.store.list_api_keys(tenant.id).await.unwrap();
    let live = keys.iter().find(|key| key.ambiente.word() == "producao").unwrap();
    app.store.revoke_api_key(tenant.id, live.id, &Actor::operator(), 1).await.unwrap();
    let body = json!({ "ambiente": "producao" });
    session.post("/v1/auth/ambiente", &body).await.refused(403, "ambiente_incorreto");
    session.get("/v1/empresas").await.ok(200);
    app.store.revoke_api_key(tenant.id, tenant.test_key_id, &Actor::operator(), 1).await.unwrap();
    let ended = session.get("/v1/empresas").await;
    assert!(ended.header("www-authenticate").contains("invalid_token"));
    ended.refused(401, "chave_revogada");
    app.finish().await;
}

#[tokio::test]
async fn another_word_than_the_two_is_refused() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let session = session(&app, &tenant).await;
    let ask = async |body| session.post("/v1/auth/ambiente", &body).await;
    ask(json!({})).await.refused(400, "campo_obrigatorio");
    ask(json!({ "ambiente": "" })).await.refused(400, "campo_obrigatorio");
    for strange in [json!("teste"), json!(2), json!("PRODUCAO")] {
        let error = ask(json!({ "ambiente": strange })).await.refused(400, "requisicao_invalida");
        assert_eq!(error["erros"][0]["campo"], "ambiente");
    }
    app.anonymous().post("/v1/auth/ambiente", &json!({})).await.refused(401, "nao_autenticado");
    app.finish().await;
}
