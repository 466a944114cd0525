//! Alerts of certificates: the process is killed before it searches for them, and when they are recorded. The next
//! process delivers each, once.

use crate::child::Process;
use crate::received::{PATIENCE, listening};
use crate::world::{ANNOUNCER, CNPJ, Database, World, save_certificate};
use fiscal::value::TpAmb;
use std::time::{Duration, Instant};
use store::Visibility;
use store::audit::Actor;
use store::webhooks::{DeliveryFilter, DeliveryStatus, WebhookAccount};

const EVENT: &str = "certificado.expira_em";
/// Longer than the pause between two searches.
const SEARCHES: Duration = Duration::from_secs(7);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_alert_is_neither_lost_nor_doubled_on_sqlite() {
    run(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_alert_is_neither_lost_nor_doubled_on_postgres() {
    run(Database::Postgres).await;
}

async fn run(kind: Database) {
    let world = World::build(kind, 17).await;
    furnish(&world).await;
    die(&world, "alerts.before").await;
    assert_eq!(world.ear.heard().1, 0, "nothing is sent before it is recorded");
    die(&world, "alerts.certificates").await;
    let process = Process::start(&world.environment, None, &world.errors());
    listening(&process).await;
    let deadline = Instant::now() + PATIENCE;
    while ids(&world) < COMPANIES.len() {
        assert!(Instant::now() < deadline, "{:?}", world.ear.heard());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(SEARCHES).await;
    process.stop().await;
    assert_eq!(ids(&world), COMPANIES.len(), "{:?}", world.ear.heard());
    let store = world.store().await;
    let sight = Visibility::whole(world.tenant);
    let (deliveries, total) = store.deliveries(sight, DeliveryFilter::default(), 10, 0).await.unwrap();
    assert_eq!(total, COMPANIES.len() as u64);
    assert!(deliveries.iter().all(|one| one.evento == EVENT && one.status == DeliveryStatus::Entregue));
    store.close().await;
    world.demolish().await;
}

const COMPANIES: [&str; 2] = [CNPJ, ANNOUNCER];

/// Certificates near their end, and an address for their alerts.
async fn furnish(world: &World) {
    let store = world.store().await;
    let account = WebhookAccount { url: Some(world.ear.url()), ..WebhookAccount::default() };
    store.set_webhook_account(world.tenant, TpAmb::Homologacao, account, Actor::operator(), 0).await.unwrap();
    for company in COMPANIES {
        save_certificate(&store, world.tenant, &world.simulator, company, 20).await;
    }
    store.close().await;
}

/// Runs a process that is killed at the point.
async fn die(world: &World, point: &str) {
    let process = Process::start(&world.environment, Some(point), &world.errors());
    let stands = process.when(PATIENCE, |said| said.point.is_some()).await;
    assert!(stands.is_some(), "it never came to {point}");
    process.kill().await;
}

/// Number of different events that were received.
fn ids(world: &World) -> usize {
    let (events, _) = world.ear.heard();
    events.get("").and_then(|events| events.get(EVENT)).map_or(0, std::collections::BTreeSet::len)
}
