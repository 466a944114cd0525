//! The running service: the API's listener, the metrics' listener, the worker and the deliverer of webhooks, started
//! and stopped as one.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use authority::table::Table;
use authority::transport::{self, Transport};
use axum::Router;
use axum::routing::get;
use engine::clock::{self, Clock};
use engine::received::Walker;
use engine::restored::{MarkKeeper, MarkPlace};
use engine::webhooks::Deliverer;
use engine::worker::{self, Worker};
use engine::{Engine, SoftwareHouse};
use engine::{backlog, contingency};
use fiscal::law::Law;
use http::header;
use lookup::Lookup;
use outbound::Gate;
use store::Store;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use crate::api::webhooks::evento;
use crate::app::{App, Limits, Opened};
use crate::edge::Edge;
use crate::http::{Bounds, Listener};
use crate::resources;
use crate::router::{agents, router};
use crate::telemetry;
use crate::telemetry::gauges::{self, Sampler};
use crate::webhooks::Webhooks;

/// What the service is made of.
pub struct Parts {
    /// Where everything is kept.
    pub store: Store,
    /// Who answers where.
    pub table: Table,
    /// How authorities are reached.
    pub transport: transport::Options,
    /// Where the API listens; none for a process that only works.
    pub http: Option<SocketAddr>,
    /// Where `/metrics` listens.
    pub metrics: Option<SocketAddr>,
    /// Where agents have a listener of their own.
    pub mcp: Option<SocketAddr>,
    /// How documents are carried; none for a process that only answers.
    pub worker: Option<worker::Options>,
    /// Bounds of one request.
    pub limits: Limits,
    /// Who stands between the API and its callers.
    pub edge: Edge,
    /// How webhooks leave, and where they may go.
    pub webhooks: Webhooks,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Sources of lookups.
    pub lookups: lookup::Options,
    /// Stands in every document whose payload names no other.
    pub software_house: Option<SoftwareHouse>,
    /// When an authority is left, and when it is tried again.
    pub contingency: contingency::Options,
    /// How much may wait before emissions are refused.
    pub backlog: backlog::Options,
    /// The law that documents are judged by.
    pub law: Arc<Law>,
    /// What is off until the operator opens it.
    pub opened: Opened,
    /// Where the mark stands that shows a copy of the database that was put back.
    pub mark: Option<MarkPlace>,
}

impl Parts {
    /// A service that listens nowhere and carries nothing, with the usual bounds of everything.
    pub fn idle(store: Store, table: Table, transport: transport::Options) -> Parts {
        Parts {
            store,
            table,
            transport,
            http: None,
            metrics: None,
            mcp: None,
            worker: None,
            limits: Limits::default(),
            edge: Edge::default(),
            webhooks: Webhooks::default(),
            clock: Arc::new(clock::System),
            lookups: lookup::Options::default(),
            software_house: None,
            contingency: contingency::Options::default(),
            backlog: backlog::Options::default(),
            law: Arc::default(),
            opened: Opened::default(),
            mark: None,
        }
    }
}

/// A running service.
pub struct Service {
    store: Store,
    api: Option<Listener>,
    metrics: Option<Metrics>,
    mcp: Option<Listener>,
    worker: Option<Worker>,
    deliverer: Option<Deliverer>,
    walker: Option<Walker>,
    mark: MarkKeeper,
}

impl Service {
    /// Starts every part. Nothing is served before all of them could start.
    ///
    /// Boxed: an `async fn` is compiled by each crate that waits for it, and the program is not optimised.
    pub fn start(parts: Parts) -> Pin<Box<dyn Future<Output = anyhow::Result<Service>> + Send>> {
        Box::pin(Service::started(parts))
    }

    async fn started(parts: Parts) -> anyhow::Result<Service> {
        let sources = outbound::Options {
            extra_anchors_pem: parts.transport.extra_anchors_pem.clone(),
            ..outbound::Options::default()
        };
        let sources =
            outbound::Client::new(sources).context("o cliente das fontes de consulta não pôde ser preparado")?;
        let lookup = Lookup::new(parts.store.clone(), sources, parts.lookups);
        let strangers = Gate::new(parts.webhooks.reach.clone(), Arc::clone(&parts.webhooks.resolver));
        let transport = transport::Options { strangers, ..parts.transport };
        let transport = Arc::new(Transport::new(transport).context("o transporte TLS não pôde ser preparado")?);
        let engine = {
            let Parts { table, clock, software_house, contingency, backlog, law, .. } = parts;
            Engine::with(parts.store.clone(), table, transport, clock, software_house, contingency, backlog).under(law)
        };
        // before anything is answered or carried: a database that went back must not deny what it does not know
        let mark = MarkKeeper::start(engine.clone(), parts.mark).await?;
        // before anything can end, so that nothing is told otherwise
        parts.store.tell_by(evento::event_body());
        // before the first request, so that nothing goes uncounted
        let metrics = match parts.metrics {
            Some(address) => Some(Metrics::start(address, engine.clone()).await?),
            None => None,
        };
        let reach = parts.webhooks.reach.clone();
        let open_files = open_files();
        resources::check(&parts.limits, open_files);
        let bounds = parts.limits.listener(&parts.edge, open_files);
        let own_mcp = parts.mcp.filter(|_| parts.edge.mcp.active);
        let app =
            App::new(engine.clone(), lookup, parts.limits, parts.edge, reach, parts.opened, parts.worker.is_some())?;
        let api = match parts.http {
            Some(address) => Some(Listener::start(address, router(app.clone()), bounds.clone()).await?),
            None => None,
        };
        let mcp = match own_mcp {
            Some(address) => {
                let pages = api.as_ref().map(Listener::address);
                Some(Listener::start(address, agents(app, pages), bounds).await?)
            }
            None => None,
        };
        let deliverer = match &parts.worker {
            Some(options) => Some(parts.webhooks.start(engine.clone(), options.lease)?),
            None => None,
        };
        let walker = parts.worker.as_ref().map(|_| Walker::start(engine.clone()));
        let worker = parts.worker.map(|options| Worker::start(engine, options));
        Ok(Service { store: parts.store, api, metrics, mcp, worker, deliverer, walker, mark })
    }

    /// `http://127.0.0.1:PORT`, when there is an API.
    pub fn base_url(&self) -> Option<String> {
        self.api.as_ref().map(|api| format!("http://{}", api.address()))
    }

    /// Where agents find the server: their own listener, or that of the API.
    pub fn mcp_url(&self) -> Option<String> {
        self.mcp.as_ref().map(|own| format!("http://{}", own.address())).or_else(|| self.base_url())
    }

    /// `http://127.0.0.1:PORT/metrics`, when asked for.
    pub fn metrics_url(&self) -> Option<String> {
        self.metrics.as_ref().map(|metrics| format!("http://{}/metrics", metrics.listener.address()))
    }

    /// Where they listen, for the log.
    pub fn addresses(&self) -> (Option<SocketAddr>, Option<SocketAddr>) {
        let metrics = self.metrics.as_ref().map(|metrics| metrics.listener.address());
        (self.api.as_ref().map(Listener::address), metrics)
    }

    /// Stops in order: no new requests, the open ones end, the worker, the walker and the deliverer finish what they
    /// hold, the store closes.
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
        // after the worker: what it told last may still leave
        if let Some(deliverer) = self.deliverer {
            deliverer.stop(grace).await;
        }
        if let Some(metrics) = self.metrics {
            metrics.upkeep.abort();
            metrics.listener.stop(Duration::from_secs(1)).await;
        }
        self.mark.stop().await;
        self.store.close().await;
    }
}

/// The page of metrics, and the task that takes samples and keeps their memory bounded between two readings of it.
struct Metrics {
    listener: Listener,
    upkeep: JoinHandle<()>,
}

impl Metrics {
    async fn start(address: SocketAddr, engine: Engine) -> anyhow::Result<Metrics> {
        let handle = telemetry::metrics().context("as métricas não puderam ser iniciadas")?;
        let mut sampler = Sampler::of(engine);
        // a page that is read at once has all its numbers
        sampler.take().await;
        let router = Router::new().route("/metrics", get(metrics_page));
        let listener = Listener::start(address, router, readers_of_metrics()).await?;
        let upkeep = tokio::spawn(async move {
            let mut clock = tokio::time::interval(gauges::EVERY);
            clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                clock.tick().await;
                handle.run_upkeep();
                sampler.take().await;
            }
        });
        Ok(Metrics { listener, upkeep })
    }
}

/// How many files the process may open: as many as the system lets it, if it lets us ask.
fn open_files() -> usize {
    let most = rlimit::increase_nofile_limit(u64::MAX).or_else(|error| {
        tracing::warn!(error.cause = %error, "the limit of open files could not be raised");
        rlimit::getrlimit(rlimit::Resource::NOFILE).map(|(soft, _)| soft)
    });
    most.ok().and_then(|most| usize::try_from(most).ok()).unwrap_or(1024)
}

/// A few scrapers; nobody else has business there.
fn readers_of_metrics() -> Bounds {
    let (idle, write) = (Duration::from_secs(30), Duration::from_secs(30));
    Bounds { in_all: 32, of_one: 32, trusted: Vec::new(), idle, write }
}

/// `GET /metrics`, on its own listener.
async fn metrics_page() -> ([(http::HeaderName, &'static str); 1], String) {
    let text = telemetry::metrics().map(|handle| handle.render()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
