//! A company that sells to consumers: NFC-e, with the CSC that its state gave.

use serde_json::json;

use crate::support::app::{Tenant, TestApp};
use crate::support::body::NUMERIC;
use crate::support::client::Client;

/// The security code of every company of these tests, as the simulated state gave it.
pub(crate) const CSC: &str = "0123456789ABCDEF0123456789ABCDEF0123";

/// A tenant whose company issues NFC-e with a CSC that the state knows.
pub(crate) async fn seller(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    give_csc(app, NUMERIC).await;
    let settings = json!({ "ambiente": 2, "serie": "1", "csc_id": "000001", "csc": CSC });
    configure(&tenant.test, NUMERIC, settings).await;
    tenant
}

/// Registers the CSC at the simulated state.
pub(crate) async fn give_csc(app: &TestApp, cpf_cnpj: &str) {
    let taxpayer = json!({ "csc": { "1": { "csc": CSC } } });
    let answer = app.control.put(&format!("/_sim/contribuintes/{cpf_cnpj}"), &taxpayer).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
}

pub(crate) async fn configure(client: &Client, cpf_cnpj: &str, settings: serde_json::Value) {
    client.put(&format!("/v1/empresas/{cpf_cnpj}/nfce"), &settings).await.ok(200);
}
