//! Loop of the deliverer: claim, deliver, repeat; bounded in all, per tenant and per host. Deliveries of a process that
//! died are found again by their leases.

use super::attempt::{DeliveryContext, deliver};
use super::delivery_slots::{DeliveryLimits, DeliverySlots};
use crate::Engine;
use crate::process::background_task::BackgroundTask;
use crate::process::crash::crash_point;
use crate::process::outage_log::OutageLog;
use outbound::{AddressPolicy, OutboundClient};
use std::sync::Arc;
use std::time::Duration;
use store::webhooks::{ClaimedDelivery, DeliveryClaim, host};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

/// Settings of the deliverer.
#[derive(Debug, Clone)]
pub struct DelivererOptions {
    /// HTTP client of the calls.
    pub client: OutboundClient,
    /// Permitted destinations.
    pub reach: AddressPolicy,
    /// Concurrent deliveries in this process.
    pub in_all: usize,
    /// Concurrent deliveries of one tenant.
    pub per_tenant: usize,
    /// Concurrent deliveries to one host.
    pub per_host: usize,
    /// Length of a claim beyond the time of an attempt.
    pub lease: Duration,
}

/// The running deliverer.
pub struct Deliverer(BackgroundTask);

/// Pause when nothing is due and no signal comes; deliveries that become due by time alone are found this late.
const IDLE_PAUSE: Duration = Duration::from_millis(500);
/// Pause when the store does not answer.
const STORE_DOWN: Duration = Duration::from_secs(1);

impl Deliverer {
    /// Starts it on the current runtime.
    pub fn start(engine: Engine, options: DelivererOptions) -> Deliverer {
        let DelivererOptions { client, reach, in_all, per_tenant, per_host, lease } = options;
        let places = DeliverySlots::new(DeliveryLimits { in_all, per_tenant, per_host });
        let post = Arc::new(DeliveryContext { engine, client, reach });
        let lease = i64::try_from((super::ATTEMPT_TIMEOUT + lease).as_secs()).unwrap_or(i64::MAX);
        let under_way = JoinSet::new();
        Deliverer(BackgroundTask::start(|stopped| DelivererLoop { post, lease, places, under_way, stopped }.run()))
    }

    /// Starts no delivery, waits at most `grace` for the running ones, and stops.
    pub async fn stop(self, grace: Duration) {
        if !self.0.stop(grace).await {
            tracing::warn!("deliveries still under way after the grace period; their leases will run out");
        }
    }
}

struct DelivererLoop {
    post: Arc<DeliveryContext>,
    lease: i64,
    places: DeliverySlots<Id>,
    under_way: JoinSet<()>,
    stopped: watch::Receiver<bool>,
}

impl DelivererLoop {
    async fn run(mut self) {
        let mut trouble = OutageLog::with("claim deliveries");
        while !self.is_stopped() {
            let taken = self.claim_and_start().await;
            if taken.is_ok() {
                trouble.record_recovery();
            }
            match taken {
                Ok(true) => {}
                Ok(false) => self.idle(IDLE_PAUSE).await,
                Err(error) => {
                    trouble.record_failure(&error);
                    self.idle(STORE_DOWN).await;
                }
            }
        }
        while let Some(done) = self.under_way.join_next_with_id().await {
            self.release(done);
        }
    }

    /// `true` when asked to stop, or when the sender is gone.
    fn is_stopped(&self) -> bool {
        *self.stopped.borrow() || self.stopped.has_changed().is_err()
    }

    /// Claims and starts as many deliveries as there is room for; `true` if there may be more.
    async fn claim_and_start(&mut self) -> Result<bool, store::Error> {
        let limit = self.places.claimable();
        if limit == 0 {
            return Ok(false);
        }
        let now = self.post.engine.now_s();
        let claim = DeliveryClaim {
            now,
            lease_until: now.saturating_add(self.lease),
            limit,
            except_tenants: self.places.full_tenants(),
            except_hosts: self.places.full_hosts(),
        };
        let claimed = self.post.engine.store().claim_deliveries(claim).await?;
        if claimed.is_empty() {
            return Ok(false);
        }
        crash_point("webhook.claimed");
        claimed.into_iter().for_each(|delivery| self.begin(delivery));
        Ok(true)
    }

    fn begin(&mut self, delivery: ClaimedDelivery) {
        let (tenant, host) = (delivery.lease.tenant_id, host(&delivery.url));
        let task = self.under_way.spawn(deliver(Arc::clone(&self.post), delivery));
        self.places.occupy(task.id(), tenant, host);
    }

    /// Waits until something may be due and there is room for it, or for the stop.
    async fn idle(&mut self, at_most: Duration) {
        let post = Arc::clone(&self.post);
        let pause = tokio::time::sleep(at_most);
        tokio::pin!(pause);
        loop {
            let room = self.places.claimable() > 0;
            tokio::select! {
                () = post.engine.store().wait_for_deliveries(at_most), if room => return,
                () = &mut pause => return,
                _ = self.stopped.changed() => return,
                Some(done) = self.under_way.join_next_with_id(), if !self.under_way.is_empty() => {
                    let (full, none) = (!self.places.full_hosts().is_empty() || !self.places.full_tenants().is_empty(), !room);
                    self.release(done);
                    if full || none {
                        return;
                    }
                }
            }
        }
    }

    fn release(&mut self, done: Result<(Id, ()), JoinError>) {
        let id = match done {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(%error, "a delivery ended abnormally; its lease will run out");
                error.id()
            }
        };
        self.places.release(&id);
    }
}
