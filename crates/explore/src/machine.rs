//! A simulated machine: a process of the service with a wall clock, which may end at any commit or call.

use crate::fixture::{self, RunFixture};
use crate::network::MachineNetwork;
use crate::process_life::ProcessLife;
use crate::run_environment::RunEnvironment;
use crate::time::WallClock;
use authority::table::EndpointTable;
use engine::acceptance::backlog;
use engine::restored::MarkKeeper;
use engine::worker::{self, Worker};
use engine::{Engine, contingency};
use std::sync::Arc;
use std::time::Duration;
use store::webhooks::EventBody;
use store::{MemoryDatabase, Store};

/// A running process.
pub struct Machine {
    pub life: Arc<ProcessLife>,
    pub engine: Engine,
    worker: Worker,
}

impl Machine {
    /// Starts a process on a database.
    pub async fn start(
        world: &Arc<RunEnvironment>,
        database: &MemoryDatabase,
        table: &EndpointTable,
        clock: &Arc<WallClock>,
        event_body: EventBody,
        name: &str,
    ) -> anyhow::Result<Machine> {
        let life = Arc::new(ProcessLife::new());
        let gate = Arc::clone(&life);
        let store =
            Store::simulated(database, fixture::master_key(), Arc::new(move |point| gate.passes(point))).await?;
        store.set_event_body(event_body);
        let network = Arc::new(MachineNetwork::of(world, &life, database, name));
        let clock = Arc::clone(clock);
        let contingency =
            contingency::ContingencyOptions { offline: true, ..contingency::ContingencyOptions::default() };
        let engine =
            Engine::with(store, table.clone(), network, clock, None, contingency, backlog::BacklogLimits::default());
        // Reads the marks of the database, as the service does before it sends anything.
        MarkKeeper::start(engine.clone(), None).await?.stop().await;
        let options = worker::WorkerOptions { concurrency: 8, per_authority: 8, lease: LEASE };
        let worker = Worker::start(engine.clone(), options);
        Ok(Machine { life, engine, worker })
    }

    /// Ends the process without a shutdown.
    pub async fn kill(self) {
        self.life.end();
        self.worker.stop(Duration::ZERO).await;
    }
}

/// Records that the database was restored from a copy of an instant.
pub async fn record_restored(database: &MemoryDatabase, copied_at: i64, now: i64) -> Result<(), store::Error> {
    let store = Store::simulated(database, fixture::master_key(), Arc::new(|_| true)).await?;
    store.record_restored(copied_at, now).await?;
    store.close().await;
    Ok(())
}

impl RunFixture {
    /// A database with the fixture in it.
    pub fn database(&self) -> Result<MemoryDatabase, store::Error> {
        MemoryDatabase::from_image(&self.image)
    }
}

/// Lease of a job, as in the service.
const LEASE: Duration = Duration::from_secs(15);
