//! The request limit of a credential, and the headers that report it.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::client::Answer;
use crate::support::users::session;

/// Remaining requests, by the header.
#[track_caller]
fn remaining(answer: &Answer) -> u32 {
    let state = answer.header("ratelimit");
    let (_, rest) = state.split_once("\"padrao\";r=").unwrap_or_else(|| panic!("{state}"));
    rest.split_once(";t=").unwrap().0.parse().unwrap()
}

#[tokio::test]
async fn a_credential_that_asks_too_often_is_told_when_to_come_back() {
    let app = TestApp::start_with(|parts| (parts.limits.requests, parts.limits.window_s) = (5, 36_000)).await;
    let tenant = app.tenant().await;
    for left in (0..5).rev() {
        let answer = tenant.test.get("/v1/cotas").await;
        assert_eq!(answer.header("ratelimit-policy"), "\"padrao\";q=5;w=36000");
        assert_eq!(remaining(&answer), left);
        answer.ok(200);
    }
    let refused = tenant.test.post("/v1/empresas", &json!({})).await;
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=7_200).contains(&wait));
    assert_eq!(refused.header("ratelimit"), format!("\"padrao\";r=0;t={wait}"));
    refused.refused(429, "muitas_requisicoes");
    // others are not held up, nor is what needs no credential
    tenant.live.get("/v1/cotas").await.ok(200);
    app.tenant().await.test.get("/v1/cotas").await.ok(200);
    app.anonymous().get("/health").await.ok(200);
    app.finish().await;
}

#[tokio::test]
async fn every_authenticated_answer_tells_how_the_limit_stands() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let good = tenant.test.get("/v1/empresas").await;
    let absent = tenant.test.get("/v1/empresas/11222333000181").await;
    let wrong = tenant.test.post("/v1/empresas", &json!({})).await;
    let of_a_session = session(&app, &tenant).await.get("/v1/cotas").await;
    for answer in [&good, &absent, &wrong, &of_a_session] {
        assert!(answer.header("ratelimit-policy").starts_with("\"padrao\";q="));
        assert!(remaining(answer) > 0);
    }
    let anonymous = app.anonymous().get("/v1/empresas").await;
    assert!(!anonymous.headers.iter().any(|(name, _)| name.starts_with("ratelimit")));
    app.finish().await;
}

#[tokio::test]
async fn without_a_limit_nothing_is_told() {
    let app = TestApp::start_with(|parts| parts.limits.requests = 0).await;
    let answer = app.tenant().await.test.get("/v1/empresas").await;
    assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("ratelimit")));
    answer.ok(200);
    app.finish().await;
}
