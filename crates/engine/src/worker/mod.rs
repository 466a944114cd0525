//! Worker loop: claim, run, repeat; bounded per authority. Jobs of a process that died are found again by their leases.
//!
//! The store keeps fairness over companies (`claim`); the limits per process and per authority are kept here.

mod bring_back;
mod claimed;
mod places;

use crate::Engine;
use crate::process::clock::LeaseClock;
use crate::process::leases::LeaseTerm;
use crate::process::spent;
use crate::process::trouble::Trouble;
use places::Places;
use std::time::Duration;
use store::jobs::{ClaimRequest, Claimed};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use tokio::time::Instant;

/// Settings of the worker.
#[derive(Debug, Clone)]
pub struct Options {
    /// Concurrent jobs in this process.
    pub concurrency: usize,
    /// Concurrent jobs per authority.
    pub per_authority: usize,
    /// Length of a claim without renewal.
    pub lease: Duration,
}

/// The running worker.
pub struct Worker {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Pause when there is nothing to do and no signal comes; jobs that become ready by time alone are found this late.
const REST: Duration = Duration::from_millis(500);
/// Wait of a free slot for further ones, when more is ready: a claim of several jobs costs little more than a claim of
/// one.
const COMPANY: Duration = Duration::from_millis(3);
/// Interval of the cleanup.
const TIDY: Duration = Duration::from_secs(30);
/// Pause when the store does not answer.
const STORE_DOWN: Duration = Duration::from_secs(1);

impl Worker {
    /// Starts it on the current runtime.
    pub fn start(engine: Engine, options: Options) -> Worker {
        let (stop, stopped) = watch::channel(false);
        let places = Places::new(options.concurrency, options.per_authority);
        let clock = LeaseClock::new(engine.now_s(), Instant::now(), options.lease);
        let work = Loop { engine, lease: options.lease, clock, places, jobs: JoinSet::new(), stopped };
        Worker { stop, task: tokio::spawn(work.run()) }
    }

    /// Claims no new jobs, waits at most `grace` for the running ones, and stops.
    pub async fn stop(self, grace: Duration) {
        let Worker { stop, mut task } = self;
        // the loop may have ended by itself; then the channel has no receiver
        let _ = stop.send(true);
        if tokio::time::timeout(grace, &mut task).await.is_err() {
            tracing::warn!("jobs still at hand after the grace period; their leases will run out");
            task.abort();
        }
    }
}

struct Loop {
    engine: Engine,
    lease: Duration,
    clock: LeaseClock,
    places: Places<Id>,
    jobs: JoinSet<()>,
    stopped: watch::Receiver<bool>,
}

/// State of the queue after a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Queue {
    /// More may be ready than there was room for.
    MayHoldMore,
    /// Further ready jobs belong to authorities that are at their limit.
    Blocked,
    /// All ready jobs are claimed: only a signal or the passing of time brings more.
    Empty,
}

impl Loop {
    async fn run(mut self) {
        let (mut tidied, mut trouble) = (None, Trouble::with("claim jobs"));
        while !self.is_stopped() {
            if self.clock.went_back(self.engine.now_s(), Instant::now()) {
                self.engine.inner.leases.doubt();
                tidied = None;
            }
            self.engine.inner.pulse.beat(self.engine.now_s(), self.jobs.len());
            self.tidy(&mut tidied).await;
            match self.take().await {
                Ok(queue) => {
                    trouble.over();
                    self.rest(queue, REST).await;
                }
                Err(error) => {
                    trouble.met(&error);
                    self.rest(Queue::Empty, STORE_DOWN).await;
                }
            }
        }
        while let Some(done) = self.jobs.join_next_with_id().await {
            self.free(done);
        }
    }

    /// Runs now and then, and when the clock went back: clamps impossible waits, and erases certificates of removed
    /// companies whose last document has been settled.
    async fn tidy(&self, last: &mut Option<Instant>) {
        if last.is_some_and(|last| last.elapsed() < TIDY) {
            return;
        }
        *last = Some(Instant::now());
        put_off("look through waits", self.engine.bring_back(self.lease).await);
        put_off("forget old budgets", self.engine.forget_spent().await);
        let erased =
            put_off("erase certificates of removed companies", self.engine.store().erase_retired_certificates().await);
        if let Some(erased) = erased.filter(|erased| *erased > 0) {
            tracing::info!(erased, "certificates of removed companies erased");
        }
    }

    /// `true` when asked to stop, or when the sender is gone.
    fn is_stopped(&self) -> bool {
        *self.stopped.borrow() || self.stopped.has_changed().is_err()
    }

    /// Claims and starts as many jobs as there is room for.
    async fn take(&mut self) -> Result<Queue, store::Error> {
        let room = self.places.room();
        let full = self.places.full();
        if room == 0 {
            return Ok(Queue::MayHoldMore);
        }
        let (claimed, term) = self.claim(room, full.clone()).await?;
        let filled = u32::try_from(claimed.len()).is_ok_and(|taken| taken >= room);
        for job in claimed {
            self.begin(job, term);
        }
        Ok(match (filled, full.is_empty()) {
            (true, _) => Queue::MayHoldMore,
            (false, false) => Queue::Blocked,
            (false, true) => Queue::Empty,
        })
    }

    /// Claims jobs that this process does not hold. Leases that a jump of the clock, or a stop of the process, may have
    /// ended are renewed first.
    async fn claim(
        &self,
        limit: u32,
        except_authorities: Vec<String>,
    ) -> Result<(Vec<Claimed>, LeaseTerm), store::Error> {
        let leases = &self.engine.inner.leases;
        let _turn = leases.claiming().await;
        let (now, at) = (self.engine.now_s(), Instant::now());
        for held in leases.ending_by(now) {
            match self.engine.renew_at_once(&held).await {
                Ok(()) | Err(store::Error::LeaseLost) => {}
                Err(error) => return Err(error),
            }
        }
        let term = LeaseTerm::starting(now, at, self.lease);
        let request = ClaimRequest {
            now,
            leases_now: self.clock.leases_now(now, at),
            lease_until: term.until,
            limit,
            except_authorities,
            if_unreadable: claimed::internal_error(),
        };
        Ok((spent::at("claim", self.engine.store().claim(request)).await?, term))
    }

    fn begin(&mut self, job: Claimed, term: LeaseTerm) {
        let authority = job.job.authority.clone();
        let hold = self.engine.inner.leases.hold(job.lease, self.lease, term);
        let task = self.jobs.spawn(Box::pin(claimed::carry(self.engine.clone(), job, hold, self.lease)));
        self.places.take(task.id(), authority);
    }

    /// Waits until there may be work and room for it, or for the stop.
    async fn rest(&mut self, queue: Queue, at_most: Duration) {
        if queue == Queue::MayHoldMore && self.places.room() > 0 {
            return;
        }
        let engine = self.engine.clone();
        let pause = tokio::time::sleep(at_most);
        tokio::pin!(pause);
        loop {
            let room = self.places.room() > 0;
            tokio::select! {
                () = engine.store().wait_for_work(at_most), if room => return,
                () = &mut pause => return,
                _ = self.stopped.changed() => return,
                Some(done) = self.jobs.join_next_with_id(), if !self.jobs.is_empty() => {
                    self.free(done);
                    if queue != Queue::Empty {
                        return self.gather().await;
                    }
                }
            }
        }
    }

    /// Waits until half of the slots are free, or a moment has passed.
    async fn gather(&mut self) {
        let pause = tokio::time::sleep(COMPANY);
        tokio::pin!(pause);
        while !self.places.are_half_free() {
            tokio::select! {
                () = &mut pause => return,
                Some(done) = self.jobs.join_next_with_id(), if !self.jobs.is_empty() => self.free(done),
            }
        }
    }

    fn free(&mut self, done: Result<(Id, ()), JoinError>) {
        let id = match done {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(%error, "a job ended abnormally; its lease will run out");
                error.id()
            }
        };
        self.places.free(id);
    }
}

/// Logs a failed cleanup, which the next round repeats.
fn put_off<T>(what: &str, outcome: Result<T, store::Error>) -> Option<T> {
    outcome.inspect_err(|error| tracing::warn!(%error, "the worker could not {what} yet")).ok()
}
