//! `GET|POST /v1/webhooks/segredo`.

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};
use store::audit::{AuditAct, AuditFilter};

use super::notificacao::contract_signature;
use super::{app_and_receiver, ended_as, issue};
use crate::support::app::TestApp;
use crate::support::body::NUMERIC;

const PATH: &str = "/v1/webhooks/segredo";

fn secret(answer: &Value) -> String {
    answer["segredo"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn each_environment_has_its_own_and_shows_it_again() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let test = tenant.test.get(PATH).await.ok(200);
    assert_eq!((&test["ambiente"], &test["anteriores"]), (&"homologacao".into(), &json!([])));
    let text = secret(&test);
    assert!(text.starts_with("whsec_") && text.len() == 50, "{}", text.len());
    assert!(test["criado_em"].is_string());
    assert_eq!(tenant.test.get(PATH).await.ok(200), test);
    let live = tenant.live.get(PATH).await.ok(200);
    assert_eq!(live["ambiente"], "producao");
    assert_ne!(secret(&live), text);
    app.anonymous().get(PATH).await.refused(401, "nao_autenticado");
    app.anonymous().post(PATH, &json!({})).await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn how_long_the_old_one_signs_is_said_or_24_hours() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let first = secret(&tenant.test.get(PATH).await.ok(200));
    let rotated = tenant.test.send(Method::POST, PATH, &[], Bytes::new()).await.ok(200);
    assert_ne!(secret(&rotated), first);
    let until = rotated["anteriores"][0]["valido_ate"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let since = rotated["criado_em"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert_eq!(until.as_second() - since.as_second(), 24 * 3600);
    let again = tenant.test.post(PATH, &json!({ "carencia_horas": 0 })).await.ok(200);
    assert_eq!((&again["anteriores"], secret(&again) == secret(&rotated)), (&json!([]), false));
    tenant.test.post(PATH, &json!({ "carencia_horas": 169 })).await.refused(422, "validacao");
    tenant.test.post(PATH, &json!({ "carencia_horas": "muitas" })).await.refused(400, "requisicao_invalida");
    let text = [("content-type", "text/plain")];
    tenant.test.send(Method::POST, PATH, &text, "x".into()).await.refused(415, "midia_invalida");
    assert_eq!(secret(&tenant.test.get(PATH).await.ok(200)), secret(&again), "refusals change nothing");
    let (trail, count) = app
        .store
        .audit_trail(
            tenant.id,
            AuditFilter { act: Some(AuditAct::SegredoWebhookTrocado), ..AuditFilter::default() },
            10,
            0,
        )
        .await
        .unwrap();
    assert_eq!((count, trail[0].ato.as_str(), trail[0].alvo.as_str()), (2, "segredo_webhook_trocado", "homologacao"));
    assert_eq!((trail[0].ator.as_str(), trail[0].ator_id), ("chave_api", Some(tenant.test_key_id)));
    assert!(trail.iter().all(|entry| !entry.detalhes.to_string().contains("whsec_")), "{trail:?}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_the_grace_both_sign_and_after_it_the_new_one_alone() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    let old = secret(&tenant.test.get(PATH).await.ok(200));
    let new = secret(&tenant.test.post(PATH, &json!({ "carencia_horas": 2 })).await.ok(200));
    for (forward, contract, signatures) in [(0, &old, 2), (2 * 3600, &new, 1)] {
        app.clock.forward(forward);
        let job = issue(&tenant.test, &receiver.url("/")).await;
        ended_as(&tenant.test, &job, "entregue").await;
        let heard = receiver.heard().pop().unwrap();
        assert_eq!(heard.headers["x-service-signature"], contract_signature(contract, &heard.raw));
        assert_eq!(heard.headers["webhook-signature"].split(' ').count(), signatures);
    }
    app.finish().await;
}
