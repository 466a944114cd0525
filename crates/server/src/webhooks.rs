//! Settings of webhook deliveries: reachable hosts, TLS trust anchors, concurrency.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use engine::Engine;
use engine::webhooks::{Deliverer, Options};
use outbound::{Client, Reach, Resolve, System};

/// Settings of the deliverer and of webhook URLs.
#[derive(Clone)]
pub struct Webhooks {
    /// Hosts that webhook URLs may name.
    pub reach: Reach,
    /// Trusts the platform's roots.
    pub platform_roots: bool,
    /// PEM with further trust anchors.
    pub extra_anchors_pem: Option<Vec<u8>>,
    /// Resolver of host names.
    pub resolver: Arc<dyn Resolve>,
    /// Concurrent deliveries of this process.
    pub in_all: usize,
    /// Concurrent deliveries of a tenant.
    pub per_tenant: usize,
    /// Concurrent deliveries to a host.
    pub per_host: usize,
}

impl Default for Webhooks {
    fn default() -> Webhooks {
        Webhooks {
            reach: Reach::public(),
            platform_roots: true,
            extra_anchors_pem: None,
            resolver: Arc::new(System),
            in_all: 64,
            per_tenant: 16,
            per_host: 8,
        }
    }
}

impl Webhooks {
    /// Starts the deliverer.
    pub(crate) fn start(self, engine: Engine, lease: Duration) -> anyhow::Result<Deliverer> {
        let Webhooks { reach, in_all, per_tenant, per_host, .. } = self;
        let Webhooks { platform_roots, extra_anchors_pem, resolver, .. } = self;
        let client = Client::new(outbound::Options { platform_roots, extra_anchors_pem, resolver })
            .context("o cliente TLS dos webhooks não pôde ser preparado")?;
        Ok(Deliverer::start(engine, Options { client, reach, in_all, per_tenant, per_host, lease }))
    }
}
