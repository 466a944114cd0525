//! A stopped authority, seen through HTTP: the note goes by the SVC and says so, the webhook is told, the company's setting decides.
//!
//! Law: `spec/not-shown.md` §4 (`tipo_emissao`, `contingencia`) and §9 (`contingencia`).

use serde_json::{Value, json};

use super::{app_and_receiver, deliveries, issue};
use crate::app::{TestApp, job_when};
use crate::body::{self, NUMERIC};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_of_a_stopped_authority_goes_by_the_svc_and_everybody_is_told() {
    let (app, receiver) = app_and_receiver(&[]).await;
    let tenant = app.issuer(NUMERIC).await;
    app.sp_stops().await;
    issue(&tenant.test, &receiver.url("/primeira")).await;
    let job = issue(&tenant.test, &receiver.url("/segunda")).await;
    let nota = &job["nota"];
    assert_eq!((&nota["status"], &nota["tipo_emissao"]), (&"autorizada".into(), &6.into()), "{job}");
    let contingencia = &nota["contingencia"];
    assert_eq!((&contingencia["tipo"], &contingencia["autoridade"]), (&"svc".into(), &"SVC-AN".into()), "{job}");
    assert!(contingencia["justificativa"].as_str().unwrap().contains("109"), "{job}");
    assert!(contingencia["desde"].as_str().unwrap().ends_with("-03:00"), "{job}");
    assert_eq!(contingencia["prazo_transmissao"], Value::Null);
    assert_eq!(contingencia["transmitida_em"], nota["data_autorizacao"]);
    let told =
        deliveries(&tenant.test, &job, |found| found.iter().filter(|one| one["status"] == "entregue").count() == 2)
            .await;
    let mut events: Vec<&str> = told.iter().map(|one| one["evento"].as_str().unwrap()).collect();
    events.sort_unstable();
    assert_eq!(events, ["nfe.autorizada", "nfe.contingencia"]);
    let heard = receiver.heard();
    let of_switch =
        heard.iter().find(|one| one.path == "/segunda" && one.json()["evento"] == "nfe.contingencia").unwrap();
    assert_eq!(of_switch.json()["nota"]["contingencia"]["tipo"], "svc");
    let status = app.anonymous().get("/status").await.ok(200);
    assert_eq!(status["status"], "degradado", "{status}");
    let open = &status["componentes"]["ponte_fiscal"]["contingencia"][0];
    assert_eq!(
        (&open["autoridade"], &open["modelo"], &open["disjuntor"]),
        (&"SP".into(), &55.into(), &"aberto".into())
    );
    let xml = tenant.test.get(job["arquivos"]["xml"].as_str().unwrap()).await.text();
    assert!(xml.contains("<tpEmis>6</tpEmis>") && xml.contains("<dhCont>") && xml.contains("<xJust>"), "{xml}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_company_without_contingency_waits_for_its_authority() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let path = format!("/v1/empresas/{NUMERIC}/nfe");
    tenant.test.put(&path, &json!({ "contingencia": "talvez" })).await.refused(422, "validacao");
    let kept = tenant.test.put(&path, &json!({ "contingencia": "nenhuma" })).await.ok(200);
    assert_eq!(kept["contingencia"], "nenhuma");
    app.sp_stops().await;
    let accepted = tenant.test.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await.ok(202);
    let waits = |job: &Value| {
        job["erro"].as_str().is_some_and(|erro| erro.contains("espera por ele")) && job["status"] == "pending"
    };
    let job = job_when(&tenant.test, &accepted, waits).await;
    assert_eq!(job["erro_detalhe"]["codigo"], "autoridade_indisponivel", "{job}");
    app.sp_works().await;
    let job = job_when(&tenant.test, &accepted, |job| job["status"] == "completed").await;
    assert_eq!((&job["nota"]["tipo_emissao"], &job["nota"]["contingencia"]), (&1.into(), &Value::Null));
    app.finish().await;
}
