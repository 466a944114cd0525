//! An authority that works intermittently: a note with unknown outcome saves queries for the time it works again, and
//! names its reason to wait.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

use crate::support::app::{TestApp, ended, job_when};
use crate::support::body::{self, NUMERIC};

/// Waits for this many queries: a released job queries at once, but on its own thread.
async fn asked_at_least(app: &TestApp, chave: &str, wanted: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while questions(app, chave).await < wanted {
        assert!(Instant::now() < deadline, "less than {wanted} questions");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns the number of queries of its own key, answered or not.
async fn questions(app: &TestApp, chave: &str) -> usize {
    let received = app.control.get("/_sim/requisicoes").await.ok(200);
    let of_it = |one: &&Value| {
        one["servico"] == "NFeConsultaProtocolo4" && one["chaves"].as_array().unwrap().contains(&chave.into())
    };
    received["requisicoes"].as_array().unwrap().iter().filter(of_it).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_in_doubt_does_not_wait_for_the_next_hour_when_the_authority_came_and_went() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    // without contingency every note waits for this authority
    let alone = json!({ "ambiente": 2, "serie": "1", "contingencia": "nenhuma" });
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &alone).await.ok(200);
    let lost = json!({ "servico": "NFeAutorizacao4", "tipo": "reset_after", "vezes": 1 });
    app.control.post("/_sim/falhas", &lost).await.ok(201);
    let silent = json!({ "servico": "NFeConsultaProtocolo4", "tipo": "reset_before", "vezes": 100_000 });
    let whoever = app.control.post("/_sim/falhas", &silent).await.ok(201);
    let doubtful = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let doubted = job_when(&client, &doubtful, |job| job["erro_detalhe"]["codigo"] == "sem_resposta").await;
    // queries of the other notes are answered
    let chave = doubted["nota"]["chave"].as_str().unwrap();
    let mut its = silent;
    its["contem"] = chave.into();
    app.control.post("/_sim/falhas", &its).await.ok(201);
    app.control.delete(&format!("/_sim/falhas/{}", whoever["id"])).await;
    // each time it works again all waiting jobs are tried at once, and the answer to our query is lost
    for round in 0..6 {
        app.sp_stops().await;
        let other = client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
        job_when(&client, &other, |job| job["erro_detalhe"]["codigo"].is_string()).await;
        let other = app.once_sp_works(ended(&client, &other)).await;
        assert_eq!(other["nota"]["status"], "autorizada", "round {round}: {other}");
        asked_at_least(&app, chave, round + 1).await;
    }
    let says_when = |job: &Value| job["mensagem"].as_str().unwrap().contains("Próxima tentativa em");
    let waiting = job_when(&client, &doubtful, says_when).await;
    let mensagem = waiting["mensagem"].as_str().unwrap();
    assert!(mensagem.contains("não a emita de novo"), "{mensagem}");
    let asked = questions(&app, chave).await;
    assert!((6..=8).contains(&asked), "{asked} questions in twenty minutes");
    assert!(waiting["erro_detalhe"]["proxima_tentativa_em"].is_string(), "{waiting}");
    assert_eq!(waiting["nota"]["status"], Value::Null, "{waiting}");
    app.control.delete("/_sim/falhas").await;
    // it has not used up the queries of its hour
    app.forward(13 * 60).await;
    let settled = ended(&client, &doubtful).await;
    assert_eq!(
        (&settled["nota"]["status"], &settled["nota"]["numero"]),
        (&"autorizada".into(), &1.into()),
        "{settled}"
    );
    assert_eq!(app.control.get("/_sim/documentos").await.ok(200)["total"], 7);
    app.finish().await;
}
