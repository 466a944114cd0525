//! A note in the place of another: `rps_substituido`, and the end of the note before it.

use serde_json::{Value, json};

use super::{NUMERIC, ROUTE, TestApp, issued, provider, service};

/// In the place of an RPS.
fn in_place_of(numero: u64, referencia: &str) -> Value {
    let mut body = service(referencia);
    body["nota"]["rps"] = json!({ "rps_substituido": { "numero": numero, "serie": "1", "tipo": 1 } });
    body
}

#[tokio::test]
async fn the_new_note_ends_the_old_one_in_one_step() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    let old = issued(&tenant, &service("V1")).await;
    let checked = tenant.test.post("/v1/nfse/verificar-campos", &in_place_of(1, "V2")).await.ok(200);
    assert_eq!(checked["erros"], json!([]), "{checked:#}");
    let new = issued(&tenant, &in_place_of(1, "V2")).await;
    let xml = tenant.test.get(&format!("/v1/nfse/{}/file/xml", new["job_id"].as_str().unwrap())).await.text();
    assert!(xml.contains(&format!("<NfseSubstituida>{}</NfseSubstituida>", old["nota"]["numero"])), "{xml}");
    let path = format!("/v1/nfse/consultar/{}", old["job_id"].as_str().unwrap());
    let now = tenant.test.get(&path).await.ok(200);
    assert_eq!((&now["nota"]["status"], &now["status"]), (&json!("cancelada"), &json!("completed")), "{now:#}");
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
    crate::app::ended(&tenant.test, &accepted).await;
    refused(1, "já está cancelada").await;
    // of another account
    let other = provider(&app).await;
    let refusal = other.test.post(ROUTE, &in_place_of(1, "W3")).await.refused(422, "documento_invalido");
    assert!(refusal.to_string().contains("emitida por este serviço"), "{refusal:#}");
    app.finish().await;
}
