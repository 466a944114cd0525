//! `/v1/jobs`.

mod cancelar;
mod consultar_lote;
mod itens;
mod localizar;
mod relatorios;
mod reprocessar;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp};
use crate::support::body;
use crate::support::client::Client;

/// A company that can issue but for its certificate: every emission fails.
async fn without_certificate(app: &TestApp, tenant: &Tenant, cpf_cnpj: &str) {
    tenant.test.post("/v1/empresas", &body::company(cpf_cnpj)).await.ok(201);
    tenant.test.put(&format!("/v1/empresas/{cpf_cnpj}/nfe"), &json!({ "ambiente": 2, "serie": "1" })).await.ok(200);
    assert!(app.control.get("/_sim").await.status.is_success());
}

/// Registers a fault at the authorities.
async fn fault(app: &TestApp, fault: Value) {
    let added = app.control.post("/_sim/falhas", &fault).await;
    assert!(added.status.is_success(), "{}", added.text());
}

/// The job once it waits, held back for this reason.
async fn held_back(client: &Client, accepted: &Value, codigo: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let job = client.get(accepted["consulta"].as_str().unwrap()).await.ok(200);
        // between two attempts a note with unknown outcome is processing, any other job pending
        let waits = job["erro_detalhe"]["proxima_tentativa_em"].is_string();
        if waits && job["concluido_em"].is_null() && job["erro_detalhe"]["codigo"] == codigo {
            return job;
        }
        assert!(Instant::now() < deadline, "the job never waits for {codigo}: {job}");
        // webhooks aside, the API has no push, so the client polls with a short pause
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
