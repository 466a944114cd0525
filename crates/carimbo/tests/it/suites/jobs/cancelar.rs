//! `POST /v1/jobs/{job_id}/cancelar`.

use serde_json::{Value, json};

use super::{fault, held_back};
use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC};

fn path(job: &Value) -> String {
    format!("/v1/jobs/{}/cancelar", job["job_id"].as_str().unwrap())
}

#[tokio::test]
async fn a_job_that_waits_is_cancelled_unless_its_document_may_have_left() {
    let mut app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    // undue use: the first document was turned away, the second one has to wait an hour before it is even made
    fault(&app, json!({ "tipo": "cstat", "cStat": 656, "servico": "NFeAutorizacao4", "vezes": 1 })).await;
    let sent = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    held_back(&client, &sent, "consumo_indevido").await;
    let refused = client.post(&path(&sent), &json!({})).await.refused(409, "estado_invalido");
    assert!(refused["detail"].as_str().unwrap().contains("já pode ter sido enviado"), "{refused}");

    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("CANCELA1");
    let waiting = client.post("/v1/nfe/emitir", &body).await.ok(202);
    held_back(&client, &waiting, "consumo_indevido").await;
    let stranger = app.tenant().await.test;
    stranger.post(&path(&waiting), &json!({})).await.refused(404, "nao_encontrado");
    let cancelled = client.post(&path(&waiting), &json!({})).await.ok(200);
    assert_eq!((&cancelled["status"], &cancelled["nota"]), (&"cancelled".into(), &Value::Null));
    assert_eq!((&cancelled["erro"], &cancelled["erro_detalhe"]), (&Value::Null, &Value::Null));
    assert!(cancelled["concluido_em"].is_string());
    // final, and the reference stays its own
    client.post(&path(&waiting), &json!({})).await.refused(409, "estado_invalido");
    let reprocess = format!("/v1/jobs/{}/reprocessar", waiting["job_id"].as_str().unwrap());
    client.post(&reprocess, &json!({})).await.refused(409, "estado_invalido");
    let replay = client.post("/v1/nfe/emitir", &body).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["status"]), (&waiting["job_id"], &"cancelled".into()));
    assert_eq!(replay["idempotente"], true);
    let log = client.get(cancelled["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("Cancelado pela conta antes do envio."), "{log}");
    app.stop().await;
}

#[tokio::test]
async fn what_has_ended_or_is_not_there_is_not_cancelled() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    client.post(&path(&job), &json!({})).await.refused(409, "estado_invalido");
    client.post("/v1/jobs/1/cancelar", &json!({})).await.refused(404, "nao_encontrado");
    let absent = format!("/v1/jobs/{}/cancelar", uuid::Uuid::now_v7());
    client.post(&absent, &json!({})).await.refused(404, "nao_encontrado");
    app.anonymous().post(&path(&job), &json!({})).await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn cancelling_against_the_workers_each_job_has_one_end() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let rounds: Vec<_> = (0..24)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                let accepted = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
                let answer = client.post(&path(&accepted), &json!({})).await.status.as_u16();
                (answer, crate::support::app::ended(&client, &accepted).await)
            })
        })
        .collect();
    let mut authorised = 0_u64;
    for round in rounds {
        let (answer, job) = round.await.unwrap();
        match answer {
            200 => assert_eq!(job["status"], "cancelled", "{job}"),
            409 => {
                authorised += 1;
                assert_eq!(job["nota"]["status"], "autorizada", "{job}");
            }
            other => panic!("{other}: {job}"),
        }
    }
    assert_eq!(client.get("/v1/notas").await.ok(200)["total"], authorised);
    let there = app.control.get(&format!("/_sim/documentos?emitente={NUMERIC}")).await.ok(200);
    assert_eq!(there["total"], authorised, "what was cancelled never reached the authority");
    app.finish().await;
}
