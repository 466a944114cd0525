//! Payloads of `docs/guides/receitas` as the service serves them, and the companies that issue them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use simulator::pki::{CertificateSubject, Validity};

use crate::support::app::{PASSWORD, Tenant, TestApp};

const DAY: i64 = 86_400;

/// A file as the documentation serves it.
pub(crate) async fn served(app: &TestApp, name: &str) -> Value {
    app.anonymous().get(&format!("/docs/recursos/{name}.json")).await.ok(200)
}

fn digits(body: &Value) -> String {
    body["cpf_cnpj"].as_str().unwrap().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Registers a company whole: record, certificate, NF-e, NFC-e.
pub(crate) async fn register(app: &TestApp, tenant: &Tenant, company: &Value) {
    let cpf_cnpj = digits(company);
    let path = format!("/v1/empresas/{cpf_cnpj}");
    tenant.test.post("/v1/empresas", company).await.ok(201);
    // of this day for who verifies, and still good where the service's clock is ahead
    let now = jiff::Timestamp::now().as_second();
    let validity = Validity { from: now - 30 * DAY, until: app.clock_s() + 335 * DAY };
    let subject = CertificateSubject::new(company["nome_razao_social"].as_str().unwrap(), &cpf_cnpj).valid(validity);
    let pfx = STANDARD.encode(app.pki.issue(&subject, PASSWORD).unwrap());
    tenant.test.put(&format!("{path}/certificado"), &json!({ "certificado": pfx, "senha": PASSWORD })).await.ok(200);
    // a person issues in a series of persons
    let serie = if cpf_cnpj.len() == 11 { "920" } else { "1" };
    tenant.test.put(&format!("{path}/nfe"), &json!({ "ambiente": 2, "serie": serie })).await.ok(200);
    let nfce = json!({ "ambiente": 2, "serie": "1", "csc_id": "000001", "csc": "CSC-DAS-RECEITAS-0123456789" });
    tenant.test.put(&format!("{path}/nfce"), &nfce).await.ok(200);
}
