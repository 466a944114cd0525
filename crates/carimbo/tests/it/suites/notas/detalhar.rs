//! `GET /v1/notas/{chave}`.

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};

#[tokio::test]
async fn a_note_is_found_by_its_key_as_the_list_shows_it() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    for company in [NUMERIC, ALPHANUMERIC] {
        let job = issued(&tenant.test, &body::emission(company)).await;
        let note = tenant.test.get(&format!("/v1/notas/{}", job["nota"]["chave"].as_str().unwrap())).await.ok(200);
        assert_eq!((&note["job_id"], &note["status"]), (&job["job_id"], &"autorizada".into()));
        assert_eq!(note, tenant.test.get("/v1/notas?limite=1").await.ok(200)["notas"][0]);
    }
    app.finish().await;
}

#[tokio::test]
async fn what_is_absent_another_tenants_or_no_key_is_404() {
    let app = TestApp::start().await;
    let owner = app.issuer(NUMERIC).await.test;
    let other = app.tenant().await.test;
    let job = issued(&owner, &body::emission(NUMERIC)).await;
    let path = format!("/v1/notas/{}", job["nota"]["chave"].as_str().unwrap());
    let foreign = other.get(&path).await.refused(404, "nao_encontrado");
    let absent =
        owner.get("/v1/notas/35261111222333000181550010000000011652182955").await.refused(404, "nao_encontrado");
    assert_eq!(foreign["detail"], absent["detail"]);
    owner.get("/v1/notas/35").await.refused(404, "nao_encontrado");
    app.anonymous().get(&path).await.refused(401, "nao_autenticado");
    app.finish().await;
}
