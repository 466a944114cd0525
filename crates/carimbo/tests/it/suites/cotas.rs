//! `GET /v1/cotas`, the debit of an emission, `carimbo conta cotas`.

use fiscal::value::TpAmb;
use serde_json::{Value, json};
use store::audit::Actor;
use store::quotas::Familia;

use crate::support::app::{Tenant, TestApp, ended, issued};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::installation::{Installation, Running};
use crate::support::municipal_services;
use crate::support::services::{another, provider};
use crate::support::users::session;

async fn limit(app: &TestApp, tenant: &Tenant, limite: u32) {
    limit_of(app, tenant, Familia::Nfe, limite).await;
}

async fn limit_of(app: &TestApp, tenant: &Tenant, familia: Familia, limite: u32) {
    let now = jiff::Timestamp::now().as_second();
    let by = Actor::operator();
    app.store.set_quota(tenant.id, TpAmb::Homologacao, familia, Some(limite), &by, now).await.unwrap();
}

async fn quota(client: &Client, nome: &str) -> Value {
    let shown = client.get("/v1/cotas").await.ok(200);
    shown["cotas"].as_array().unwrap().iter().find(|cota| cota["nome"] == nome).unwrap().clone()
}

#[tokio::test]
async fn every_family_is_shown_and_only_emissions_are_debited() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    let shown = client.get("/v1/cotas").await.ok(200);
    let names: Vec<&str> =
        shown["cotas"].as_array().unwrap().iter().map(|cota| cota["nome"].as_str().unwrap()).collect();
    assert_eq!(names, ["nfe", "nfce", "nfse", "cte", "cep", "cnpj", "ncm", "assinatura"]);
    let renews = shown["cotas"][0]["renova_em"].as_str().unwrap();
    assert!(renews.ends_with("-01T00:00:00-03:00"), "{renews}");
    assert_eq!((&shown["cotas"][0]["consumo"], &shown["cotas"][0]["limite"]), (&0.into(), &Value::Null));
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("COTA1");
    let job = issued(client, &body).await;
    client.post("/v1/nfe/emitir", &body).await.ok(200);
    client.post("/v1/nfe/emitir", &json!({ "cpf_cnpj": NUMERIC, "nota": {} })).await.refused(422, "documento_invalido");
    let cancel =
        json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Pedido desfeito pelo cliente" });
    let cancelled = client.post("/v1/nfe/cancelar", &cancel).await.ok(202);
    ended(client, &cancelled).await;
    assert_eq!(quota(client, "nfe").await["consumo"], 1);
    assert_eq!(quota(&tenant.live, "nfe").await["consumo"], 0);
    assert_eq!(quota(&app.tenant().await.test, "nfe").await["consumo"], 0);
    assert_eq!(quota(&session(&app, &tenant).await, "nfe").await["consumo"], 1);
    app.anonymous().get("/v1/cotas").await.refused(401, "nao_autenticado");
    app.finish().await;
}

#[tokio::test]
async fn of_fifty_emissions_at_once_exactly_the_quota_is_accepted() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    limit(&app, &tenant, 10).await;
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let client = tenant.test.clone();
            tokio::spawn(async move { client.post("/v1/nfe/emitir", &body::emission(NUMERIC)).await })
        })
        .collect();
    let mut accepted = Vec::new();
    let mut refused = 0;
    for call in calls {
        let answer = call.await.unwrap();
        match answer.status.as_u16() {
            202 => accepted.push(answer.json()),
            _ => {
                check_refusal(answer, "nfe", 10);
                refused += 1;
            }
        }
    }
    assert_eq!((accepted.len(), refused), (10, 40));
    for job in &accepted {
        assert_eq!(ended(&tenant.test, job).await["nota"]["status"], "autorizada");
    }
    let nfe = quota(&tenant.test, "nfe").await;
    assert_eq!((&nfe["consumo"], &nfe["limite"]), (&10.into(), &10.into()));
    app.finish().await;
}

#[track_caller]
fn check_refusal(answer: crate::support::client::Answer, nome: &str, limite: u32) {
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=31 * 86_400).contains(&wait));
    let (policy, state) = (answer.header("ratelimit-policy"), answer.header("ratelimit"));
    assert!(
        policy.starts_with(&format!("\"cota-{nome}\";q={limite};w=")) && policy.contains(", \"padrao\";q="),
        "{policy}"
    );
    assert!(state.starts_with(&format!("\"cota-{nome}\";r=0;t={wait}, \"padrao\";r=")), "{state}");
    answer.refused(429, "cota_excedida");
}

/// Services are counted apart from goods, and a replay, a refusal and an event cost nothing.
#[tokio::test]
async fn of_services_issued_at_once_exactly_their_own_quota_is_accepted() {
    let app = TestApp::start().await;
    let tenant = provider(&app).await;
    limit_of(&app, &tenant, Familia::Nfse, 3).await;
    let calls: Vec<_> = (0..12)
        .map(|number| {
            let (client, body) = (tenant.test.clone(), another(&format!("COTA{number}")));
            tokio::spawn(async move { (client.post("/v1/nfse/emitir", &body).await, body) })
        })
        .collect();
    let (mut accepted, mut refused) = (Vec::new(), 0);
    for call in calls {
        let (answer, body) = call.await.unwrap();
        if answer.status.as_u16() == 202 {
            accepted.push((answer.json(), body));
        } else {
            check_refusal(answer, "nfse", 3);
            refused += 1;
        }
    }
    assert_eq!((accepted.len(), refused), (3, 9));
    let client = &tenant.test;
    for (job, body) in &accepted {
        assert_eq!(ended(client, job).await["nota"]["status"], "autorizada");
        assert_eq!(client.post("/v1/nfse/emitir", body).await.ok(200)["idempotente"], true);
    }
    let cancel = json!({ "cpf_cnpj": NUMERIC, "job_id": accepted[0].0["job_id"], "justificativa": "Serviço que não foi prestado" });
    assert_eq!(ended(client, &client.post("/v1/nfse/cancelar", &cancel).await.ok(202)).await["status"], "completed");
    client
        .post("/v1/nfse/emitir", &json!({ "cpf_cnpj": NUMERIC, "nota": {} }))
        .await
        .refused(422, "documento_invalido");
    let nfse = quota(client, "nfse").await;
    assert_eq!((&nfse["consumo"], &nfse["limite"]), (&3.into(), &3.into()));
    assert_eq!(
        (&quota(client, "nfe").await["consumo"], &quota(&tenant.live, "nfse").await["consumo"]),
        (&0.into(), &0.into())
    );
    app.finish().await;
}

#[tokio::test]
async fn a_municipal_note_is_a_service_as_any_other() {
    let app = TestApp::start().await;
    let tenant = municipal_services::provider(&app).await;
    limit_of(&app, &tenant, Familia::Nfse, 1).await;
    let client = &tenant.test;
    let body = municipal_services::service("COTA1");
    let job = ended(client, &client.post(municipal_services::ROUTE, &body).await.ok(202)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job:#}");
    check_refusal(client.post(municipal_services::ROUTE, &municipal_services::service("COTA2")).await, "nfse", 1);
    assert_eq!(client.post(municipal_services::ROUTE, &body).await.ok(200)["idempotente"], true);
    // questions and the end of a note are free
    client.post("/v1/nfse/verificar-campos", &body).await.ok(200);
    let cancel =
        json!({ "cpf_cnpj": NUMERIC, "job_id": job["job_id"], "justificativa": "Serviço que não foi prestado" });
    assert_eq!(ended(client, &client.post("/v1/nfse/cancelar", &cancel).await.ok(202)).await["status"], "completed");
    let nfse = quota(client, "nfse").await;
    assert_eq!((&nfse["consumo"], &nfse["limite"]), (&1.into(), &1.into()));
    app.finish().await;
}

#[tokio::test]
async fn a_refused_reference_is_free_and_a_replay_is_answered_without_quota() {
    let app = TestApp::start().await;
    let tenant = app.issuer(NUMERIC).await;
    let client = &tenant.test;
    limit(&app, &tenant, 1).await;
    let mut body = body::emission(NUMERIC);
    body["referencia_externa"] = json!("PRIMEIRA1");
    issued(client, &body).await;
    assert_eq!(client.post("/v1/nfe/emitir", &body).await.ok(200)["idempotente"], true);
    body["referencia_externa"] = json!("SEGUNDA2");
    client.post("/v1/nfe/emitir", &body).await.refused(429, "cota_excedida");
    limit(&app, &tenant, 2).await;
    assert_eq!(issued(client, &body).await["nota"]["status"], "autorizada");
    app.finish().await;
}

#[tokio::test]
async fn an_operator_shows_and_sets_quotas() {
    let installation = Installation::new().await;
    let key = installation.account();
    let email = ["--email", "dono@exemplo.com.br"];
    let run = |arguments: &[&str]| installation.run(&[&["conta", "cotas"], &email, arguments].concat());
    let shown = run(&[]);
    assert!(shown.well && shown.out.contains("homologacao") && shown.out.contains("producao"), "{}", shown.told);
    assert_eq!(shown.out.matches("sem limite").count(), 16, "{}", shown.out);
    let set = run(&["--ambiente", "homologacao", "--familia", "nfe", "--limite", "25"]);
    assert!(set.well && set.out.contains("25") && !set.out.contains("producao"), "{}{}", set.out, set.told);
    for wrong in [
        &["--familia", "nfe", "--limite", "1"][..],
        &["--ambiente", "homologacao", "--familia", "nfe"],
        &["--ambiente", "homologacao", "--familia", "xyz", "--limite", "1"],
        &["--ambiente", "homologacao", "--familia", "nfe", "--limite", "1", "--sem-limite"],
        &["--ambiente", "homologacao", "--limite", "1"],
    ] {
        assert!(!run(wrong).well, "{wrong:?}");
    }
    assert!(!installation.run(&["conta", "cotas", "--email", "ninguem@exemplo.com.br"]).well);
    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let client = Client::new(service.base_url()).with_key(&key);
    assert_eq!(quota(&client, "nfe").await["limite"], 25);
    service.terminate();
    assert!(run(&["--ambiente", "homologacao", "--familia", "nfe", "--sem-limite"]).out.contains("sem limite"));
    installation.finish().await;
}
