//! The quotas of an account, as it reads them itself.

use serde_json::Value;

use crate::support::app::Tenant;

pub(crate) async fn consumed(tenant: &Tenant, familia: &str) -> Value {
    let quotas = tenant.test.get("/v1/cotas").await.ok(200);
    let quota = quotas["cotas"].as_array().unwrap().iter().find(|quota| quota["nome"] == familia).unwrap().clone();
    quota["consumo"].clone()
}
