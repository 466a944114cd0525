//! Outcomes of events of a note, and voided numbers of an NFC-e: each has its webhook event.

use serde_json::{Value, json};

use super::{app_and_receiver, ended_as, issue};
use crate::support::app::{TestApp, ended};
use crate::support::body::NUMERIC;
use crate::support::client::Client;
use crate::support::retail::seller;

async fn refuse(app: &TestApp, service: &str, cStat: u16) {
    let falha = json!({ "servico": service, "tipo": "cstat", "cStat": cStat, "vezes": 1 });
    app.control.post("/_sim/falhas", &falha).await.ok(201);
}

/// Posts a request, waits for its end, and returns its job and its webhook event.
async fn told(client: &Client, path: &str, request: &Value) -> (Value, Value) {
    let job = ended(client, &client.post(path, request).await.ok(202)).await;
    let delivery = ended_as(client, &job, "entregue").await;
    (job, delivery["evento"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_correction_is_told_as_registered_or_refused_and_so_is_a_cancellation() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issue(&client, &receiver.url("/nota")).await;
    let correction = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "correcao": "O peso bruto correto é 12,5 kg",
        "webhook_url": receiver.url("/correcao") });
    let (job, evento) = told(&client, "/v1/nfe/carta-correcao", &correction).await;
    assert_eq!(
        (&evento, &job["evento_fiscal"]["codigo_status"]),
        (&"nfe.evento_registrado".into(), &135.into()),
        "{job}"
    );
    refuse(&app, "NFeRecepcaoEvento4", 501).await;
    let (job, evento) = told(&client, "/v1/nfe/carta-correcao", &correction).await;
    assert_eq!(
        (&evento, &job["evento_fiscal"]["codigo_status"]),
        (&"nfe.evento_rejeitado".into(), &501.into()),
        "{job}"
    );
    refuse(&app, "NFeRecepcaoEvento4", 219).await;
    let cancellation = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": "Pedido duplicado pelo cliente",
        "webhook_url": receiver.url("/cancelamento") });
    let (job, evento) = told(&client, "/v1/nfe/cancelar", &cancellation).await;
    assert_eq!(
        (&evento, &job["nota"]["status"]),
        (&"nfe.cancelamento_rejeitado".into(), &"autorizada".into()),
        "{job}"
    );
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_of_the_nfce_are_told_as_voided_or_refused() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let client = seller(&app).await.test;
    let range = |from: u32| {
        json!({ "cpf_cnpj": NUMERIC, "numero_inicial": from, "numero_final": from + 2,
            "justificativa": "Caixa trocado antes da primeira venda", "webhook_url": receiver.url("/faixa") })
    };
    let (job, evento) = told(&client, "/v1/nfce/inutilizar", &range(1)).await;
    assert_eq!((&evento, &job["nota"]["status"]), (&"nfce.inutilizada".into(), &"inutilizada".into()), "{job}");
    refuse(&app, "NFeInutilizacao4", 241).await;
    let (job, evento) = told(&client, "/v1/nfce/inutilizar", &range(11)).await;
    assert_eq!(
        (&evento, &job["nota"]["status"]),
        (&"nfce.inutilizacao_rejeitada".into(), &"rejeitada".into()),
        "{job}"
    );
    app.finish().await;
}
