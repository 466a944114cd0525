//! Settings of webhook deliveries: reachable hosts, TLS trust anchors, concurrency.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use engine::Engine;
use engine::webhooks::{Deliverer, DelivererOptions};
use outbound::{AddressPolicy, NameResolver, OutboundClient, SystemResolver};

/// Settings of the deliverer and of webhook URLs.
#[derive(Clone)]
pub struct WebhookSettings {
    /// Hosts that webhook URLs may name.
    pub reach: AddressPolicy,
    /// Trusts the platform's roots.
    pub platform_roots: bool,
    /// PEM with further trust anchors.
    pub extra_anchors_pem: Option<Vec<u8>>,
    /// Resolver of host names.
    pub resolver: Arc<dyn NameResolver>,
    /// Concurrent deliveries of this process.
    pub in_all: usize,
    /// Concurrent deliveries of a tenant.
    pub per_tenant: usize,
    /// Concurrent deliveries to a host.
    pub per_host: usize,
}

impl fmt::Debug for WebhookSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = (self.in_all, self.per_tenant, self.per_host);
        f.debug_struct("WebhookSettings").field("reach", &self.reach).field("bounds", &bounds).finish_non_exhaustive()
    }
}

impl Default for WebhookSettings {
    fn default() -> WebhookSettings {
        WebhookSettings {
            reach: AddressPolicy::public(),
            platform_roots: true,
            extra_anchors_pem: None,
            resolver: Arc::new(SystemResolver),
            in_all: 64,
            per_tenant: 16,
            per_host: 8,
        }
    }
}

impl WebhookSettings {
    /// Starts the deliverer.
    pub(crate) fn start(self, engine: Engine, lease: Duration) -> anyhow::Result<Deliverer> {
        let WebhookSettings { reach, in_all, per_tenant, per_host, .. } = self;
        let WebhookSettings { platform_roots, extra_anchors_pem, resolver, .. } = self;
        let client = OutboundClient::new(outbound::ClientOptions { platform_roots, extra_anchors_pem, resolver })
            .context("o cliente TLS dos webhooks não pôde ser preparado")?;
        Ok(Deliverer::start(engine, DelivererOptions { client, reach, in_all, per_tenant, per_host, lease }))
    }
}
