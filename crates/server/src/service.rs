//! The running service: the API's listener, the metrics' listener, the worker and the deliverer of webhooks, started
//! and stopped as one.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use authority::table::EndpointTable;
use authority::transport::{self, AuthorityTransport};
use axum::Router;
use axum::routing::get;
use engine::Engine;
use engine::acceptance::backlog;
use engine::alerts::AlertSweeper;
use engine::company::software_house::SoftwareHouse;
use engine::contingency;
use engine::export::ExportWorker;
use engine::mail::{MailSettings, MailWorker};
use engine::process::clock::{self, Clock};
use engine::received::DistributionWalker;
use engine::restored::{MarkKeeper, MarkPlace};
use engine::webhooks::Deliverer;
use engine::worker::{self, Worker};
use fiscal::law::Law;
use http::header;
use lookup::Lookup;
use outbound::UrlGuard;
use store::Store;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use crate::api::webhooks::evento;
use crate::app::{App, ServiceLimits, UnverifiedFeatures};
use crate::edge::Edge;
use crate::http::{ConnectionBounds, Listener};
use crate::resources;
use crate::router::{mcp_router, router};
use crate::telemetry;
use crate::telemetry::gauges::{self, Sampler};
use crate::webhook_settings::WebhookSettings;

/// Parts and settings of a service.
pub struct ServiceParts {
    /// Database of the service.
    pub store: Store,
    /// Endpoints of the authorities.
    pub table: EndpointTable,
    /// Settings of the transport to authorities.
    pub transport: transport::TransportOptions,
    /// Listen address of the API; `None` for a process that only runs workers.
    pub http: Option<SocketAddr>,
    /// Listen address of `/metrics`.
    pub metrics: Option<SocketAddr>,
    /// Listen address of MCP, if it has its own listener.
    pub mcp: Option<SocketAddr>,
    /// Settings of the workers; `None` for a process that only answers requests.
    pub worker: Option<worker::WorkerOptions>,
    /// Bounds of requests, connections, logins and accounts.
    pub limits: ServiceLimits,
    /// Trusted proxies, allowed origins and the public URL.
    pub edge: Edge,
    /// Settings of webhook deliveries and the hosts they may reach.
    pub webhooks: WebhookSettings,
    /// SMTP server and sender; `None` for a service that sends no mail.
    pub mail: Option<MailSettings>,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Sources of lookups.
    pub lookups: lookup::LookupOptions,
    /// Software house written into documents whose payload names none.
    pub software_house: Option<SoftwareHouse>,
    /// Thresholds for entering and leaving contingency.
    pub contingency: contingency::ContingencyOptions,
    /// Bounds of the backlog above which emissions are refused.
    pub backlog: backlog::BacklogLimits,
    /// Rules and dates of the law that documents are checked by.
    pub law: Arc<Law>,
    /// Unverified features that the operator switched on.
    pub opened: UnverifiedFeatures,
    /// Location of the mark that reveals a restored copy of the database.
    pub mark: Option<MarkPlace>,
}

impl ServiceParts {
    /// A service without listeners or workers, with default settings.
    pub fn idle(store: Store, table: EndpointTable, transport: transport::TransportOptions) -> ServiceParts {
        ServiceParts {
            store,
            table,
            transport,
            http: None,
            metrics: None,
            mcp: None,
            worker: None,
            limits: ServiceLimits::default(),
            edge: Edge::default(),
            webhooks: WebhookSettings::default(),
            mail: None,
            clock: Arc::new(clock::SystemClock),
            lookups: lookup::LookupOptions::default(),
            software_house: None,
            contingency: contingency::ContingencyOptions::default(),
            backlog: backlog::BacklogLimits::default(),
            law: Arc::default(),
            opened: UnverifiedFeatures::default(),
            mark: None,
        }
    }
}

/// A running service.
pub struct RunningService {
    store: Store,
    api: Option<Listener>,
    metrics: Option<MetricsListener>,
    mcp: Option<Listener>,
    worker: Option<Worker>,
    deliverer: Option<Deliverer>,
    walker: Option<DistributionWalker>,
    exporter: Option<ExportWorker>,
    mailer: Option<MailWorker>,
    alerts: Option<AlertSweeper>,
    mark: MarkKeeper,
}

impl RunningService {
    /// Starts every part. Requests are served only when all parts have started.
    ///
    /// Boxed: an `async fn` is compiled again in each crate that awaits it, and the program is not optimised.
    pub fn start(parts: ServiceParts) -> Pin<Box<dyn Future<Output = anyhow::Result<RunningService>> + Send>> {
        Box::pin(RunningService::started(parts))
    }

    async fn started(parts: ServiceParts) -> anyhow::Result<RunningService> {
        let sources = outbound::ClientOptions {
            extra_anchors_pem: parts.transport.extra_anchors_pem.clone(),
            ..outbound::ClientOptions::default()
        };
        let sources = outbound::OutboundClient::new(sources)
            .context("o cliente das fontes de consulta não pôde ser preparado")?;
        let lookup = Lookup::new(parts.store.clone(), sources, parts.lookups);
        let strangers = UrlGuard::new(parts.webhooks.reach.clone(), Arc::clone(&parts.webhooks.resolver));
        let transport = transport::TransportOptions { url_guard: strangers, ..parts.transport };
        let transport =
            Arc::new(AuthorityTransport::new(transport).context("o transporte TLS não pôde ser preparado")?);
        let engine = {
            let ServiceParts { table, clock, software_house, contingency, backlog, law, .. } = parts;
            Engine::with(parts.store.clone(), table, transport, clock, software_house, contingency, backlog)
                .with_law(law)
        };
        // before any request or job: a restored database must not deny documents that it no longer holds
        let mark = MarkKeeper::start(engine.clone(), parts.mark).await?;
        // before any job can end, so that every event has its body
        parts.store.set_event_body(evento::event_body());
        // before the first request, so that every request is counted
        let metrics = match parts.metrics {
            Some(address) => Some(MetricsListener::start(address, engine.clone()).await?),
            None => None,
        };
        let reach = parts.webhooks.reach.clone();
        let open_files = open_files();
        resources::check(&parts.limits, open_files);
        let bounds = parts.limits.listener(&parts.edge, open_files);
        let own_mcp = parts.mcp.filter(|_| parts.edge.mcp.active);
        let mail = parts.mail.map(Arc::new);
        let sends_mail = mail.is_some();
        let app =
            App::new(engine.clone(), lookup, parts.limits, parts.edge, reach, parts.opened, parts.worker.is_some())?
                .with_mail(sends_mail);
        let api = match parts.http {
            Some(address) => Some(Listener::start(address, router(app.clone()), bounds.clone()).await?),
            None => None,
        };
        let mcp = match own_mcp {
            Some(address) => {
                let pages = api.as_ref().map(Listener::address);
                Some(Listener::start(address, mcp_router(app, pages), bounds).await?)
            }
            None => None,
        };
        let deliverer = match &parts.worker {
            Some(options) => Some(parts.webhooks.start(engine.clone(), options.lease)?),
            None => None,
        };
        let walker = parts.worker.as_ref().map(|_| DistributionWalker::start(engine.clone()));
        let exporter = parts.worker.as_ref().map(|_| ExportWorker::start(engine.clone()));
        let mailer = parts.worker.as_ref().map(|_| MailWorker::start(engine.clone(), mail));
        let alerts = parts.worker.as_ref().map(|_| AlertSweeper::start(engine.clone()));
        let worker = parts.worker.map(|options| Worker::start(engine, options));
        let store = parts.store;
        Ok(RunningService { store, api, metrics, mcp, worker, deliverer, walker, exporter, mailer, alerts, mark })
    }

    /// `http://127.0.0.1:PORT`, when there is an API.
    pub fn base_url(&self) -> Option<String> {
        self.api.as_ref().map(|api| format!("http://{}", api.address()))
    }

    /// Base URL of MCP: its own listener, or that of the API.
    pub fn mcp_url(&self) -> Option<String> {
        self.mcp.as_ref().map(|own| format!("http://{}", own.address())).or_else(|| self.base_url())
    }

    /// `http://127.0.0.1:PORT/metrics`, when metrics have a listener.
    pub fn metrics_url(&self) -> Option<String> {
        self.metrics.as_ref().map(|metrics| format!("http://{}/metrics", metrics.listener.address()))
    }

    /// Bound addresses of the API and of the metrics, for the log.
    pub fn addresses(&self) -> (Option<SocketAddr>, Option<SocketAddr>) {
        let metrics = self.metrics.as_ref().map(|metrics| metrics.listener.address());
        (self.api.as_ref().map(Listener::address), metrics)
    }

    /// Stops in order: new requests are refused, open ones end, the worker, the walker and the deliverer finish their
    /// current work, the store closes.
    pub async fn stop(self, grace: Duration) {
        for listener in [self.api, self.mcp].into_iter().flatten() {
            listener.stop(grace).await;
        }
        if let Some(worker) = self.worker {
            worker.stop(grace).await;
        }
        if let Some(walker) = self.walker {
            walker.stop(grace).await;
        }
        if let Some(exporter) = self.exporter {
            exporter.stop(grace).await;
        }
        if let Some(alerts) = self.alerts {
            alerts.stop(grace).await;
        }
        // after the worker: events of its last jobs may still be delivered
        if let Some(deliverer) = self.deliverer {
            deliverer.stop(grace).await;
        }
        if let Some(mailer) = self.mailer {
            mailer.stop(grace).await;
        }
        if let Some(metrics) = self.metrics {
            metrics.upkeep.abort();
            metrics.listener.stop(Duration::from_secs(1)).await;
        }
        self.mark.stop().await;
        self.store.close().await;
    }
}

/// The listener of `/metrics`, and the task that takes samples and bounds the recorder's memory between two readings.
struct MetricsListener {
    listener: Listener,
    upkeep: JoinHandle<()>,
}

impl MetricsListener {
    async fn start(address: SocketAddr, engine: Engine) -> anyhow::Result<MetricsListener> {
        let handle = telemetry::metrics().context("as métricas não puderam ser iniciadas")?;
        let mut sampler = Sampler::of(engine);
        // the first reading has every number
        sampler.record_sample().await;
        let router = Router::new().route("/metrics", get(metrics_page));
        let listener = Listener::start(address, router, metrics_bounds()).await?;
        let upkeep = tokio::spawn(async move {
            let mut clock = tokio::time::interval(gauges::EVERY);
            clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                clock.tick().await;
                handle.run_upkeep();
                sampler.record_sample().await;
            }
        });
        Ok(MetricsListener { listener, upkeep })
    }
}

/// Files that the process may open, after raising the soft limit as far as the system allows.
fn open_files() -> usize {
    let most = rlimit::increase_nofile_limit(u64::MAX).or_else(|error| {
        tracing::warn!(error.cause = %error, "the limit of open files could not be raised");
        rlimit::getrlimit(rlimit::Resource::NOFILE).map(|(soft, _)| soft)
    });
    most.ok().and_then(|most| usize::try_from(most).ok()).unwrap_or(1024)
}

/// Bounds for a few scrapers, the only clients of this listener.
fn metrics_bounds() -> ConnectionBounds {
    let (idle, write) = (Duration::from_secs(30), Duration::from_secs(30));
    ConnectionBounds { in_all: 32, of_one: 32, trusted: Vec::new(), idle, write }
}

/// `GET /metrics`, on its own listener.
async fn metrics_page() -> ([(http::HeaderName, &'static str); 1], String) {
    let text = telemetry::metrics().map(|handle| handle.render()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
