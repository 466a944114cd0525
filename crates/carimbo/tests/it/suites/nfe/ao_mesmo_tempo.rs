//! Twenty concurrent requests of each act on one document: one job, one transmission, and every answer names the job.
//! Tests of cancellations, voided ranges and repeated jobs are in `cancelar`, of confirmations in `assistida`.

use serde_json::{Value, json};

use super::cancelar::{at_once, sent};
use super::recebidas::Scene;
use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::received::chave;

/// Blocks the authority, so that all twenty requests find the document in one state.
async fn nobody_answers(app: &TestApp) {
    app.control.post("/_sim/falhas", &json!({ "tipo": "refuse", "vezes": 100_000 })).await.ok(201);
}

/// Sends twenty equal requests; returns their one job.
async fn one_of_twenty(client: &Client, path: &str, request: &Value) -> Value {
    let answers = at_once(client, path, request, 20).await;
    let new: Vec<&Value> = answers.iter().filter(|(status, _)| *status == 202).map(|(_, body)| body).collect();
    assert_eq!(new.len(), 1, "{path}: {answers:?}");
    for (status, body) in answers.iter().filter(|(status, _)| *status != 202) {
        assert_eq!((status, &body["idempotente"], &body["job_id"]), (&200, &json!(true), &new[0]["job_id"]), "{body}");
    }
    new[0].clone()
}

/// An act with another content has to wait for the end of the first; its refusal names the first's job.
async fn another_waits(client: &Client, path: &str, request: &Value, job: &Value) {
    let refused = client.post(path, request).await.refused(409, "estado_invalido");
    assert_eq!((&refused["job_id"], &refused["consulta"]), (&job["job_id"], &job["consulta"]), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_corrections_and_twenty_actors_are_one_of_each() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    nobody_answers(&app).await;
    let correction = |words: &str| json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "correcao": words });
    let actor = |number: &str| json!({ "cpf_cnpj": NUMERIC, "chave": note["nota"]["chave"], "ator": number });
    let acts = [
        ("/v1/nfe/carta-correcao", correction("O volume é de vinte cadernos."), correction("O peso é de doze quilos.")),
        ("/v1/nfe/ator-interessado", actor("33000167000101"), actor("60701190000104")),
    ];
    let mut jobs = Vec::new();
    for (path, request, other) in &acts {
        let job = one_of_twenty(&client, path, request).await;
        another_waits(&client, path, other, &job).await;
        jobs.push(job);
    }
    app.control.delete("/_sim/falhas").await;
    for job in &jobs {
        let job = ended(&client, job).await;
        assert_eq!(
            (&job["status"], &job["evento_fiscal"]["codigo_status"]),
            (&json!("completed"), &json!(135)),
            "{job}"
        );
    }
    assert_eq!(sent(&app, "NFeRecepcaoEvento4").await, 2, "one correction and one actor");
    let events = client.get(&format!("/v1/nfe/{}/eventos", note["job_id"].as_str().unwrap())).await.ok(200);
    assert_eq!(events["total"], 2, "{events}");
    // after the end of the first act another is accepted
    let (path, _, other) = &acts[0];
    let second = ended(&client, &client.post(path, other).await.ok(202)).await;
    assert_eq!(second["evento_fiscal"]["codigo_status"], 135, "{second}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_manifestations_of_a_kind_are_one() {
    const PATH: &str = "/v1/nfe/manifestar";
    let scene = Scene::start().await;
    let client = &scene.receiver.test;
    let key = chave(&scene.issue().await["nota"]);
    nobody_answers(&scene.app).await;
    let said = |tipo: &str, justificativa: Value| json!({ "cpf_cnpj": ALPHANUMERIC, "chave": key, "tipo": tipo, "justificativa": justificativa });
    let confirmed = one_of_twenty(client, PATH, &said("confirmacao", Value::Null)).await;
    // another type is a separate act, and may be under way as well
    let undone = one_of_twenty(client, PATH, &said("nao_realizada", json!("A mercadoria voltou ao remetente"))).await;
    another_waits(client, PATH, &said("nao_realizada", json!("A mercadoria nunca chegou aqui")), &undone).await;
    scene.app.control.delete("/_sim/falhas").await;
    for job in [&confirmed, &undone] {
        let job = ended(client, job).await;
        assert_eq!(job["evento_fiscal"]["codigo_status"], 135, "{job}");
    }
    assert_eq!(sent(&scene.app, "NFeRecepcaoEvento4").await, 2, "one of each kind");
    scene.app.finish().await;
}
