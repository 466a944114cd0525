//! Properties of every route: request ids, keys, sizes, media types, JSON, unknown paths, security headers.

use bytes::Bytes;
use fiscal::value::TpAmb;
use http::Method;
use serde_json::json;
use store::audit::Actor;

use crate::support::app::TestApp;
use crate::support::body::{self, NUMERIC};

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn a_sane_request_id_is_kept_and_another_is_replaced() {
    let app = TestApp::start().await;
    let send =
        async |id: &str| app.anonymous().send(Method::GET, "/health", &[("x-request-id", id)], Bytes::new()).await;
    assert_eq!(send("pedido-1001").await.header("x-request-id"), "pedido-1001");
    for strange in ["com espaço", "", &"x".repeat(129), "<script>"] {
        let answer = send(strange).await;
        let made = answer.header("x-request-id");
        assert!(uuid::Uuid::parse_str(made).is_ok(), "{made}");
    }
    app.finish().await;
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let app = TestApp::start().await;
    for path in ["/", "/status", "/v1/empresas", "/nada"] {
        let answer = app.anonymous().get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn without_a_good_key_nothing_is_answered() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let no_key = app.anonymous().get("/v1/empresas").await;
    assert!(no_key.header("www-authenticate").contains("X-API-Key"));
    no_key.refused(401, "nao_autenticado");
    let unknown = format!("crb_test_{}", "a".repeat(43));
    for strange in ["", "x", "crb_test_curta", &unknown] {
        app.anonymous().with_key(strange).get("/v1/empresas").await.refused(401, "nao_autenticado");
    }
    tenant.test.get("/v1/empresas").await.ok(200);
    app.store.revoke_api_key(tenant.id, tenant.test_key_id, &Actor::operator(), 1).await.unwrap();
    tenant.test.get("/v1/empresas").await.refused(401, "chave_revogada");
    assert_eq!(
        app.store
            .caller(&openssl::sha::sha256(tenant.live.api_key.as_ref().unwrap().as_bytes()), 1)
            .await
            .unwrap()
            .ambiente,
        TpAmb::Producao
    );
    app.finish().await;
}

#[tokio::test]
async fn what_is_not_there_is_said_so() {
    let app = TestApp::start().await;
    let error = app.anonymous().get("/v1/nada?x=1").await.refused(404, "nao_encontrado");
    assert_eq!(error["instance"], "/v1/nada");
    let answer = app.anonymous().get("/v1/nfe/emitir").await;
    assert_eq!(answer.header("allow"), "POST");
    answer.refused(405, "metodo_nao_permitido");
    app.finish().await;
}

#[tokio::test]
async fn a_body_must_be_json_of_a_sane_size_and_depth() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let post =
        async |headers: &[(&str, &str)], body: Bytes| client.send(Method::POST, "/v1/nfe/emitir", headers, body).await;
    let form = post(&[("content-type", "application/x-www-form-urlencoded")], "a=b".into()).await;
    form.refused(415, "midia_invalida");
    post(&[JSON, ("content-encoding", "gzip")], "{}".into()).await.refused(415, "midia_invalida");
    for malformed in ["", "{", "[]", "null", "{\"a\":1,}", "{\"a\":\"\u{1}\"}"] {
        post(&[JSON], malformed.to_owned().into()).await.refused(400, "json_invalido");
    }
    post(&[JSON], Bytes::from_static(b"{\"a\":\"\xff\"}")).await.refused(400, "json_invalido");
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100));
    post(&[JSON], deep.into()).await.refused(400, "json_invalido");
    post(&[JSON], vec![b' '; (1 << 20) + 1].into()).await.refused(413, "corpo_grande");
    app.finish().await;
}

#[tokio::test]
async fn a_media_type_with_parameters_or_none_at_all_is_taken() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let body = Bytes::from(body::company(NUMERIC).to_string());
    let with_charset = [("content-type", "Application/JSON; charset=utf-8")];
    client.send(Method::POST, "/v1/empresas", &with_charset, body.clone()).await.ok(201);
    client.send(Method::POST, "/v1/empresas", &[], body).await.refused(409, "ja_existe");
    app.finish().await;
}

#[tokio::test]
async fn all_problems_of_a_wrapper_are_told_at_once() {
    let app = TestApp::start().await;
    let client = app.tenant().await.test;
    let body = json!({ "cpf_cnpj": 5, "referencia_externa": "PED-1", "webhook_url": "http://exemplo.com.br" });
    let error = client.post("/v1/nfe/emitir", &body).await.refused(400, "requisicao_invalida");
    let fields: Vec<&str> =
        error["erros"].as_array().unwrap().iter().map(|erro| erro["campo"].as_str().unwrap()).collect();
    assert_eq!(fields, ["cpf_cnpj", "nota", "referencia_externa", "webhook_url"]);
    app.finish().await;
}
