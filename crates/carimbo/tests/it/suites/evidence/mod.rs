//! Evidence: answers that prove less than they seem to, and the service's conclusions. At the end each sale has one
//! valid document, known here.
//!
//! Law: MOC 7.0, visão geral, 4; anexo III, 2.3.3; anexo IV, 5.

mod codes;
mod delay;
mod services;
mod silence;

use serde_json::{Value, json};
use std::time::Duration;

use crate::support::app::TestApp;

/// Starts a service with the quiet time of production.
async fn patient() -> TestApp {
    TestApp::start_with(|parts| {
        parts.contingency.sefaz_quiet_s = 180;
        parts.contingency.nfse_quiet_s = 180;
    })
    .await
}

async fn fault(app: &TestApp, fault: Value) {
    app.control.post("/_sim/falhas", &fault).await.ok(201);
}

/// Makes the authority process the delayed messages.
async fn late_ones_arrive(app: &TestApp) {
    app.control.post("/_sim/atrasos", &json!({})).await.ok(200);
}

/// Makes these services of São Paulo answer 108.
async fn stopped(app: &TestApp, services: &[&str]) {
    let stopped: Vec<Value> = services
        .iter()
        .map(|servico| json!({ "modo": "paralisado_momentaneamente", "autoridade": "sp", "servico": servico }))
        .collect();
    app.control.put("/_sim/servicos", &json!(stopped)).await.ok(200);
}

/// Returns the keys that are authorised and not cancelled at the authorities.
async fn live(app: &TestApp) -> Vec<String> {
    let all = app.control.get("/_sim/documentos").await.ok(200);
    let all = all["documentos"].as_array().unwrap_or_else(|| panic!("{all:#}")).clone();
    let is_live = |one: &&Value| one["situacao"] == "autorizada";
    all.iter().filter(is_live).map(|one| one["chave"].as_str().unwrap().to_owned()).collect()
}

/// Forwards the clock in steps until the condition is true; waiting jobs are woken by the clock.
async fn once<F: Future<Output = bool>>(app: &TestApp, step_s: i64, is: impl Fn() -> F) {
    for _ in 0..60 {
        if is().await {
            return;
        }
        app.forward(step_s).await;
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    panic!("it never came to that");
}
