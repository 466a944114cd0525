//! Messages that the authority processes late, after it has answered that it does not know the document.

use serde_json::{Value, json};

use super::{fault, late_ones_arrive, live, once, patient, stopped};
use crate::support::app::{TestApp, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::retail::seller;

const LATE: &str = "Caderno atrasado";
const TAKES: &str = "NFeAutorizacao4";
const STATUS: &str = "NFeStatusServico4";

/// Delays the first message; later ones are answered 108 until the faults are removed.
async fn is_late(app: &TestApp) {
    fault(app, json!({ "servico": TAKES, "tipo": "late", "ms": 3_600_000, "contem": LATE, "vezes": 1 })).await;
    fault(app, json!({ "servico": TAKES, "tipo": "cstat", "cStat": 108, "contem": LATE, "vezes": 1_000 })).await;
}

/// Waits for the unknown outcome, and replaces the faults by an outage of the authority.
async fn falls_in_doubt(app: &TestApp, client: &Client, accepted: &Value, services: Value) {
    let asked = async || {
        let all = app.control.get("/_sim/requisicoes").await.ok(200);
        let all = all["requisicoes"].as_array().or(all.as_array()).unwrap().clone();
        all.iter().any(|one| one["servico"] == "NFeConsultaProtocolo4")
    };
    job_when(client, accepted, |job| job["erro_detalhe"]["codigo"].is_string()).await;
    while !asked().await {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    app.control.put("/_sim/servicos", &services).await.ok(200);
    app.control.delete("/_sim/falhas").await;
}

/// Makes these services of São Paulo answer 108.
fn outage() -> Value {
    let stopped =
        |servico: &str| json!({ "modo": "paralisado_momentaneamente", "autoridade": "sp", "servico": servico });
    json!([stopped(TAKES), stopped(STATUS)])
}

fn called(mut body: Value, xProd: &str) -> Value {
    body["nota"]["produtos"][0]["xProd"] = xProd.into();
    body
}

/// A sale over the counter, whose first item has another name in homologação.
fn sale(xProd: &str) -> Value {
    let mut body = body::counter_sale(NUMERIC);
    body["nota"]["produtos"] = json!([body::item("100.00"), body::item("100.00")]);
    body["nota"]["produtos"][1]["xProd"] = xProd.into();
    body["nota"]["pagamentos"][0]["vPag"] = body::number("200.00");
    body
}

async fn job(client: &Client, accepted: &Value) -> Value {
    client.get(accepted["consulta"].as_str().unwrap()).await.ok(200)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retail_note_goes_off_line_under_another_number_and_the_late_one_is_cancelled() {
    let app = patient().await;
    let client = seller(&app).await.test;
    is_late(&app).await;
    // a 217 is answered at once; then the authority answers 108, and is known to be out
    stopped(&app, &[STATUS]).await;
    let accepted = client.post("/v1/nfce/emitir", &sale(LATE)).await.ok(202);
    falls_in_doubt(&app, &client, &accepted, outage()).await;
    let given = job_when(&client, &accepted, |job| job["nota"]["tipo_emissao"] == 9).await;
    assert_ne!(given["nota"]["numero"], 1, "the first number may be used: {given:#}");
    let first = given["substitui_job_id"].as_str().unwrap().to_owned();
    late_ones_arrive(&app).await;
    app.sp_works().await;
    let consulta = json!({ "consulta": format!("/v1/nfce/consultar/{first}") });
    once(&app, 60, || async {
        job(&client, &accepted).await["nota"]["status"] == "autorizada"
            && job(&client, &consulta).await["nota"]["status"] == "cancelada"
    })
    .await;
    let live = live(&app).await;
    assert_eq!(live, [job(&client, &accepted).await["nota"]["chave"].as_str().unwrap()], "one live document");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_of_which_217_was_said_is_asked_for_again_before_the_svc_gets_it() {
    let app = patient().await;
    let client = app.issuer(NUMERIC).await.test;
    is_late(&app).await;
    app.control.put("/_sim/servicos", &closed_svc(&[])).await.ok(200);
    let accepted = client.post("/v1/nfe/emitir", &called(body::emission(NUMERIC), LATE)).await.ok(202);
    falls_in_doubt(&app, &client, &accepted, closed_svc(&[TAKES, STATUS])).await;
    app.forward(30).await;
    late_ones_arrive(&app).await;
    // the state opens its SVC; its own authority still answers 108
    stopped(&app, &[TAKES, STATUS]).await;
    once(&app, 60, || async { job(&client, &accepted).await["nota"]["status"].is_string() }).await;
    let settled = job(&client, &accepted).await;
    assert_eq!(settled["nota"]["status"], "autorizada", "{settled:#}");
    assert_eq!(live(&app).await, [settled["nota"]["chave"].as_str().unwrap()]);
    app.finish().await;
}

/// The SVC of São Paulo is closed, and these services of the state answer 108.
fn closed_svc(services: &[&str]) -> Value {
    let mut all = vec![json!({ "modo": "svc_desabilitada", "autoridade": "svc-an" })];
    let stopped =
        |servico: &&str| json!({ "modo": "paralisado_momentaneamente", "autoridade": "sp", "servico": servico });
    all.extend(services.iter().map(stopped));
    json!(all)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_document_of_a_sale_is_not_dropped_on_one_217() {
    let app = patient().await;
    let client = seller(&app).await.test;
    is_late(&app).await;
    stopped(&app, &[STATUS]).await;
    let accepted = client.post("/v1/nfce/emitir", &sale(LATE)).await.ok(202);
    falls_in_doubt(&app, &client, &accepted, outage()).await;
    let given = job_when(&client, &accepted, |job| job["nota"]["tipo_emissao"] == 9).await;
    let first = json!({ "consulta": format!("/v1/nfce/consultar/{}", given["substitui_job_id"].as_str().unwrap()) });
    app.sp_works().await;
    job_when(&client, &accepted, |job| job["nota"]["status"] == "autorizada").await;
    // its authority works and answers 217: the first document waits for the end of the quiet time
    let waiting = job_when(&client, &first, |job| job["erro_detalhe"]["codigo"] == "em_duvida").await;
    assert_eq!(waiting["nota"]["status"], Value::Null, "{waiting:#}");
    let next = client.post("/v1/nfce/emitir", &sale("Outro")).await.ok(202);
    let next = job_when(&client, &next, |job| job["nota"]["status"] == "autorizada").await;
    assert_ne!(next["nota"]["numero"], 1, "its number is not given back: {next:#}");
    late_ones_arrive(&app).await;
    once(&app, 60, || async { job(&client, &first).await["nota"]["status"] == "cancelada" }).await;
    assert_eq!(live(&app).await.len(), 2, "one live document of each sale");
    app.finish().await;
}
