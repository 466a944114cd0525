//! A sale whose first document got no reply when the authority stopped: it is issued again offline. The first document
//! is cancelled by substitution if it was authorised, or dropped if it was never received.
//!
//! Law: MOC 7.0, anexo IV, 5; NT 2018.004.

use serde_json::{Value, json};

use super::contingencia::is_given_out;
use crate::support::app::{TestApp, ended, job_when};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::retail::{configure, seller};

fn sale(xProd: &str) -> Value {
    let mut body = body::counter_sale(NUMERIC);
    body["nota"]["produtos"] = json!([body::item("100.00"), body::item("100.00")]);
    body["nota"]["produtos"][1]["xProd"] = json!(xProd);
    body["nota"]["pagamentos"][0]["vPag"] = body::number("200.00");
    body
}

/// Loses a document to a fault when the authority stops; returns that sale, issued again, and two others.
async fn lost(app: &TestApp, client: &Client, fault: &str) -> [Value; 3] {
    let falha = json!({ "servico": "NFeAutorizacao4", "tipo": fault, "contem": "Lapis perdido", "vezes": 1 });
    app.control.post("/_sim/falhas", &falha).await.ok(201);
    // no answer to queries either, until the authority is known to be out
    let silence = json!({ "servico": "NFeConsultaProtocolo4", "tipo": "empty_200", "vezes": 1_000 });
    app.control.post("/_sim/falhas", &silence).await.ok(201);
    let accepted = client.post("/v1/nfce/emitir", &sale("Lapis perdido")).await.ok(202);
    job_when(client, &accepted, |job| job["erro_detalhe"]["codigo"] == "sem_resposta").await;
    app.sp_stops().await;
    let other = async || client.post("/v1/nfce/emitir", &sale("Outra venda")).await.ok(202);
    let others = [other().await, other().await];
    for other in &others {
        job_when(client, other, is_given_out).await;
    }
    let given = job_when(client, &accepted, is_given_out).await;
    app.control.delete("/_sim/falhas").await;
    let [second, third] = others;
    [given, second, third]
}

async fn numbers(client: &Client) -> Value {
    client.get(&format!("/v1/empresas/numeracao?cnpj={NUMERIC}&tipo=nfce")).await.ok(200)["numeracao"][0].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_document_that_was_authorised_is_cancelled_by_substitution() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let [given, second, third] = lost(&app, &client, "reset_after").await;
    let first = given["substitui_job_id"].as_str().unwrap().to_owned();
    assert_ne!(given["nota"]["numero"], 1, "another number: {given}");
    let in_doubt = client.get(&format!("/v1/nfce/consultar/{first}")).await.ok(200);
    assert_eq!((&in_doubt["nota"]["numero"], &in_doubt["substituida_por_job_id"]), (&1.into(), &given["job_id"]));
    assert_eq!((&in_doubt["nota"]["status"], &in_doubt["arquivos"]["xml"]), (&Value::Null, &Value::Null));
    app.sp_works().await;
    for other in [&second, &third] {
        assert_eq!(ended(&client, other).await["nota"]["status"], "autorizada");
    }
    let job = ended(&client, &given).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["tipo_emissao"]), (&"autorizada".into(), &9.into()), "{job}");
    let cancelled = job_when(&client, &in_doubt, |job| job["nota"]["status"] == "cancelada").await;
    let chave = cancelled["nota"]["chave"].as_str().unwrap();
    let events = client.get(cancelled["arquivos"]["xml_cancelamento"].as_str().unwrap()).await.text();
    assert!(events.contains("<tpEvento>110112</tpEvento>"), "{events}");
    assert!(events.contains(&format!("<chNFeRef>{}</chNFeRef>", job["nota"]["chave"].as_str().unwrap())), "{events}");
    let there = app.control.get(&format!("/_sim/documentos/{chave}")).await.ok(200);
    assert_eq!(there["situacao"], "cancelada", "{there}");
    assert_eq!(app.control.get("/_sim/contadores").await.ok(200)["gravadas_mais_de_uma_vez"], 0);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_document_that_was_never_received_is_dropped_and_its_number_used() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let [given, second, third] = lost(&app, &client, "reset_before").await;
    let first = format!("/v1/nfce/consultar/{}", given["substitui_job_id"].as_str().unwrap());
    app.sp_works().await;
    for sale in [&given, &second, &third] {
        assert_eq!(ended(&client, sale).await["nota"]["status"], "autorizada");
    }
    let dropped = job_when(&client, &json!({ "consulta": first }), |job| job["status"] == "cancelled").await;
    assert!(dropped["mensagem"].as_str().unwrap().contains("não recebeu"), "{dropped}");
    assert_eq!((&dropped["nota"]["status"], &dropped["nota"]["numero"]), (&Value::Null, &1.into()));
    assert_eq!(numbers(&client).await["proximo_numero"], 1, "the number is the next normal sale's");
    let next = ended(&client, &client.post("/v1/nfce/emitir", &sale("Depois")).await.ok(202)).await;
    assert_eq!((&next["nota"]["numero"], &next["nota"]["tipo_emissao"]), (&1.into(), &1.into()), "{next}");
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 4);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_document_is_its_sales_again_when_the_second_is_refused() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    let [given, second, third] = lost(&app, &client, "reset_after").await;
    let refused =
        json!({ "servico": "NFeAutorizacao4", "tipo": "cstat", "cStat": 778, "contem": "Lapis perdido", "vezes": 1 });
    app.control.post("/_sim/falhas", &refused).await.ok(201);
    app.sp_works().await;
    for other in [&second, &third] {
        assert_eq!(ended(&client, other).await["nota"]["status"], "autorizada");
    }
    let job = ended(&client, &given).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero"]), (&"autorizada".into(), &1.into()), "{job}");
    assert_eq!(job["substitui_job_id"], Value::Null, "{job}");
    let other = json!({ "consulta": format!("/v1/nfce/consultar/{}", given["substitui_job_id"].as_str().unwrap()) });
    let other = ended(&client, &other).await;
    assert_eq!(
        (&other["nota"]["status"], &other["nota"]["codigo_status"], &other["nota"]["numero"]),
        (&"rejeitada".into(), &778.into(), &given["nota"]["numero"]),
        "{other}"
    );
    let chave = job["nota"]["chave"].as_str().unwrap();
    let there = app.control.get(&format!("/_sim/documentos/{chave}")).await.ok(200);
    assert_eq!(there["situacao"], "autorizada", "{there}");
    let failures = client.get("/v1/jobs/erros").await.ok(200);
    let undone = |job: &Value| job["erro_detalhe"]["codigo"] == "substituta_nao_autorizada";
    assert!(!failures["jobs"].as_array().unwrap().iter().any(undone), "the cancellation was withdrawn: {failures}");
    app.finish().await;
}

/// Forwards both clocks, the authority's to `since` from where it began.
async fn minutes_pass(app: &TestApp, minutes: i64, since: i64) {
    app.clock.forward(minutes * 60);
    let clock = json!({ "modo": "deslocado", "segundos": since * 60 });
    app.control.put("/_sim/relogio", &clock).await.ok(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_that_never_arrived_is_dated_anew_once_its_instant_is_too_old() {
    let app = TestApp::start().await;
    let client = seller(&app).await.test;
    configure(&client, NUMERIC, json!({ "contingencia": "nenhuma" })).await;
    let dated = {
        let mut body = sale("Lapis perdido");
        body["nota"]["identificacao"]["dhEmi"] = json!(jiff::Timestamp::now().to_string());
        body
    };
    // no query is answered before the minutes have passed: neither sale may continue sooner
    let silence = json!({ "servico": "NFeConsultaProtocolo4", "tipo": "empty_200", "vezes": 1_000 });
    app.control.post("/_sim/falhas", &silence).await.ok(201);
    let falha = json!({ "servico": "NFeAutorizacao4", "tipo": "reset_before", "contem": "Lapis perdido", "vezes": 2 });
    app.control.post("/_sim/falhas", &falha).await.ok(201);
    let mut given = Vec::new();
    for body in [sale("Lapis perdido"), dated] {
        let accepted = client.post("/v1/nfce/emitir", &body).await.ok(202);
        given.push(job_when(&client, &accepted, |job| job["erro_detalhe"]["codigo"] == "sem_resposta").await);
    }
    minutes_pass(&app, 6, 6).await;
    app.control.delete("/_sim/falhas").await;
    // a sale queried in between waits for its next query
    minutes_pass(&app, 2, 8).await;
    let late = ended(&client, &given[0]).await;
    assert_eq!((&late["nota"]["status"], &late["nota"]["numero"]), (&"autorizada".into(), &1.into()), "{late}");
    assert_ne!(late["nota"]["data_emissao"], given[0]["nota"]["data_emissao"], "{late}");
    let history = client.get(late["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(history.contains("montado de novo"), "{history}");
    // an instant given by the caller is not changed
    let refused = ended(&client, &given[1]).await;
    assert_eq!(
        (&refused["nota"]["status"], &refused["nota"]["codigo_status"]),
        (&"rejeitada".into(), &704.into()),
        "{refused}"
    );
    app.finish().await;
}
