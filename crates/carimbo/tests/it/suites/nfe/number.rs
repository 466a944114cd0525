//! Rejections: the authority's text, and the reuse of the number.

use serde_json::json;

use crate::support::app::{TestApp, issued};
use crate::support::body::{self, NUMERIC, number};
use crate::support::judge;

#[tokio::test]
async fn a_rejection_is_told_verbatim_and_the_next_note_takes_its_number() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let mut magic = body::emission(NUMERIC);
    magic["nota"]["produtos"][0]["xProd"] = json!("Caderno [SIM:cStat=778]");
    let rejected = issued(&client, &magic).await;
    let nota = &rejected["nota"];
    assert_eq!((&rejected["status"], &nota["status"]), (&"completed".into(), &"rejeitada".into()), "{rejected}");
    assert_eq!((&nota["codigo_status"], &nota["numero"]), (&778.into(), &1.into()));
    assert_eq!(nota["motivo_status"].as_str().unwrap(), fiscal::cstat::motivo(778).unwrap());
    assert_eq!(nota["motivo"], nota["motivo_status"]);
    assert_eq!((&nota["protocolo"], &rejected["arquivos"]["xml"]), (&json!(null), &json!(null)));
    // what was refused can be looked at on paper
    let form = judge::text_of_pdf(&client.get(rejected["arquivos"]["pdf"].as_str().unwrap()).await.bytes);
    assert!(form.contains("SEM VALOR FISCAL"), "{form}");

    let mut wrong_total = body::emission(NUMERIC);
    wrong_total["nota"]["total"] = json!({ "vProd": number("100.00"), "vNF": number("150.00") });
    wrong_total["nota"]["pagamentos"][0]["vPag"] = number("150.00");
    let rejected = issued(&client, &wrong_total).await;
    assert_eq!(
        (&rejected["nota"]["codigo_status"], &rejected["nota"]["numero"]),
        (&610.into(), &1.into()),
        "{rejected}"
    );

    let authorised = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!((&authorised["nota"]["status"], &authorised["nota"]["numero"]), (&"autorizada".into(), &1.into()));
    let next = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!(next["nota"]["numero"], 2);
    app.finish().await;
}

#[tokio::test]
async fn a_reply_that_is_lost_leads_to_one_document_all_the_same() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let fault = json!({ "tipo": "reset_after", "servico": "NFeAutorizacao4", "vezes": 1 });
    let added = app.control.post("/_sim/falhas", &fault).await;
    assert!(added.status.is_success(), "{}", added.text());
    let job = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    assert_eq!(app.control.get(&format!("/_sim/documentos?emitente={NUMERIC}")).await.ok(200)["total"], 1);
    app.finish().await;
}

#[tokio::test]
async fn a_series_at_its_end_is_told_and_the_note_after_it_fails_with_a_remedy() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    let last = client.put(&path, &json!({ "proximo_numero": 999_999_999 })).await.ok(200);
    assert_eq!(last["avisos"][0]["codigo"], "numeracao_esgotada", "{last}");
    assert_eq!(issued(&client, &body::emission(NUMERIC)).await["nota"]["numero"], 999_999_999);
    let failed = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!((&failed["status"], &failed["nota"]), (&json!("failed"), &json!(null)), "{failed}");
    assert_eq!(failed["erro_detalhe"]["codigo"], "numeracao_esgotada");
    assert!(failed["erro"].as_str().unwrap().contains("outra série"), "{failed}");
    let listed = client.get("/v1/empresas/numeracao").await.ok(200);
    let sequence = &listed["numeracao"][0];
    assert_eq!((&sequence["ultimo_numero"], &sequence["proximo_numero"]), (&json!(999_999_999), &json!(null)));
    // the remedy that the page names
    let other = client.put(&path, &json!({ "serie": "2", "proximo_numero": 1 })).await.ok(200);
    assert_eq!(other["avisos"], json!([]));
    let again = format!("/v1/jobs/{}/reprocessar", failed["job_id"].as_str().unwrap());
    let accepted = client.post(&again, &json!({})).await.ok(202);
    let job = crate::support::app::ended(&client, &accepted).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["serie"]), (&json!("autorizada"), &json!("2")), "{job}");
    app.finish().await;
}
