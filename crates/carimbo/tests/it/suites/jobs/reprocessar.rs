//! `POST /v1/jobs/{job_id}/reprocessar`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{fault, without_certificate};
use crate::support::app::{PASSWORD, TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};

fn path(job: &Value) -> String {
    format!("/v1/jobs/{}/reprocessar", job["job_id"].as_str().unwrap())
}

#[tokio::test]
async fn a_job_that_sent_nothing_goes_again_once_its_cause_is_gone() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    without_certificate(&app, &tenant, NUMERIC).await;
    let client = tenant.test;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!(job["erro_detalhe"]["codigo"], "empresa_sem_certificado");
    let stranger = app.tenant().await.test;
    stranger.post(&path(&job), &json!({})).await.refused(404, "nao_encontrado");
    // the cause is still there: it fails again
    let again = client.post(&path(&job), &json!({})).await.ok(202);
    assert_eq!((&again["job_id"], &again["erro"]), (&job["job_id"], &Value::Null));
    assert_eq!(ended(&client, &again).await["status"], "failed");
    let upload = json!({ "certificado": STANDARD.encode(app.pfx(NUMERIC, 365)), "senha": PASSWORD });
    client.put(&format!("/v1/empresas/{NUMERIC}/certificado"), &upload).await.ok(200);
    client.post(&path(&job), &json!({})).await.ok(202);
    let done = ended(&client, &job).await;
    assert_eq!((&done["nota"]["status"], &done["nota"]["numero"]), (&"autorizada".into(), &1.into()), "{done}");
    assert_eq!(done["tentativas"], 3);
    assert_eq!(client.get("/v1/jobs/erros").await.ok(200)["total"], 0, "it is no failure any more");
    client.post(&path(&job), &json!({})).await.refused(409, "estado_invalido");
    app.finish().await;
}

#[tokio::test]
async fn a_job_in_doubt_goes_again_only_after_the_authority_has_said_what_it_holds() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    fault(&app, json!({ "tipo": "wrong_digval", "servico": "NFeAutorizacao4", "vezes": 1 })).await;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!((&job["status"], &job["erro_detalhe"]["codigo"]), (&"failed".into(), &"protocolo_divergente".into()));

    // the authority holds other bytes under the key
    fault(&app, json!({ "tipo": "wrong_digval", "servico": "NFeConsultaProtocolo4", "vezes": 1 })).await;
    let refused = client.post(&path(&job), &json!({})).await.refused(409, "estado_invalido");
    assert!(refused["detail"].as_str().unwrap().contains("outro conteúdo sob a chave"), "{refused}");
    // or does not answer
    fault(&app, json!({ "tipo": "http_status", "status": 503, "servico": "NFeConsultaProtocolo4", "vezes": 1 })).await;
    let refused = client.post(&path(&job), &json!({})).await.refused(409, "estado_invalido");
    assert!(refused["detail"].as_str().unwrap().contains("ainda não se sabe"), "{refused}");
    let unchanged = client.get(job["consulta"].as_str().unwrap()).await.ok(200);
    assert_eq!((&unchanged["status"], &unchanged["erro_detalhe"]), (&"failed".into(), &job["erro_detalhe"]));

    // or has exactly the bytes that were sent: the reply was damaged
    client.post(&path(&job), &json!({})).await.ok(202);
    let done = ended(&client, &job).await;
    assert_eq!((&done["status"], &done["nota"]["status"]), (&"completed".into(), &"autorizada".into()), "{done}");
    assert_eq!(done["nota"]["chave"], job["nota"]["chave"]);
    let there = app.control.get(&format!("/_sim/documentos?emitente={NUMERIC}")).await.ok(200);
    assert_eq!(there["total"], 1, "nothing was sent twice");
    let log = client.get(done["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("A autoridade ainda tem outro conteúdo sob a chave"), "{log}");
    assert!(log.contains("A autoridade tem exatamente o documento enviado."), "{log}");
    app.finish().await;
}

#[tokio::test]
async fn an_nfce_in_doubt_goes_again_under_its_own_key_and_code() {
    let app = TestApp::start().await;
    let client = crate::support::retail::seller(&app).await.test;
    fault(&app, json!({ "tipo": "wrong_digval", "servico": "NFeAutorizacao4", "vezes": 1 })).await;
    let accepted = client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["status"], &job["erro_detalhe"]["codigo"]), (&"failed".into(), &"protocolo_divergente".into()));
    fault(&app, json!({ "tipo": "wrong_digval", "servico": "NFeConsultaProtocolo4", "vezes": 1 })).await;
    client.post(&path(&job), &json!({})).await.refused(409, "estado_invalido");
    client.post(&path(&job), &json!({})).await.ok(202);
    let done = ended(&client, &job).await;
    assert_eq!((&done["tipo"], &done["nota"]["status"]), (&"nfce".into(), &"autorizada".into()), "{done}");
    assert_eq!(done["nota"]["chave"], job["nota"]["chave"]);
    let xml = client.get(done["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(xml.contains(&format!("<qrCode>{}</qrCode>", done["nota"]["qrcode"].as_str().unwrap())), "{xml}");
    let there = app.control.get(&format!("/_sim/documentos?emitente={NUMERIC}")).await.ok(200);
    assert_eq!(there["total"], 1, "nothing was sent twice");
    client.post(&path(&job), &json!({})).await.refused(409, "estado_invalido");
    app.finish().await;
}

#[tokio::test]
async fn what_did_not_fail_is_not_tried_again() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let rejected = issued(&client, &crate::support::body::refused_with(778)).await;
    client.post(&path(&rejected), &json!({})).await.refused(409, "estado_invalido");
    client.post("/v1/jobs/1/reprocessar", &json!({})).await.refused(404, "nao_encontrado");
    app.anonymous().post(&path(&rejected), &json!({})).await.refused(401, "nao_autenticado");
    app.finish().await;
}
