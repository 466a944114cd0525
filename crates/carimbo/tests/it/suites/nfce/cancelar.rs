//! `POST /v1/nfce/cancelar`: within half an hour, or refused by the state.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::retail::seller;

async fn sold(client: &Client) -> Value {
    let accepted = client.post("/v1/nfce/emitir", &body::counter_sale(NUMERIC)).await.ok(202);
    let job = ended(client, &accepted).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    job
}

fn wish(job: &Value) -> Value {
    json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Venda desfeita pelo cliente" })
}

#[tokio::test]
async fn a_fresh_sale_is_cancelled() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let job = sold(&client).await;
    let accepted = client.post("/v1/nfce/cancelar", &wish(&job)).await.ok(202);
    let ended_as = ended(&client, &accepted).await;
    assert_eq!((&ended_as["tipo"], &ended_as["nota"]["status"]), (&"nfce".into(), &"cancelada".into()), "{ended_as}");
    let note = client.get(&format!("/v1/nfce/consultar/{}", job["job_id"].as_str().unwrap())).await.ok(200);
    let file = note["arquivos"]["xml_cancelamento"].as_str().unwrap();
    assert!(file.starts_with("/v1/nfce/"), "{file}");
    judge::accepts_proc_evento(&client.get(file).await.text(), &app.ca_file());
    client.post("/v1/nfce/cancelar", &wish(&job)).await.refused(409, "estado_invalido");
    app.finish().await;
}

#[tokio::test]
async fn after_half_an_hour_the_state_refuses_with_501() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let job = sold(&client).await;
    let late = app.control.put("/_sim/relogio", &json!({ "modo": "deslocado", "segundos": 1_860 })).await;
    assert_eq!(late.status.as_u16(), 200, "{}", late.text());
    let accepted = client.post("/v1/nfce/cancelar", &wish(&job)).await.ok(202);
    let refused = ended(&client, &accepted).await;
    assert_eq!(refused["evento_fiscal"]["codigo_status"], 501, "{refused}");
    assert_eq!(refused["nota"]["status"], "autorizada");
    app.finish().await;
}
