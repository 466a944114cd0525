//! A company that carries, and the guide's transports.

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp};
use crate::support::body::NUMERIC;

/// The guide's example, as written.
pub(crate) fn cargo() -> Value {
    serde_json::from_str(include_str!("../../../../../docs/guides/cte.json")).unwrap()
}

/// A transport of passengers within São Paulo.
pub(crate) fn passengers() -> Value {
    serde_json::from_str(include_str!("../../../../../docs/guides/cte-os.json")).unwrap()
}

/// A tenant whose company carries.
pub(crate) async fn carrier(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    configured(&tenant, &settings()).await;
    tenant
}

/// Configuration of a carrier.
pub(crate) fn settings() -> Value {
    json!({ "ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "taf": "123456789012" })
}

/// The company's configuration of transport, after this was put into it.
pub(crate) async fn configured(tenant: &Tenant, settings: &Value) -> Value {
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/cte"), settings).await.ok(200)
}
