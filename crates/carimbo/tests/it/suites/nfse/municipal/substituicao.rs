//! Substitution of a municipal note: `rps_substituido`, and the end of the substituted note.

use serde_json::{Value, json};

use super::{NUMERIC, Tenant, TestApp, ended, fault, issued, job_when, notes};
use crate::support::municipal_services::{LAVRAS, ROUTE, configuration, provider, service, there};

/// WebISS: by lots.
const CACOAL: &str = "1100049";
/// A provider with one RPS per message, one answer, and no other operation.
const PORTO_VELHO: &str = "1100205";

/// An RPS that substitutes another.
fn in_place_of(numero: u64, referencia: &str) -> Value {
    let mut body = service(referencia);
    body["nota"]["rps"] = json!({ "rps_substituido": { "numero": numero, "serie": "1", "tipo": 1 } });
    body
}

/// Returns the number of calls of an operation.
async fn asked(app: &TestApp, operation: &str) -> usize {
    let requests = app.control.get("/_sim/requisicoes").await.ok(200);
    let all = requests["requisicoes"].as_array().or(requests.as_array()).unwrap();
    all.iter().filter(|one| one["servico"] == operation).count()
}

/// `true` if the answer names the city hall's way to receive the substitution.
fn told(answer: &Value, words: &str) -> bool {
    let told = answer["avisos"].as_array().unwrap().iter().find(|one| one["codigo"] == "substituicao");
    told.is_some_and(|one| {
        one["campo"] == "nota.rps.rps_substituido" && one["mensagem"].as_str().unwrap().contains(words)
    })
}

/// Returns the current state of an emission.
async fn standing(tenant: &Tenant, job: &Value) -> Value {
    let path = format!("/v1/nfse/consultar/{}", job["job_id"].as_str().unwrap());
    tenant.test.get(&path).await.ok(200)["nota"]["status"].clone()
}

#[tokio::test]
async fn the_new_note_ends_the_old_one_in_one_step() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let old = issued(&tenant, &service("V1")).await;
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &in_place_of(1, "V2")).await.ok(200);
    assert_eq!(checked["erros"], json!([]), "{checked:#}");
    assert!(told(&checked, "SubstituirNfse"), "{checked:#}");
    let new = issued(&tenant, &in_place_of(1, "V2")).await;
    let request = tenant.test.get(&format!("/v1/nfse/{}/file/xml_dps", new["job_id"].as_str().unwrap())).await.text();
    let number = &old["nota"]["numero"];
    assert!(request.starts_with("<SubstituirNfseEnvio ") && request.contains(&format!("<Numero>{number}</Numero>")));
    assert_eq!(asked(&app, "SubstituirNfse").await, 1);
    assert_eq!(asked(&app, "RecepcionarLoteRpsSincrono").await, 1, "the first note alone");
    let xml = tenant.test.get(&format!("/v1/nfse/{}/file/xml", new["job_id"].as_str().unwrap())).await.text();
    assert!(xml.contains(&format!("<NfseSubstituida>{}</NfseSubstituida>", old["nota"]["numero"])), "{xml}");
    let path = format!("/v1/nfse/consultar/{}", old["job_id"].as_str().unwrap());
    let now = tenant.test.get(&path).await.ok(200);
    assert_eq!((&now["nota"]["status"], &now["status"]), (&json!("cancelada"), &json!("completed")), "{now:#}");
    assert_eq!(now["nota"]["substituida_por"], format!("RPS3138203-{NUMERIC}-1-1-2-12345"), "{now:#}");
    assert_eq!(tenant.test.get("/v1/notas?tipo=nfse&status=cancelada").await.ok(200)["total"], 1);
    let asked = tenant.test.get(&format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps=1")).await.ok(200);
    assert_eq!(asked["situacao"], "substituida", "{asked}");
    let pdf = tenant.test.get(&format!("/v1/nfse/{}/file/pdf", old["job_id"].as_str().unwrap())).await;
    assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"));
    let again =
        json!({ "cpf_cnpj": NUMERIC, "job_id": old["job_id"], "justificativa": "Serviço que não foi prestado" });
    tenant.test.post("/v1/nfse/cancelar", &again).await.refused(409, "estado_invalido");
    app.finish().await;
}

#[tokio::test]
async fn what_is_not_a_note_of_ours_that_stands_is_not_replaced() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let old = issued(&tenant, &service("W1")).await;
    let refused = async |numero: u64, why: &str| {
        let body = in_place_of(numero, "W2");
        let refusal = tenant.test.post(ROUTE, &body).await.refused(422, "documento_invalido");
        assert_eq!(refusal["erros"][0]["campo"], "nota.rps.rps_substituido", "{refusal:#}");
        assert!(refusal["erros"][0]["mensagem"].as_str().unwrap().contains(why), "{refusal:#}");
        let checked = tenant.test.post("/v1/nfse/verificar-campos", &body).await.ok(200);
        assert!(checked["valido"] == false && checked["erros"].to_string().contains(why), "{checked:#}");
    };
    refused(99, "emitida por este serviço").await;
    let cancel =
        json!({ "cpf_cnpj": NUMERIC, "job_id": old["job_id"], "justificativa": "Serviço que não foi prestado" });
    let accepted = tenant.test.post("/v1/nfse/cancelar", &cancel).await.ok(202);
    crate::support::app::ended(&tenant.test, &accepted).await;
    refused(1, "já está cancelada").await;
    // of another account
    let other = provider(&app).await;
    let refusal = other.test.post(ROUTE, &in_place_of(1, "W3")).await.refused(422, "documento_invalido");
    assert!(refusal.to_string().contains("emitida por este serviço"), "{refusal:#}");
    app.finish().await;
}

/// After a missing answer it is queried before it is sent again, with the same bytes, like any emission.
#[tokio::test]
async fn after_silence_a_substitution_is_asked_for_before_it_goes_again() {
    for (tipo, sent) in [("reset_before", 2), ("reset_after", 1), ("http_status", 2), ("page_after", 1)] {
        let app = TestApp::start().await;
        let tenant = provider(&app).await;
        let old = issued(&tenant, &service("T1")).await;
        fault(&app, tipo, "SubstituirNfse").await;
        let accepted = tenant.test.post(ROUTE, &in_place_of(1, "T2")).await.ok(202);
        for _ in 0..3 {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            app.forward(90).await;
        }
        let job = job_when(&tenant.test, &accepted, |job| job["status"] == "completed").await;
        assert_eq!(job["nota"]["status"], "autorizada", "{tipo}: {job:#}");
        assert_eq!(standing(&tenant, &old).await, "cancelada", "{tipo}");
        assert_eq!((notes(&app).await, asked(&app, "SubstituirNfse").await), (2, sent), "{tipo}");
        assert!(asked(&app, "ConsultarNfsePorRps").await > 0, "{tipo}");
        app.finish().await;
    }
}

/// "Cancelled" refers to the old note: the new one was not made, and is not queried without end.
#[tokio::test]
async fn a_note_that_the_city_hall_ended_by_itself_is_not_replaced() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let old = issued(&tenant, &service("O1")).await;
    let path = format!("/_sim/municipal/notas/{LAVRAS}/{}/cancelamento", old["nota"]["numero"]);
    app.control.post(&path, &json!({})).await.ok(200);
    let job = ended(&tenant.test, &tenant.test.post(ROUTE, &in_place_of(1, "O2")).await.ok(202)).await;
    assert_eq!(
        (&job["nota"]["status"], &job["nota"]["codigo_status"]),
        (&json!("rejeitada"), &json!("E79")),
        "{job:#}"
    );
    // a refused one has its form, and its number goes to the next
    let pdf = tenant.test.get(&format!("/v1/nfse/{}/file/pdf", job["job_id"].as_str().unwrap())).await;
    assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"));
    assert_eq!(issued(&tenant, &service("O3")).await["nota"]["numero_dps"], 2);
    app.finish().await;
}

/// Even where RPS are sent in lots, a substitute is sent alone.
#[tokio::test]
async fn a_substitution_is_in_no_lot() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let settings =
        json!({ "codigo_municipio": CACOAL, "provedor": "webiss", "versao": "2.02", "aliquota": "percentual" });
    tenant.test.put(&configuration(), &settings).await.ok(200);
    let old = issued(&tenant, &there(CACOAL, "L1")).await;
    let mut body = there(CACOAL, "L2");
    body["nota"]["rps"] = json!({ "rps_substituido": { "numero": 1 } });
    let accepted = tenant.test.post(ROUTE, &body).await.ok(202);
    let beside = tenant.test.post(ROUTE, &there(CACOAL, "L3")).await.ok(202);
    for job in [accepted, beside] {
        let job = ended(&tenant.test, &job).await;
        assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    }
    assert_eq!(standing(&tenant, &old).await, "cancelada");
    assert_eq!(asked(&app, "SubstituirNfse").await, 1);
    app.finish().await;
}

/// A provider without the operation receives the substitution in the RPS, as before, and the answer reports it.
#[tokio::test]
async fn where_there_is_no_such_operation_the_rps_says_it_and_the_caller_is_told() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let settings = json!({ "codigo_municipio": PORTO_VELHO, "provedor": "issportovelho", "versao": "2.00",
        "aliquota": "percentual" });
    tenant.test.put(&configuration(), &settings).await.ok(200);
    let old = issued(&tenant, &there(PORTO_VELHO, "N1")).await;
    let mut body = there(PORTO_VELHO, "N2");
    body["nota"]["rps"] = json!({ "rps_substituido": { "numero": 1 } });
    let accepted = tenant.test.post(ROUTE, &body).await.ok(202);
    assert!(told(&accepted, "não tem a operação SubstituirNfse"), "{accepted:#}");
    let new = ended(&tenant.test, &accepted).await;
    assert_eq!(new["nota"]["status"], "autorizada", "{new:#}");
    let request = tenant.test.get(&format!("/v1/nfse/{}/file/xml_dps", new["job_id"].as_str().unwrap())).await.text();
    assert!(request.starts_with("<GerarNfseEnvio ") && request.contains("<RpsSubstituido>"), "{request}");
    assert_eq!(standing(&tenant, &old).await, "cancelada");
    app.finish().await;
}

/// "Already substituted" may refer to the very request whose answer was lost: the note made of it is ours.
#[tokio::test]
async fn a_refusal_is_not_believed_before_the_city_hall_was_asked_for_the_rps() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let old = issued(&tenant, &service("B1")).await;
    fault(&app, "duplicate_204", "SubstituirNfse").await;
    let job = ended(&tenant.test, &tenant.test.post(ROUTE, &in_place_of(1, "B2")).await.ok(202)).await;
    assert_eq!((&job["nota"]["status"], &job["nota"]["numero_dps"]), (&json!("autorizada"), &json!(2)), "{job:#}");
    let log = tenant.test.get(&format!("/v1/nfse/{}/file/log", job["job_id"].as_str().unwrap())).await.text();
    assert!(log.contains("recusou a substituição: E7"), "{log}");
    assert_eq!(standing(&tenant, &old).await, "cancelada");
    assert_eq!((notes(&app).await, asked(&app, "SubstituirNfse").await), (2, 1));
    // an unanswered query leaves the outcome unknown, to be queried again
    fault(&app, "duplicate_204", "SubstituirNfse").await;
    fault(&app, "reset_before", "ConsultarNfsePorRps").await;
    let accepted = tenant.test.post(ROUTE, &in_place_of(2, "B3")).await.ok(202);
    for _ in 0..3 {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        app.forward(90).await;
    }
    let job = job_when(&tenant.test, &accepted, |job| job["status"] == "completed").await;
    assert_eq!((&job["nota"]["status"], notes(&app).await), (&json!("autorizada"), 3), "{job:#}");
    app.finish().await;
}
