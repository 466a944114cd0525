//! `referencia_externa`: one reference, one job, one document.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC, number};

#[tokio::test]
async fn fifty_at_once_are_one_job_and_one_document() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("PEDIDO50");
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let (client, body) = (client.clone(), body.clone());
            tokio::spawn(async move { client.post("/v1/nfe/emitir", &body).await })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    let count = |status: u16| answers.iter().filter(|answer| answer.status.as_u16() == status).count();
    assert_eq!((count(202), count(200)), (1, 49));
    let bodies: Vec<Value> = answers.iter().map(|answer| answer.json()).collect();
    assert!(bodies.iter().all(|body| body["job_id"] == bodies[0]["job_id"]));
    assert_eq!(bodies.iter().filter(|body| body["idempotente"] == true).count(), 49);
    let job = ended(&client, &bodies[0]).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let at_authority = app.control.get(&format!("/_sim/documentos?emitente={NUMERIC}")).await.ok(200);
    assert_eq!(at_authority["total"], 1, "{at_authority}");
    app.finish().await;
}

#[tokio::test]
async fn a_replay_shows_the_first_job_as_it_stands_and_tells_a_divergent_payload() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("REPETE1");
    let first = issued(&client, &body).await;
    let replay = client.post("/v1/nfe/emitir", &body).await.ok(200);
    assert_eq!((&replay["idempotente"], &replay["payload_divergente"]), (&true.into(), &false.into()));
    assert_eq!((&replay["job_id"], &replay["nota"]), (&first["job_id"], &first["nota"]));
    body["nota"]["produtos"][0]["vUnCom"] = number("6.00");
    let divergent = client.post("/v1/nfe/emitir", &body).await.ok(200);
    assert_eq!((&divergent["payload_divergente"], &divergent["job_id"]), (&true.into(), &first["job_id"]));
    // a replay never fails for its payload
    body["nota"] = json!({});
    assert_eq!(client.post("/v1/nfe/emitir", &body).await.ok(200)["payload_divergente"], true);
    app.finish().await;
}

#[tokio::test]
async fn an_act_is_not_answered_by_a_job_of_another_operation() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("PEDIDO77");
    let note = issued(&client, &body).await;
    let mut cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": "Venda desfeita pelo cliente",
        "referencia_externa": "PEDIDO77" });
    let voiding = json!({ "cpf_cnpj": NUMERIC, "numero_inicial": 50, "numero_final": 50, "justificativa": "Números que ninguém usou",
        "referencia_externa": "PEDIDO77" });
    for (path, request) in [("/v1/nfe/cancelar", &cancel), ("/v1/nfe/inutilizar", &voiding)] {
        let refused = client.post(path, request).await.refused(409, "estado_invalido");
        assert_eq!((&refused["job_id"], &refused["consulta"]), (&note["job_id"], &note["consulta"]), "{refused}");
        assert!(refused["detail"].as_str().unwrap().contains("emissao"), "{refused}");
    }
    assert_eq!(client.get(note["consulta"].as_str().unwrap()).await.ok(200)["nota"]["status"], "autorizada");
    // under a reference of its own it is done, and a repetition gets its job
    cancel["referencia_externa"] = json!("DESFAZ77");
    let accepted = client.post("/v1/nfe/cancelar", &cancel).await.ok(202);
    assert_eq!(ended(&client, &accepted).await["nota"]["status"], "cancelada");
    assert_eq!(client.post("/v1/nfe/cancelar", &cancel).await.ok(200)["job_id"], accepted["job_id"]);
    // an emission is answered by whatever job has its reference
    body["referencia_externa"] = json!("DESFAZ77");
    assert_eq!(client.post("/v1/nfe/emitir", &body).await.ok(200)["job_id"], accepted["job_id"]);
    app.finish().await;
}

#[tokio::test]
async fn a_reference_is_one_per_tenant_whatever_the_environment() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 1 })).await.ok(200);
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("AMBOS1");
    let first = issued(&tenant.test, &body).await;
    let replay = tenant.live.post("/v1/nfe/emitir", &body).await.ok(200);
    assert_eq!((&replay["job_id"], &replay["ambiente"]), (&first["job_id"], &"homologacao".into()));
    assert!(replay["avisos"].to_string().contains("referencia_em_outro_ambiente"), "{replay}");
    let again = tenant.test.post("/v1/nfe/emitir", &body).await.ok(200);
    assert!(!again["avisos"].to_string().contains("referencia_em_outro_ambiente"), "{again}");
    let other = app.issuer(NUMERIC).await;
    body["nota"]["identificacao"]["nNF"] = json!(900);
    let job = issued(&other.test, &body).await;
    assert_ne!(job["job_id"], first["job_id"]);
    app.finish().await;
}

#[tokio::test]
async fn the_form_of_a_reference_is_checked() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for wrong in [json!("PED-1"), json!(""), json!("ação"), json!("x".repeat(121)), json!(5)] {
        let mut body = body::emission(NUMERIC);
        body["referencia_externa"] = wrong;
        client.post("/v1/nfe/emitir", &body).await.refused(400, "referencia_invalida");
    }
    app.finish().await;
}
