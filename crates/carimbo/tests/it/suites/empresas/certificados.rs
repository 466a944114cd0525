//! `GET /v1/empresas/certificados`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use store::audit::Actor;
use store::companies::{CertificateRecord, NewCertificate};
use zeroize::Zeroizing;

use crate::support::app::{PASSWORD, TestApp};
use crate::support::body::{self, ALPHANUMERIC, NUMERIC};
use crate::support::users::session;

const SOON: &str = "12345678000195";
const NONE: &str = "52998224725";

#[tokio::test]
async fn every_company_is_listed_with_the_status_of_its_certificate() {
    let app = TestApp::start().await;
    let tenant = app.tenant().await;
    let client = &tenant.test;
    assert_eq!(client.get("/v1/empresas/certificados").await.ok(200), json!({ "certificados": [], "total": 0 }));
    for number in [NUMERIC, ALPHANUMERIC, SOON, NONE] {
        client.post("/v1/empresas", &body::company(number)).await.ok(201);
    }
    for (number, days) in [(NUMERIC, 365), (SOON, 30)] {
        let upload = json!({ "certificado": STANDARD.encode(app.pfx(number, days)), "senha": PASSWORD });
        client.put(&format!("/v1/empresas/{number}/certificado"), &upload).await.ok(200);
    }
    expired(&app, tenant.id).await;
    let listed = client.get("/v1/empresas/certificados").await.ok(200);
    let statuses: Vec<(&str, &str)> = listed["certificados"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| (record["cpf_cnpj"].as_str().unwrap(), record["status"].as_str().unwrap()))
        .collect();
    let expected =
        [(ALPHANUMERIC, "expirado"), (SOON, "expira_em_breve"), (NUMERIC, "valido"), (NONE, "sem_certificado")];
    assert_eq!((statuses.as_slice(), &listed["total"]), (expected.as_slice(), &4.into()));
    for record in listed["certificados"].as_array().unwrap() {
        let members: Vec<&String> = record.as_object().unwrap().keys().collect();
        let mut expected = [
            "cpf_cnpj",
            "nome_razao_social",
            "titular",
            "emissor",
            "numero_serie",
            "valido_de",
            "valido_ate",
            "dias_para_expirar",
            "status",
        ];
        let mut members: Vec<&str> = members.into_iter().map(String::as_str).collect();
        members.sort_unstable();
        expected.sort_unstable();
        assert_eq!(members, expected);
    }
    let first = &listed["certificados"][0];
    assert!(
        first["dias_para_expirar"].as_i64().unwrap() < 0 && first["valido_ate"].as_str().unwrap().ends_with("-03:00")
    );
    assert_eq!(
        (&listed["certificados"][3]["valido_ate"], &first["nome_razao_social"]),
        (&Value::Null, &"Papelaria de Teste Ltda".into())
    );
    assert_eq!(app.tenant().await.test.get("/v1/empresas/certificados").await.ok(200)["total"], 0);
    assert_eq!(session(&app, &tenant).await.get("/v1/empresas/certificados").await.ok(200)["total"], 4);
    app.finish().await;
}

/// As if it had been uploaded a year ago: an expired one is refused today.
async fn expired(app: &TestApp, tenant: uuid::Uuid) {
    let now = jiff::Timestamp::now().as_second();
    let record = CertificateRecord {
        titular: "LIVRARIA".to_owned(),
        emissor: "AC".to_owned(),
        numero_serie: "01".to_owned(),
        valido_de: now - 366 * 86_400,
        valido_ate: now - 86_400,
    };
    let certificate =
        NewCertificate { pfx: Zeroizing::new(vec![1]), senha: Zeroizing::new(PASSWORD.to_owned()), record };
    let company = fiscal::value::CnpjCpf::parse(ALPHANUMERIC).unwrap();
    app.store.save_certificate(tenant, company, certificate, &Actor::operator(), now).await.unwrap();
}
