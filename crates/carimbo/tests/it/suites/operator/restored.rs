//! A copy of the database is restored after its jobs were authorised: the guide "Restaurar", over HTTP, five families.

use serde_json::Value;

use crate::support::app::{Tenant, TestApp, ended};
use crate::support::body::{self, NUMERIC};
use crate::support::database::Database;
use crate::support::installation::Installation;
use crate::support::{municipal_services, retail, services, transports};

/// A family, as its seller orders it.
struct Seller {
    tenant: Tenant,
    route: &'static str,
    order: fn(&str) -> Value,
}

impl Seller {
    /// The order of a reference, as a body.
    fn body(&self, reference: &str) -> Value {
        let mut body = (self.order)(reference);
        body["referencia_externa"] = reference.into();
        body
    }

    async fn orders(&self, reference: &str) -> Value {
        self.tenant.test.post(self.route, &self.body(reference)).await.ok(202)
    }
}

async fn sellers(app: &TestApp) -> Vec<Seller> {
    // only the text distinguishes two services: a declaration has no code of its job
    let service = |reference: &str| {
        let mut body = services::another(reference);
        body["nota"]["serv"]["cServ"]["xDescServ"] = format!("Suporte técnico {reference}").into();
        body
    };
    let municipal_service = |reference: &str| {
        let mut body = municipal_services::service(reference);
        body["nota"]["servico"]["discriminacao"] = format!("Suporte técnico {reference}").into();
        body
    };
    vec![
        Seller { tenant: app.issuer(NUMERIC).await, route: "/v1/nfe/emitir", order: |_| body::emission(NUMERIC) },
        Seller { tenant: retail::seller(app).await, route: "/v1/nfce/emitir", order: |_| body::counter_sale(NUMERIC) },
        Seller { tenant: transports::carrier(app).await, route: "/v1/cte/emitir", order: |_| transports::cargo() },
        Seller { tenant: services::provider(app).await, route: "/v1/nfse/emitir", order: service },
        Seller {
            tenant: municipal_services::provider(app).await,
            route: municipal_services::ROUTE,
            order: municipal_service,
        },
    ]
}

/// Returns the members that identify an authorised note.
fn known_by(job: &Value) -> Value {
    let nota = &job["nota"];
    assert_eq!(nota["status"], "autorizada", "{job:#}");
    ["chave", "numero", "numero_dps", "protocolo", "codigo_verificacao", "data_emissao"]
        .map(|name| nota[name].clone())
        .into()
}

#[tokio::test]
async fn every_sale_of_a_copy_comes_back_with_its_own_document() {
    let mut app = TestApp::start_with(|parts| parts.worker = None).await;
    let sellers = sellers(&app).await;
    let mut kept = Vec::new();
    for (at, seller) in sellers.iter().enumerate() {
        for number in 0..3 {
            kept.push((seller, seller.orders(&format!("GUARDADA{at}{number}")).await));
        }
    }
    app.restart(Database::copy, |_| {}).await;
    let mut before = Vec::new();
    for (seller, accepted) in &kept {
        before.push(known_by(&ended(&seller.tenant.test, accepted).await));
    }
    for (at, seller) in sellers.iter().enumerate() {
        known_by(&ended(&seller.tenant.test, &seller.orders(&format!("PERDIDA{at}")).await).await);
    }
    app.restart(Database::put_back, |parts| parts.worker = None).await;
    denies_nothing(&app, &sellers).await;
    app.restart(async |_| {}, |_| {}).await;
    for ((seller, accepted), before) in kept.iter().zip(before) {
        let job = ended(&seller.tenant.test, accepted).await;
        assert_eq!(known_by(&job), before, "{job:#}");
    }
    for (at, seller) in sellers.iter().enumerate() {
        let body = seller.body(&format!("NOVA{at}"));
        let accepted = seller.tenant.test.post(&format!("{}?referencia_nova=true", seller.route), &body).await.ok(202);
        let job = ended(&seller.tenant.test, &accepted).await;
        known_by(&job);
        let numero =
            if job["nota"]["numero_dps"].is_u64() { &job["nota"]["numero_dps"] } else { &job["nota"]["numero"] };
        assert_eq!(numero, 5, "above the three that were kept and the one that was lost: {job:#}");
    }
    app.finish().await;
}

/// Checks that no existing document is denied, and that the operator sees the state.
async fn denies_nothing(app: &TestApp, sellers: &[Seller]) {
    for (at, seller) in sellers.iter().enumerate() {
        let client = &seller.tenant.test;
        let lost = client.get(&format!("/v1/jobs/localizar?ref=PERDIDA{at}")).await.refused(409, "registro_incerto");
        assert!(lost["copia_de"].is_string() && lost["restaurado_em"].is_string(), "{lost}");
        client.get(&format!("/v1/jobs/localizar?ref=GUARDADA{at}0")).await.ok(200);
        client.post(seller.route, &seller.body(&format!("PERDIDA{at}"))).await.refused(409, "registro_incerto");
    }
    let client = &sellers[0].tenant.test;
    client.get("/v1/jobs/localizar?valor=123456.00").await.refused(409, "registro_incerto");
    let status = app.anonymous().get("/status").await.ok(200);
    assert_eq!(status["status"], "degradado", "{status}");
    assert!(status["registro_incerto"]["copia_de"].is_string(), "{status}");
}

#[tokio::test]
async fn an_operator_dates_the_copy_confirms_a_series_and_ends_the_uncertain_time() {
    let installation = Installation::new().await;
    installation.account();
    let run = |arguments: &[&str]| installation.run(&[&["restaurado"], arguments].concat());
    assert!(run(&["--situacao"]).out.contains("nenhuma cópia restaurada por conferir"));
    let ahead = run(&["--copia-de", "2999-01-01T00:00:00-03:00"]);
    assert!(!ahead.well && ahead.told.contains("ainda não chegou"), "{}", ahead.told);
    assert!(run(&["--copia-de", "2026-01-02T03:00:00-03:00"]).well);
    assert!(run(&["--situacao"]).out.contains("cópia de 2026-01-02T06:00:00Z"));
    assert!(!run(&["--confirmar", "--serie", "1"]).well, "a series is named whole");
    let series = ["--email", "dono@exemplo.com.br", "--empresa", NUMERIC, "--numera", "rps", "--serie", "1"];
    let series = [&series[..], &["--ambiente", "homologacao", "--proximo-numero"]].concat();
    assert!(!run(&[&["--confirmar"], &series[..], &["0"]].concat()).well);
    let confirmed = run(&[&["--confirmar"], &series[..], &["512"]].concat());
    assert!(confirmed.well && confirmed.told.contains("a partir de 512"), "{}", confirmed.told);
    let shown = run(&["--situacao"]).out;
    assert!(shown.contains("rps série 1 homologacao: conferida"), "{shown}");
    assert!(run(&["--encerrar"]).well);
    assert!(run(&["--situacao"]).out.contains("nenhuma cópia restaurada por conferir"));
    installation.finish().await;
}
