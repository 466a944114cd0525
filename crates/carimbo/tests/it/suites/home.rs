//! `GET /` and `GET /health`.

use crate::support::app::TestApp;

#[tokio::test]
async fn the_card_and_the_sign_of_life_need_no_key() {
    let app = TestApp::start().await;
    let card = app.anonymous().get("/").await.ok(200);
    assert_eq!((&card["servico"], &card["api"]), (&"Carimbo".into(), &"/v1".into()));
    assert_eq!(app.anonymous().get("/health").await.ok(200)["status"], "ok");
    app.finish().await;
}
