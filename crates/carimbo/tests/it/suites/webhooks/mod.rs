//! `/v1/webhooks/…` and the deliveries themselves, to real receivers over real TLS.

mod alertas;
mod assinatura;
mod conta;
mod contingencia;
mod cte;
mod destinos;
mod entregas;
mod eventos;
mod guarda;
mod nfce;
mod nfse;
mod notificacao;
pub(super) mod receiver;
mod segredo;

use std::sync::Arc;
use std::time::{Duration, Instant};

use outbound::{AddressPolicy, NameResolver, ResolveFuture};
use serde_json::Value;
use server::WebhookSettings;

use crate::support::app::{TestApp, ended, shared_pki};
use crate::support::body;
use crate::support::client::Client;
use receiver::Receiver;

/// This machine may be called by https, trusted by the tests' own root alone.
pub(super) fn inside() -> WebhookSettings {
    let (pki, _) = shared_pki();
    WebhookSettings {
        reach: AddressPolicy::public().with_networks(vec!["127.0.0.0/8".parse().unwrap()]),
        platform_roots: false,
        extra_anchors_pem: Some(pki.ca_pem().to_vec()),
        resolver: Arc::new(Names(Vec::new())),
        ..WebhookSettings::default()
    }
}

/// A resolver that gives every name these addresses.
struct Names(Vec<std::net::IpAddr>);

impl NameResolver for Names {
    fn resolve<'r>(&'r self, _host: &'r str) -> ResolveFuture<'r> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

/// Issues a note whose webhook events go to this URL.
async fn issue(client: &Client, url: &str) -> Value {
    let mut request = body::emission(body::NUMERIC);
    request["webhook_url"] = Value::from(url);
    let accepted = client.post("/v1/nfe/emitir", &request).await.ok(202);
    assert_eq!(accepted["webhook"], true);
    ended(client, &accepted).await
}

/// The deliveries of a job, once this is true of them.
async fn deliveries(client: &Client, job: &Value, is: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let path = format!("/v1/webhooks/entregas?job_id={}", job["job_id"].as_str().unwrap());
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let mut page = client.get(&path).await.ok(200);
        let found = page["entregas"].as_array_mut().map(std::mem::take).unwrap();
        if is(&found) {
            return found;
        }
        assert!(Instant::now() < deadline, "never so: {found:#?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The one delivery of a job, once it has made so many attempts.
async fn attempted(client: &Client, job: &Value, attempts: u64) -> Value {
    let is = |found: &[Value]| found.first().is_some_and(|delivery| delivery["tentativas"] == attempts);
    deliveries(client, job, is).await.remove(0)
}

/// The one delivery of a job, once it ended like this.
async fn ended_as(client: &Client, job: &Value, status: &str) -> Value {
    let is = |found: &[Value]| found.first().is_some_and(|delivery| delivery["status"] == status);
    deliveries(client, job, is).await.remove(0)
}

async fn app_and_receiver(statuses: &[u16]) -> (TestApp, Receiver) {
    (TestApp::with_webhooks(inside()).await, Receiver::https(statuses).await)
}
