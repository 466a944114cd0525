//! `GET /docs/erros/{codigo}`.

use http::Method;

use crate::app::TestApp;

#[tokio::test]
async fn the_type_of_an_error_opens_a_page_without_foreign_assets() {
    let app = TestApp::start().await;
    let error = app.anonymous().get("/v1/empresas").await.refused(401, "nao_autenticado");
    let page = app.anonymous().get(error["type"].as_str().unwrap()).await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    let html = page.text();
    assert!(html.contains("<h2>O que fazer</h2>") && html.contains("<code>X-API-Key</code>"), "{html}");
    assert!(!html.contains("http://") && !html.contains("https://") && !html.contains("<script"), "{html}");
    app.anonymous().get("/docs/erros/nada").await.refused(404, "nao_encontrado");
    app.finish().await;
}

#[tokio::test]
async fn the_page_is_also_there_as_it_is_written() {
    let app = TestApp::start().await;
    let accept = [("accept", "text/markdown")];
    let page = app.anonymous().send(Method::GET, "/docs/erros/validacao", &accept, "".into()).await;
    assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8");
    assert!(page.text().starts_with("# `validacao`"));
    let index = app.anonymous().get("/docs/erros").await.text();
    assert!(index.contains("href=\"/docs/erros/documento_invalido\""), "{index}");
    app.finish().await;
}
