//! `GET /` and `GET /health`.

use http::Method;

use crate::support::app::TestApp;

#[tokio::test]
async fn the_card_and_the_sign_of_life_need_no_key() {
    let app = TestApp::start().await;
    let card = app.anonymous().get("/").await.ok(200);
    assert_eq!((&card["servico"], &card["api"]), (&"Carimbo".into(), &"/v1".into()));
    assert_eq!(app.anonymous().get("/health").await.ok(200)["status"], "ok");
    app.finish().await;
}

#[tokio::test]
async fn a_browser_gets_a_page_and_a_program_the_card() {
    let app = TestApp::start().await;
    for (accept, media) in [
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("", "application/json"),
    ] {
        let answer = app.anonymous().send(Method::GET, "/", &[("accept", accept)], "".into()).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, media), "{accept}");
        assert!(answer.header("vary").to_lowercase().contains("accept"), "{accept}: {}", answer.header("vary"));
    }
    let page = app.anonymous().send(Method::GET, "/", &[("accept", "text/html")], "".into()).await;
    let policy = page.header("content-security-policy").to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let html = page.text();
    for way in ["/painel", "/docs", "/docs/guia/primeira-nota", "/swagger", "/status", "/docs/guia/documento-nfse"] {
        assert!(html.contains(&format!("href=\"{way}\"")), "{way}: {html}");
    }
    assert!(html.contains("Carimbo 0.") || html.contains("Carimbo 1."), "no version: {html}");
    app.finish().await;
}
