//! Outcomes of events of a CT-e: each has its webhook event.

use serde_json::{Value, json};

use super::{app_and_receiver, ended_as};
use crate::support::app::ended;
use crate::support::body::NUMERIC;
use crate::support::transports::{cargo, carrier};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_correction_and_a_cancellation_of_a_transport_are_told() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = carrier(&app).await;
    let (client, mut second) = (&tenant.test, cargo());
    second["referencia_externa"] = json!("CTE0002");
    for (body, path, act, word) in [
        (cargo(), "/v1/cte/cancelar", json!({ "justificativa": "Serviço não prestado ao cliente" }), "cte.cancelada"),
        (
            second,
            "/v1/cte/carta-correcao",
            json!({ "correcoes": [{ "grupo": "compl", "campo": "xObs", "valor": "Outra" }] }),
            "cte.evento_registrado",
        ),
    ] {
        let issued = ended(client, &client.post("/v1/cte/emitir", &body).await.ok(202)).await;
        let mut request: Value = act;
        request["cpf_cnpj"] = json!(NUMERIC);
        request["job_id"] = issued["job_id"].clone();
        request["webhook_url"] = json!(receiver.url("/evento"));
        let job = ended(client, &client.post(path, &request).await.ok(202)).await;
        assert_eq!(ended_as(client, &job, "entregue").await["evento"], word, "{job}");
    }
    app.finish().await;
}
