//! A single retail note whose authority answers nothing, and one that is being sent while the clock jumps.

use serde_json::{Value, json};

use super::{fault, live, once, patient};
use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::retail::seller;

const TAKES: &str = "NFeAutorizacao4";

/// Waits until the authority has a message that a fault holds back.
async fn is_on_its_way(app: &TestApp) {
    let is_held = |all: &Value| all.as_array().unwrap().iter().any(|one| one["ocorrencias"].as_u64() > Some(0));
    loop {
        let all = app.control.get("/_sim/falhas").await.ok(200);
        if is_held(all.get("falhas").unwrap_or(&all)) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retail_note_on_its_way_is_left_alone_when_the_clock_jumps() {
    let app = patient().await;
    let client = seller(&app).await.test;
    fault(&app, json!({ "servico": TAKES, "tipo": "latency", "ms": 2_500, "vezes": 1 })).await;
    let accepted = client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    is_on_its_way(&app).await;
    app.clock.forward(600);
    let job = ended(&client, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["tentativas"]), (&json!("autorizada"), &json!(1)), "{job:#}");
    assert_eq!(live(&app).await, [job["nota"]["chave"].as_str().unwrap()]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lone_retail_note_goes_off_line_when_everything_is_answered_108() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    fault(&app, json!({ "servico": TAKES, "tipo": "reset_before", "vezes": 1 })).await;
    app.sp_stops().await;
    let accepted = client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    let job = async || client.get(accepted["consulta"].as_str().unwrap()).await.ok(200);
    let began = app.clock_s();
    once(&app, 5, || async { job().await["nota"]["tipo_emissao"] == 9 }).await;
    assert!(app.clock_s() - began <= 60, "a customer waits at the counter");
    app.sp_works().await;
    let first = format!("/v1/nfce/consultar/{}", job().await["substitui_job_id"].as_str().unwrap());
    once(&app, 60, || async {
        let has_ended = client.get(&first).await.ok(200)["concluido_em"].is_string();
        has_ended && job().await["nota"]["status"] == "autorizada"
    })
    .await;
    assert_eq!(live(&app).await, [job().await["nota"]["chave"].as_str().unwrap()]);
    app.finish().await;
}
