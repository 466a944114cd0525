//! A company that renders services in a município of the national system, and its declarations.

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp};
use crate::support::body::NUMERIC;

/// The smallest declaration.
pub(crate) fn service() -> Value {
    serde_json::from_str(include_str!("../../servico.json")).unwrap()
}

/// The smallest declaration under another reference.
pub(crate) fn another(referencia: &str) -> Value {
    let mut body = service();
    body["referencia_externa"] = referencia.into();
    body
}

/// A service that one company renders to another.
pub(crate) fn rendered(prestador: &str, tomador: &str, referencia: &str) -> Value {
    let mut body = another(referencia);
    body["cpf_cnpj"] = prestador.into();
    body["nota"]["toma"] = json!({ "CNPJ": tomador, "xNome": "Empresa Tomadora Ltda" });
    body
}

/// A tenant whose company renders services in São Paulo.
pub(crate) async fn provider(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    configure(&tenant).await;
    tenant
}

/// Lets the tenant's company render services.
pub(crate) async fn configure(tenant: &Tenant) {
    let settings = json!({ "ambiente": 2, "codigo_municipio": "3550308", "serie": "1", "provedor": "nacional",
        "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
    tenant.test.put(&format!("/v1/empresas/{NUMERIC}/nfse"), &settings).await.ok(200);
}
