//! `POST /v1/auth/login`, and what its token opens.

use http::Method;
use serde_json::json;
use store::audit::Actor;

use crate::support::app::TestApp;
use crate::support::users::{SENHA, bearer, login, opened, resigned, user};

#[tokio::test]
async fn e_mail_and_password_give_a_token_that_opens_what_a_key_opens() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let body = json!({ "email": ana.email.to_uppercase(), "senha": SENHA, "lembrar": true });
    let answer = app.anonymous().post("/v1/auth/login", &body).await.ok(200);
    assert_eq!((&answer["sucesso"], &answer["token_type"]), (&json!(true), &json!("Bearer")));
    assert_eq!((&answer["expires_in"], &answer["ambiente"]), (&json!(3600), &json!("homologacao")));
    assert_eq!(answer["usuario"], json!({ "id": ana.id, "nome": "Ana", "email": ana.email }));
    assert_eq!(answer["tenant"], json!({ "id": tenant.id, "nome": "Conta de teste" }));
    assert_eq!(answer["token"], answer["access_token"]);
    let (header, payload, signed) = opened(&app, answer["token"].as_str().unwrap());
    assert_eq!(header, json!({ "alg": "HS256", "typ": "JWT" }));
    assert!(signed, "{payload}");
    let ends = payload["exp"].as_i64().unwrap();
    assert_eq!(ends - payload["iat"].as_i64().unwrap(), 3600);
    let told: jiff::Timestamp = answer["expira_em"].as_str().unwrap().parse().unwrap();
    assert_eq!(told.as_second(), ends);
    bearer(&app, &answer).get("/v1/empresas").await.ok(200);
    let mut lower = app.anonymous().clone();
    lower.authorization = Some(format!("bearer {}", answer["token"].as_str().unwrap()));
    lower.get("/v1/empresas").await.ok(200);
    app.finish().await;
}

#[tokio::test]
async fn what_is_missing_or_of_a_wrong_type_is_told_at_once() {
    let app = TestApp::start().await;
    let login = async |body| app.anonymous().post("/v1/auth/login", &body).await;
    let error = login(json!({})).await.refused(400, "campo_obrigatorio");
    assert_eq!((&error["erros"][0]["campo"], &error["erros"][1]["campo"]), (&json!("email"), &json!("senha")));
    login(json!({ "email": "", "senha": "" })).await.refused(400, "campo_obrigatorio");
    login(json!({ "email": 5, "senha": ["x"] })).await.refused(400, "requisicao_invalida");
    login(json!({ "email": "a@b", "senha": "x", "ambiente": "teste" })).await.refused(400, "requisicao_invalida");
    app.anonymous().send(Method::POST, "/v1/auth/login", &[], "{".into()).await.refused(400, "json_invalido");
    let get = app.anonymous().get("/v1/auth/login").await;
    assert_eq!(get.header("allow"), "POST");
    get.refused(405, "metodo_nao_permitido");
    app.finish().await;
}

#[tokio::test]
async fn a_token_that_is_not_ours_or_is_over_opens_nothing() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let answer = login(&app, &user(&app, &tenant).await).await;
    let token = answer["token"].as_str().unwrap();
    let ask = async |authorization: &str| {
        app.anonymous().send(Method::GET, "/v1/empresas", &[("authorization", authorization)], "".into()).await
    };
    let changed = format!("Bearer {}x", &token[..token.len() - 1]);
    let key = format!("Bearer {}", tenant.test.api_key.as_ref().unwrap());
    for strange in ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer a.b.c", &changed, &key] {
        let refused = ask(strange).await;
        assert!(refused.header("www-authenticate").contains("Bearer realm=\"carimbo\""), "{strange}");
        refused.refused(401, "nao_autenticado");
    }
    let over = resigned(&app, token, |payload| payload["exp"] = json!(1));
    let refused = ask(&format!("Bearer {over}")).await;
    assert!(refused.header("www-authenticate").contains("error=\"invalid_token\""));
    refused.refused(401, "token_expirado");
    let nobody = resigned(&app, token, |payload| payload["jti"] = json!(uuid::Uuid::now_v7()));
    ask(&format!("Bearer {nobody}")).await.refused(401, "token_expirado");
    app.finish().await;
}

#[tokio::test]
async fn the_environment_may_be_asked_for_and_needs_an_active_key() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let ana = user(&app, &tenant).await;
    let ask = async |body| app.anonymous().post("/v1/auth/login", &body).await;
    let live = json!({ "email": ana.email, "senha": SENHA, "ambiente": "producao" });
    assert_eq!(ask(live.clone()).await.ok(200)["ambiente"], "producao");
    let revoke = async |ambiente: &str| {
        for key in app.store.list_api_keys(tenant.id).await.unwrap() {
            if key.ambiente.word() == ambiente {
                app.store.revoke_api_key(tenant.id, key.id, &Actor::operator(), 1).await.unwrap();
            }
        }
    };
    revoke("homologacao").await;
    let any = json!({ "email": ana.email, "senha": SENHA });
    assert_eq!(ask(any.clone()).await.ok(200)["ambiente"], "producao");
    revoke("producao").await;
    ask(live).await.refused(403, "ambiente_incorreto");
    ask(any).await.refused(403, "permissao_negada");
    app.finish().await;
}

#[tokio::test]
async fn a_removed_user_has_no_session_and_no_login() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let (ana, bia) = (user(&app, &tenant).await, user(&app, &tenant).await);
    let session = bearer(&app, &login(&app, &ana).await);
    app.store.remove_user(tenant.id, ana.id, &Actor::operator(), 1).await.unwrap();
    session.get("/v1/auth/me").await.refused(401, "token_expirado");
    let body = json!({ "email": ana.email, "senha": SENHA });
    app.anonymous().post("/v1/auth/login", &body).await.refused(401, "credenciais_invalidas");
    login(&app, &bia).await;
    app.finish().await;
}
