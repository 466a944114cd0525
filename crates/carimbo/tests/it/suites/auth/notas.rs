//! `GET /v1/auth/notas`: for users, not for keys.

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::users::session;

#[tokio::test]
async fn a_session_sees_the_notes_of_its_account() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    app.company(&tenant, ALPHANUMERIC).await;
    issued(&tenant.test, &body::emission(NUMERIC)).await;
    issued(&tenant.test, &body::emission(ALPHANUMERIC)).await;
    let user = session(&app, &tenant).await;
    let page = user.get("/v1/auth/notas").await.ok(200);
    assert_eq!((&page["total"], &page["pagina"], &page["limite"]), (&2.into(), &1.into(), &20.into()));
    assert_eq!(page["notas"], tenant.test.get("/v1/notas").await.ok(200)["notas"]);
    assert_eq!(page["notas"][0]["emitente"], ALPHANUMERIC);
    let filters = format!("tipo=nfe&status=autorizada&emitente={NUMERIC}&limite=1&pagina=1");
    let page = user.get(&format!("/v1/auth/notas?{filters}")).await.ok(200);
    assert_eq!(
        (&page["total"], &page["limite"], &page["notas"][0]["emitente"]),
        (&1.into(), &1.into(), &NUMERIC.into())
    );
    user.get("/v1/auth/notas?status=ok").await.refused(400, "requisicao_invalida");
    app.finish().await;
}

#[tokio::test]
async fn a_key_is_not_enough() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    tenant.test.get("/v1/auth/notas").await.refused(403, "permissao_negada");
    app.anonymous().get("/v1/auth/notas").await.refused(401, "nao_autenticado");
    app.finish().await;
}
