//! Use cases (issue, cancel, query) and the worker that carries documents through their life.
//!
//! Path of one document: `acceptance::issue` registers it, `worker` claims its job, `steps` moves it: `prepare`
//! (number, key, signed XML), `send`, `ask` (query by key, when no reply came), `settle`. `cargo xtask tidy
//! engine-arrows` holds the table of which folder may import which.
//! Must not know: axum, JSON shapes of responses, SQL text, SOAP.

pub mod acceptance;
pub mod alerts;
pub mod authorities;
pub mod company;
pub mod contingency;
pub mod export;
pub mod family;
pub mod jobs;
pub mod mail;
pub mod order;
pub mod process;
pub mod queries;
pub mod received;
pub mod restored;
mod steps;
pub mod webhooks;
pub mod worker;

use acceptance::backlog;
use authorities::transport::CallTransport;
use authorities::{certificates, health, undue_use};
use authority::table::EndpointTable;
use company::software_house::SoftwareHouse;
use fiscal::law::Law;
use process::{clock, work_pool};
use queries::consult;
use std::sync::Arc;
use store::Store;

/// Starts the series of every counter that an alert reads at zero, so that the first event is an increase.
pub fn begin_counters() {
    steps::settled::begin_at_zero();
    webhooks::start_counters();
    mail::start_counters();
}

/// Everything that the use cases need. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<EngineParts>,
    law: Arc<Law>,
}

struct EngineParts {
    store: Store,
    table: EndpointTable,
    transport: Arc<dyn CallTransport>,
    clock: Arc<dyn clock::Clock>,
    certificates: certificates::CertificateCache,
    /// Opens certificates: each costs up to a second of one core.
    opening: work_pool::WorkPool,
    heavy: work_pool::WorkPool,
    /// Draws forms. Separate from `heavy`: a preview runs in `heavy` and draws at its end.
    drawing: work_pool::WorkPool,
    health: health::AuthorityHealthTable,
    unanswered: authorities::municipality::UnansweredUntil,
    host_layouts: family::layouts::HostLayouts,
    undue_use: undue_use::BlockTable,
    claim_memory: steps::ClaimMemory,
    lots: Arc<steps::LotRegistry>,
    order_cache: acceptance::order_cache::OrderCache,
    leases: Arc<process::leases::LeaseTable>,
    heartbeat: process::heartbeat::Heartbeat,
    job_waiters: process::job_waiters::JobWaiters,
    status_answers: consult::StatusAnswerCache,
    software_house: Option<SoftwareHouse>,
    circuit_monitor: contingency::CircuitMonitor,
    write_probe: queries::write_probe::WriteProbe,
    backlog: backlog::Backlog,
    uncertain: restored::UncertainPeriod,
}

impl Engine {
    /// Wires the parts, with the defaults of contingency and backlog. `software_house` stands in every document whose
    /// payload names no other.
    pub fn new(
        store: Store,
        table: EndpointTable,
        transport: Arc<dyn CallTransport>,
        clock: Arc<dyn clock::Clock>,
        software_house: Option<SoftwareHouse>,
    ) -> Engine {
        Engine::with(
            store,
            table,
            transport,
            clock,
            software_house,
            contingency::ContingencyOptions::default(),
            backlog::BacklogLimits::default(),
        )
    }

    /// Wires the parts with given options of contingency and backlog.
    pub fn with(
        store: Store,
        table: EndpointTable,
        transport: Arc<dyn CallTransport>,
        clock: Arc<dyn clock::Clock>,
        software_house: Option<SoftwareHouse>,
        contingency: contingency::ContingencyOptions,
        backlog: backlog::BacklogLimits,
    ) -> Engine {
        let inner = EngineParts {
            store,
            table,
            transport,
            clock,
            certificates: certificates::CertificateCache::default(),
            opening: work_pool::WorkPool::new(certificates::opening_bounds()),
            heavy: work_pool::WorkPool::new(work_pool::documents()),
            drawing: work_pool::WorkPool::new(work_pool::documents()),
            health: health::AuthorityHealthTable::default(),
            unanswered: authorities::municipality::UnansweredUntil::default(),
            host_layouts: family::layouts::HostLayouts::default(),
            undue_use: undue_use::BlockTable::default(),
            claim_memory: steps::ClaimMemory::default(),
            lots: Arc::default(),
            order_cache: acceptance::order_cache::OrderCache::default(),
            leases: Arc::default(),
            heartbeat: process::heartbeat::Heartbeat::default(),
            job_waiters: process::job_waiters::JobWaiters::default(),
            status_answers: consult::StatusAnswerCache::default(),
            software_house,
            circuit_monitor: contingency::CircuitMonitor::new(contingency),
            write_probe: queries::write_probe::WriteProbe::default(),
            backlog: backlog::Backlog::new(backlog),
            uncertain: restored::UncertainPeriod::default(),
        };
        Engine { inner: Arc::new(inner), law: Arc::new(Law::default()) }
    }

    /// Replaces the law by that of an installation.
    #[must_use]
    pub fn with_law(self, law: Arc<Law>) -> Engine {
        Engine { law, ..self }
    }

    pub fn law(&self) -> &Law {
        &self.law
    }

    /// The store, for reads that need no use case (a job, a company).
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The pool that reads and checks large documents.
    pub fn heavy(&self) -> &work_pool::WorkPool {
        &self.inner.heavy
    }

    /// The operator's software house in the form that a document takes.
    pub(crate) fn software_house(&self) -> Option<fiscal::document::SoftwareHouse<'_>> {
        self.inner.software_house.as_ref().map(SoftwareHouse::as_document)
    }

    pub(crate) fn now(&self) -> jiff::Timestamp {
        self.inner.clock.now()
    }

    /// Seconds since 1970, by the engine's clock.
    pub fn now_s(&self) -> i64 {
        self.now().as_second()
    }
}
