//! A company of a município whose city hall has ABRASF, and its RPS.

use serde_json::{Value, json};

use crate::support::app::{Tenant, TestApp};
use crate::support::body::NUMERIC;

pub(crate) const ROUTE: &str = "/v1/nfse/govdigital/emitir";

pub(crate) const LAVRAS: &str = "3138203";

/// The example of the route, as written, under another reference.
pub(crate) fn service(referencia: &str) -> Value {
    let mut body: Value = serde_json::from_str(include_str!("../../rps.json")).unwrap();
    (body["cpf_cnpj"], body["referencia_externa"]) = (NUMERIC.into(), referencia.into());
    body
}

/// The example, rendered there; without what only GovDigital has.
pub(crate) fn there(codigo: &str, referencia: &str) -> Value {
    let mut body = service(referencia);
    let service = body["nota"]["servico"].as_object_mut().unwrap();
    for place in ["codigo_municipio", "municipio_incidencia"] {
        service[place] = codigo.into();
    }
    for of_govdigital in ["c_ind_op", "c_class_trib_reg", "codigo_nbs"] {
        service.remove(of_govdigital);
    }
    body
}

/// A company of Lavras, whose city hall has GovDigital.
pub(crate) async fn provider(app: &TestApp) -> Tenant {
    let tenant = app.issuer(NUMERIC).await;
    configure(&tenant).await;
    tenant
}

pub(crate) async fn configure(tenant: &Tenant) {
    let settings = json!({ "ambiente": 2, "codigo_municipio": LAVRAS, "inscricao_municipal": "12345", "serie": "1",
        "provedor": "govdigital", "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
    tenant.test.put(&configuration(), &settings).await.ok(200);
}

pub(crate) fn configuration() -> String {
    format!("/v1/empresas/{NUMERIC}/nfse")
}
