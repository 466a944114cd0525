//! Codes in no list, and answers that name another document.

use serde_json::json;

use super::{fault, live};
use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::transports::{cargo, carrier};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_success_code_in_no_list_is_a_success_when_it_comes_with_our_protocol() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    for cStat in [121, 199] {
        fault(&app, json!({ "servico": "NFeAutorizacao4", "tipo": "odd_success", "cStat": cStat, "vezes": 1 })).await;
        let job = ended(&client, &client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)).await;
        assert_eq!(
            (&job["nota"]["status"], &job["nota"]["codigo_status"]),
            (&"autorizada".into(), &cStat.into()),
            "{job:#}"
        );
        assert!(client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text().contains("<protNFe"));
    }
    assert_eq!(live(&app).await.len(), 2);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cte_is_authorised_by_its_protocol_whatever_code_stands_in_it() {
    let app = TestApp::start().await;
    let client = carrier(&app).await.test;
    for cStat in [120, 150, 155, 999] {
        fault(&app, json!({ "servico": "CTeRecepcaoSincV4", "tipo": "odd_success", "cStat": cStat, "vezes": 1 })).await;
        let mut cargo = cargo();
        cargo["referencia_externa"] = format!("CTE{cStat}").into();
        let job = ended(&client, &client.post("/v1/cte/emitir", &cargo).await.ok(202)).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    }
    assert_eq!(live(&app).await.len(), 4);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_protocol_without_its_form_is_not_taken_and_the_right_one_is_asked_for() {
    let app = TestApp::start().await;
    let goods = app.issuer(NUMERIC).await.test;
    fault(&app, json!({ "servico": "NFeAutorizacao4", "tipo": "odd_protocol", "vezes": 1 })).await;
    let job = ended(&goods, &goods.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)).await;
    let transport = carrier(&app).await.test;
    fault(&app, json!({ "servico": "CTeRecepcaoSincV4", "tipo": "odd_protocol", "vezes": 1 })).await;
    let cargo = ended(&transport, &transport.post("/v1/cte/emitir", &cargo()).await.ok(202)).await;
    for (client, job) in [(&goods, &job), (&transport, &cargo)] {
        assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
        let protocol = job["nota"]["protocolo"].as_str().unwrap();
        assert!(protocol.len() == 15 && protocol.bytes().all(|byte| byte.is_ascii_digit()), "{protocol}");
        let xml = client.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
        assert!(xml.contains(&format!("<nProt>{protocol}</nProt>")) && !xml.contains("../.."), "{xml}");
        let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
        assert!(log.contains("nProt não é o número de um protocolo"), "{log}");
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_about_another_document_is_no_answer() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let refusal = json!({ "servico": "NFeAutorizacao4", "tipo": "other_document", "cStat": 610, "vezes": 1 });
    let success = json!({ "servico": "NFeAutorizacao4", "tipo": "other_document", "vezes": 1 });
    let question = json!({ "servico": "NFeConsultaProtocolo4", "tipo": "other_document", "vezes": 1 });
    for mixed_up in [refusal.clone(), success, refusal] {
        fault(&app, mixed_up).await;
        fault(&app, question.clone()).await;
        let job = ended(&client, &client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)).await;
        assert_eq!(
            (&job["nota"]["status"], &job["nota"]["codigo_status"]),
            (&"autorizada".into(), &100.into()),
            "{job:#}"
        );
        app.control.delete("/_sim/falhas").await;
    }
    assert_eq!(live(&app).await.len(), 3);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_by_a_code_in_no_list_is_believed_when_the_document_is_absent() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    fault(&app, json!({ "servico": "NFeAutorizacao4", "tipo": "cstat", "cStat": 1999, "vezes": 1 })).await;
    let job = ended(&client, &client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202)).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["codigo_status"]), (&"rejeitada".into(), &1999.into()), "{job:#}");
    let log = client.get(job["arquivos"]["log"].as_str().unwrap()).await.text();
    assert!(log.contains("não decide este documento") && log.contains("217"), "{log}");
    assert_eq!(live(&app).await.len(), 0);
    app.finish().await;
}
