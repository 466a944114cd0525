//! Use cases (issue, cancel, query) and the worker that carries documents through their life.
//!
//! Path of one document: `acceptance::issue` registers it, `worker` claims its job, `steps` moves it: `prepare`
//! (number, key, signed XML), `send`, `ask` (query by key, when no reply came), `settle`. `cargo xtask tidy
//! engine-arrows` holds the table of which folder may import which.
//! Must not know: axum, JSON shapes of responses, SQL text, SOAP.

mod acceptance;
mod authorities;
pub mod company;
pub mod contingency;
mod family;
mod jobs;
mod process;
mod questions;
pub mod received;
pub mod restored;
mod steps;
pub mod webhooks;
pub mod worker;

pub use acceptance::{assisted, backlog, event, issue, items, review, void};
pub use authorities::bridge::AuthorityHealth;
pub use authorities::transport::{CallTransport, PendingReply};
pub use company::{Csrt, SoftwareHouse, logo};
pub use family::layouts::{LayoutChoice, LayoutChoices};
pub use jobs::{print, query, reprocess, withdraw};
#[cfg(feature = "simulated")]
pub use process::chance::seeded;
pub use process::{clock, crash_point, heavy, json, local_time, origin};
pub use questions::{consult, diagnosis, municipality, nfse, rps, status};

use authorities::{bridge, certificates, undue_use};
use authority::table::Table;
use fiscal::law::Law;
use std::sync::Arc;
use store::Store;

/// Starts the series of every counter that an alert reads at zero, so that the first event is an increase.
pub fn begin_counters() {
    steps::settled::begin_at_zero();
    webhooks::begin_at_zero();
}

/// Everything that the use cases need. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
    law: Arc<Law>,
}

struct Inner {
    store: Store,
    table: Table,
    addresses: authorities::addresses::Addresses,
    issuers: authorities::issuers::Issuers,
    transport: Arc<dyn CallTransport>,
    clock: Arc<dyn clock::Clock>,
    certificates: certificates::Cache,
    /// Opens certificates: each costs up to a second of one core.
    opening: heavy::Heavy,
    heavy: heavy::Heavy,
    /// Draws forms. Separate from `heavy`: a preview runs in `heavy` and draws at its end.
    drawing: heavy::Heavy,
    bridge: bridge::Bridge,
    silences: authorities::municipality::Silences,
    layouts_told: family::layouts::LayoutsTold,
    undue_use: undue_use::Blocks,
    in_flight: steps::InFlight,
    lots: Arc<steps::Lots>,
    at_hand: acceptance::at_hand::AtHand,
    leases: Arc<process::leases::Leases>,
    pulse: process::pulse::Pulse,
    put_down: process::put_down::PutDown,
    consulted: consult::Memory,
    software_house: Option<SoftwareHouse>,
    watch: contingency::Watch,
    writing: questions::writing::Writing,
    backlog: backlog::Backlog,
    uncertain: restored::Uncertain,
}

impl Engine {
    /// Wires the parts, with the defaults of contingency and backlog. `software_house` stands in every document whose
    /// payload names no other.
    pub fn new(
        store: Store,
        table: Table,
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
            contingency::Options::default(),
            backlog::Options::default(),
        )
    }

    /// Wires the parts with given options of contingency and backlog.
    pub fn with(
        store: Store,
        table: Table,
        transport: Arc<dyn CallTransport>,
        clock: Arc<dyn clock::Clock>,
        software_house: Option<SoftwareHouse>,
        contingency: contingency::Options,
        backlog: backlog::Options,
    ) -> Engine {
        let inner = Inner {
            store,
            table,
            addresses: authorities::addresses::Addresses::default(),
            issuers: authorities::issuers::Issuers::default(),
            transport,
            clock,
            certificates: certificates::Cache::default(),
            opening: heavy::Heavy::new(certificates::opening()),
            heavy: heavy::Heavy::new(heavy::documents()),
            drawing: heavy::Heavy::new(heavy::documents()),
            bridge: bridge::Bridge::default(),
            silences: authorities::municipality::Silences::default(),
            layouts_told: family::layouts::LayoutsTold::default(),
            undue_use: undue_use::Blocks::default(),
            in_flight: steps::InFlight::default(),
            lots: Arc::default(),
            at_hand: acceptance::at_hand::AtHand::default(),
            leases: Arc::default(),
            pulse: process::pulse::Pulse::default(),
            put_down: process::put_down::PutDown::default(),
            consulted: consult::Memory::default(),
            software_house,
            watch: contingency::Watch::new(contingency),
            writing: questions::writing::Writing::default(),
            backlog: backlog::Backlog::new(backlog),
            uncertain: restored::Uncertain::default(),
        };
        Engine { inner: Arc::new(inner), law: Arc::new(Law::default()) }
    }

    /// Replaces the law by that of an installation.
    #[must_use]
    pub fn under(self, law: Arc<Law>) -> Engine {
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
    pub fn heavy(&self) -> &heavy::Heavy {
        &self.inner.heavy
    }

    /// The operator's software house in the form that a document takes.
    pub(crate) fn software_house(&self) -> Option<fiscal::document::SoftwareHouse<'_>> {
        self.inner.software_house.as_ref().map(SoftwareHouse::lent)
    }

    pub(crate) fn now(&self) -> jiff::Timestamp {
        self.inner.clock.now()
    }

    /// Seconds since 1970, by the engine's clock.
    pub fn now_s(&self) -> i64 {
        self.now().as_second()
    }
}
