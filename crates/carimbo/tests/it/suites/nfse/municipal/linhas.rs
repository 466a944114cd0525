//! Every active row of a provider, from the request over HTTP to its city hall and back: a note, the query of its RPS,
//! a substitution, and its cancellation.

use std::sync::Arc;

use authority::abrasf::{AbrasfOperation, CredentialKind, ProviderRow, ProviderTable};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{NUMERIC, Tenant, TestApp, ended};
use crate::support::municipal_services::{LAVRAS, ROUTE, configuration, provider, there};

/// A company whose city hall has this row, in a series of its own: all of them are of one CNPJ, and number from 1.
async fn of(app: &TestApp, row: &ProviderRow, serie: &str) -> Tenant {
    let tenant = provider(app).await;
    let mut settings = json!({ "codigo_municipio": LAVRAS, "provedor": row.provider, "versao": row.version, "serie": serie,
        "url_homologacao": "https://nota.cidade.mg.gov.br/ws" });
    if row.aliquota.is_none() {
        settings["aliquota"] = "percentual".into();
    }
    let needed = row.credential_arguments.keys().copied().map(CredentialKind::word);
    let given: serde_json::Map<String, Value> =
        needed.map(|word| (word.to_owned(), format!("{word}-de-teste").into())).collect();
    if !given.is_empty() {
        settings["prefeitura"] = given.into();
    }
    tenant.test.put(&configuration(), &settings).await.ok(200);
    tenant
}

async fn carried(tenant: &Tenant, path: &str, body: &Value, what: &str) -> Value {
    let accepted = tenant.test.post(path, body).await;
    assert_eq!(accepted.status.as_u16(), 202, "{what}: {}", accepted.text());
    ended(&tenant.test, &accepted.ok(202)).await
}

async fn life(app: &TestApp, row: &ProviderRow, serie: &str) {
    let (tenant, name) = (of(app, row, serie).await, row.name());
    let first = carried(&tenant, ROUTE, &there(LAVRAS, &format!("{serie}X1")), &name).await;
    assert_eq!(first["nota"]["status"], "autorizada", "{name}: {first:#}");
    let asked = async |numero: u64| {
        let path = format!("/v1/nfse/{NUMERIC}/consultar-rps?numero_rps={numero}&serie={serie}");
        tenant.test.get(&path).await.ok(200)
    };
    assert_eq!(asked(1).await["numero"], first["nota"]["numero"], "{name}");
    let mut body = there(LAVRAS, &format!("{serie}X2"));
    body["nota"]["rps"] = json!({ "rps_substituido": { "numero": 1 } });
    let second = carried(&tenant, ROUTE, &body, &name).await;
    assert_eq!(second["nota"]["status"], "autorizada", "{name}: {second:#}");
    assert_eq!(asked(1).await["situacao"], "substituida", "{name}");
    if row.operations.contains(&AbrasfOperation::CancelarNfse) {
        let cancel =
            json!({ "cpf_cnpj": NUMERIC, "job_id": second["job_id"], "justificativa": "Serviço que não foi prestado" });
        let cancelled = carried(&tenant, "/v1/nfse/cancelar", &cancel, &name).await;
        assert_eq!(cancelled["nota"]["status"], "cancelada", "{name}: {cancelled:#}");
        assert_eq!(asked(2).await["situacao"], "cancelada", "{name}");
    }
}

#[tokio::test]
async fn a_note_lives_its_whole_life_over_http_by_every_row_that_is_on() {
    let app = Arc::new(TestApp::start().await);
    let providers = ProviderTable::builtin();
    // the general row is no provider: it has no city hall
    let rows = providers.rows().filter(|row| row.off.is_none() && row.provider != "abrasf");
    // concurrently, since a lot is queried only after seconds
    let mut lives = JoinSet::new();
    for (row, number) in rows.zip(1..) {
        let (app, row) = (Arc::clone(&app), Arc::clone(row));
        lives.spawn(async move { life(&app, &row, &format!("R{number}")).await });
    }
    let lived = lives.join_all().await.len();
    assert!(lived >= 29, "{lived}");
    Arc::into_inner(app).unwrap().finish().await;
}
