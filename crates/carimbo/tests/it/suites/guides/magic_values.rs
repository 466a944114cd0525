//! The magic values of `docs/guides/simulador.md`, each as an integrator uses it: written into a note that the service
//! issues.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;

fn described(xProd: &str) -> Value {
    let mut body = body::emission(NUMERIC);
    body["nota"]["produtos"][0]["xProd"] = json!(xProd);
    body
}

fn addressed(number: &str) -> Value {
    let mut body = body::emission(NUMERIC);
    body["nota"]["destinatario"]["CNPJCPF"] = json!(number);
    body
}

async fn outcome(client: &Client, body: &Value) -> (String, u64) {
    let job = issued(client, body).await;
    assert_eq!(job["status"], "completed", "{job}");
    (job["nota"]["status"].as_str().unwrap().to_owned(), job["nota"]["codigo_status"].as_u64().unwrap())
}

#[tokio::test]
async fn a_code_in_the_description_of_an_item_is_what_the_note_gets() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    // codes of the document: rejected, in the official words
    for code in [610, 778, 598, 897, 1115] {
        let job = issued(&client, &described(&format!("CADERNO [SIM:cStat={code}]"))).await;
        assert_eq!(
            (&job["nota"]["status"], &job["nota"]["codigo_status"]),
            (&"rejeitada".into(), &code.into()),
            "{job}"
        );
        let motivo = job["nota"]["motivo_status"].as_str().unwrap();
        let official = fiscal::cstat::motivo(code).unwrap_or("Rejeição: simulada");
        assert!(motivo.starts_with(official), "{code}: {motivo}");
    }
    // the document that has the number is not named: nothing is called rejected
    let job = issued(&client, &described("CADERNO [SIM:cStat=539]")).await;
    assert_eq!((&job["status"], &job["erro_detalhe"]["codigo"]), (&"failed".into(), &"em_duvida".into()), "{job}");
    for code in [301, 302, 303] {
        let denied = outcome(&client, &described(&format!("[SIM:cStat={code}]"))).await;
        assert_eq!(denied, ("denegada".to_owned(), code));
    }
    // processed as a batch: the receipt is asked for, and the note authorised
    let authorised = outcome(&client, &described("[SIM:cStat=103]")).await;
    assert_eq!(authorised, ("autorizada".to_owned(), 100));
    // the authority reports a duplicate, and has the document
    let authorised = outcome(&client, &described("[SIM:cStat=204]")).await;
    assert_eq!(authorised, ("autorizada".to_owned(), 100));
    app.finish().await;
}

#[tokio::test]
async fn reserved_addressees_are_denied() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for (number, code) in [
        ("99999301000138", 301),
        ("99999302000182", 302),
        ("99999303000127", 303),
        ("99999930107", 301),
        ("99999930280", 302),
        ("99999930360", 303),
    ] {
        assert_eq!(outcome(&client, &addressed(number)).await, ("denegada".to_owned(), code), "{number}");
    }
    app.finish().await;
}

#[tokio::test]
async fn taxpayers_on_the_list_are_refused_until_they_leave_it() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let refused = |code: u64| ("rejeitada".to_owned(), code);
    let list = async |number: &str, record: Value| {
        app.control.put(&format!("/_sim/contribuintes/{number}"), &record).await.ok(200);
    };
    list("52998224725", json!({ "destinatario_irregular": true })).await;
    assert_eq!(outcome(&client, &addressed("52998224725")).await, refused(302));
    list("52998224725", json!({ "destinatario_nao_habilitado": true })).await;
    assert_eq!(outcome(&client, &addressed("52998224725")).await, refused(303));
    let left = app.control.delete("/_sim/contribuintes/52998224725").await;
    assert_eq!(left.status, 204, "{}", left.text());
    assert_eq!(outcome(&client, &addressed("52998224725")).await, ("autorizada".to_owned(), 100));
    list(NUMERIC, json!({ "emitente_irregular": true })).await;
    assert_eq!(outcome(&client, &addressed("52998224725")).await, refused(781));
    let as_before = json!({ "denegacao": true }).to_string().into();
    app.control.send(http::Method::PATCH, "/_sim/configuracao", &[], as_before).await.ok(200);
    assert_eq!(outcome(&client, &addressed("52998224725")).await, ("denegada".to_owned(), 301));
    app.finish().await;
}

#[tokio::test]
async fn a_fault_in_the_description_happens_once_and_the_note_is_authorised_once() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let faults = [
        "falha=latency,ms=200",
        "falha=reset_after",
        "falha=reset_before",
        "falha=half_reply",
        "falha=http_status,status=500",
        "falha=soap_fault",
        "falha=empty_200",
        "falha=garbage",
        "falha=async",
        "falha=duplicate_204",
        "falha=iso_8859_1",
        "falha=prefixed",
        "falha=whitespace",
        "falha=cdata",
    ];
    let mut waiting = Vec::new();
    for fault in faults {
        waiting
            .push((fault, client.post("/v1/nfe/emitir", &described(&format!("CADERNO [SIM:{fault}]"))).await.ok(202)));
    }
    for (fault, accepted) in waiting {
        let job = ended(&client, &accepted).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{fault}: {job}");
        let chave = job["nota"]["chave"].as_str().unwrap();
        let document = app.control.get(&format!("/_sim/documentos/{chave}")).await.ok(200);
        assert_eq!(document["cStat"], 100, "{fault}: {document}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_code_in_the_words_of_an_event_is_what_the_event_gets() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    for code in [501, 219, 690, 304, 221] {
        let why = format!("Ensaio do cancelamento [SIM:cStat={code}]");
        let request = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": why });
        let job = ended(&client, &client.post("/v1/nfe/cancelar", &request).await.ok(202)).await;
        assert_eq!(job["evento_fiscal"]["codigo_status"], code, "{job}");
        assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    }
    let correction = "O peso é outro [SIM:cStat=501]";
    let request = json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "correcao": correction });
    let job = ended(&client, &client.post("/v1/nfe/carta-correcao", &request).await.ok(202)).await;
    assert_eq!(job["evento_fiscal"]["codigo_status"], 501, "{job}");
    let why = "Ensaio da inutilização [SIM:cStat=241]";
    let request = json!({ "cpf_cnpj": NUMERIC, "numero_inicial": 70, "numero_final": 72, "justificativa": why });
    let job = ended(&client, &client.post("/v1/nfe/inutilizar", &request).await.ok(202)).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["codigo_status"]), (&"rejeitada".into(), &241.into()), "{job}");
    app.finish().await;
}

#[tokio::test]
async fn what_others_registered_of_a_note_keeps_it_from_being_cancelled() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let note = issued(&client, &body::emission(NUMERIC)).await;
    let path = format!("/_sim/documentos/{}/registros", note["nota"]["chave"].as_str().unwrap());
    let request =
        json!({ "cpf_cnpj": NUMERIC, "job_id": note["job_id"], "justificativa": "Venda desfeita pelo cliente" });
    for (done, undone, code) in [("610500", "610501", 219), ("610600", "610601", 690), ("210200", "210240", 221)] {
        for (tpEvento, expected) in [(done, code), (undone, 0)] {
            let answer = app.control.post(&path, &json!({ "tpEvento": tpEvento })).await;
            assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
            if expected == 0 {
                continue;
            }
            let job = ended(&client, &client.post("/v1/nfe/cancelar", &request).await.ok(202)).await;
            assert_eq!(job["evento_fiscal"]["codigo_status"], expected, "{job}");
        }
    }
    let job = ended(&client, &client.post("/v1/nfe/cancelar", &request).await.ok(202)).await;
    assert_eq!(job["nota"]["status"], "cancelada", "{job}");
    app.finish().await;
}
