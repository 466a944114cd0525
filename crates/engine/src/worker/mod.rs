//! Worker loop: claim, run, repeat; bounded per authority. Jobs of a process that died are found again by their leases.
//!
//! The store keeps fairness over companies (`claim`); the limits per process and per authority are kept here.

mod claimed;
mod clamp_future;
mod job_slots;

use crate::Engine;
use crate::process::background_task::BackgroundTask;
use crate::process::clock::LeaseClock;
use crate::process::cpu_time;
use crate::process::leases::LeaseTerm;
use crate::process::outage_log::OutageLog;
use job_slots::JobSlots;
use std::time::Duration;
use store::jobs::{ClaimRequest, ClaimedJob};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

/// Settings of the worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Concurrent jobs in this process.
    pub concurrency: usize,
    /// Concurrent jobs per authority.
    pub per_authority: usize,
    /// Length of a claim without renewal.
    pub lease: Duration,
}

/// The running worker.
pub struct Worker(BackgroundTask);

/// Pause when there is nothing to do and no signal comes; jobs that become ready by time alone are found this late.
const IDLE_PAUSE: Duration = Duration::from_millis(500);
/// Wait of a free slot for further ones, when more is ready: a claim of several jobs costs little more than a claim of
/// one.
const GATHER_PAUSE: Duration = Duration::from_millis(3);
/// Interval of the cleanup.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(30);
/// Pause when the store does not answer.
const STORE_DOWN: Duration = Duration::from_secs(1);

impl Worker {
    /// Starts it on the current runtime.
    pub fn start(engine: Engine, options: WorkerOptions) -> Worker {
        let places = JobSlots::new(options.concurrency, options.per_authority);
        let clock = LeaseClock::new(engine.now_s(), Instant::now(), options.lease);
        let (lease, jobs) = (options.lease, JoinSet::new());
        Worker(BackgroundTask::start(|stopped| WorkerLoop { engine, lease, clock, places, jobs, stopped }.run()))
    }

    /// Claims no new jobs, waits at most `grace` for the running ones, and stops.
    pub async fn stop(self, grace: Duration) {
        if !self.0.stop(grace).await {
            tracing::warn!("jobs still at hand after the grace period; their leases will run out");
        }
    }
}

struct WorkerLoop {
    engine: Engine,
    lease: Duration,
    clock: LeaseClock,
    places: JobSlots<Id>,
    jobs: JoinSet<()>,
    stopped: watch::Receiver<bool>,
}

/// State of the queue after a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QueueState {
    /// More may be ready than there was room for.
    MayHoldMore,
    /// Further ready jobs belong to authorities that are at their limit.
    Blocked,
    /// All ready jobs are claimed: only a signal or the passing of time brings more.
    Empty,
}

impl WorkerLoop {
    async fn run(mut self) {
        let (mut tidied, mut trouble) = (None, OutageLog::with("claim jobs"));
        while !self.is_stopped() {
            if self.clock.went_back(self.engine.now_s(), Instant::now()) {
                self.engine.inner.leases.invalidate_terms();
                tidied = None;
            }
            self.engine.inner.heartbeat.record(self.engine.now_s(), self.jobs.len());
            self.clean_up(&mut tidied).await;
            match self.claim_and_start().await {
                Ok(queue) => {
                    trouble.record_recovery();
                    self.idle(queue, IDLE_PAUSE).await;
                }
                Err(error) => {
                    trouble.record_failure(&error);
                    self.idle(QueueState::Empty, STORE_DOWN).await;
                }
            }
        }
        while let Some(done) = self.jobs.join_next_with_id().await {
            self.release(done);
        }
    }

    /// Runs now and then, and when the clock went back: clamps impossible waits, and erases certificates: of removed
    /// companies whose last document has been settled, and those that no user confirmed.
    async fn clean_up(&self, last: &mut Option<Instant>) {
        if last.is_some_and(|last| last.elapsed() < CLEANUP_INTERVAL) {
            return;
        }
        *last = Some(Instant::now());
        retry_later("look through waits", self.engine.clamp_future_instants(self.lease).await);
        retry_later("forget old budgets", self.engine.delete_old_counts().await);
        let erased = retry_later(
            "erase certificates of removed companies",
            self.engine.store().erase_retired_certificates().await,
        );
        if let Some(erased) = erased.filter(|erased| *erased > 0) {
            tracing::info!(erased, "certificates of removed companies erased");
        }
        let ended = self.engine.store().erase_ended_offers(self.engine.now_s()).await;
        retry_later("erase certificates that no user confirmed", ended);
    }

    /// `true` when asked to stop, or when the sender is gone.
    fn is_stopped(&self) -> bool {
        *self.stopped.borrow() || self.stopped.has_changed().is_err()
    }

    /// Claims and starts as many jobs as there is room for.
    async fn claim_and_start(&mut self) -> Result<QueueState, store::Error> {
        let room = self.places.claimable();
        let full = self.places.full_authorities();
        if room == 0 {
            return Ok(QueueState::MayHoldMore);
        }
        let (claimed, term) = self.claim(room, full.clone()).await?;
        let filled = u32::try_from(claimed.len()).is_ok_and(|taken| taken >= room);
        for job in claimed {
            self.begin(job, term);
        }
        Ok(match (filled, full.is_empty()) {
            (true, _) => QueueState::MayHoldMore,
            (false, false) => QueueState::Blocked,
            (false, true) => QueueState::Empty,
        })
    }

    /// Claims jobs that this process does not hold. Leases that a jump of the clock, or a stop of the process, may have
    /// ended are renewed first.
    async fn claim(
        &self,
        limit: u32,
        except_authorities: Vec<String>,
    ) -> Result<(Vec<ClaimedJob>, LeaseTerm), store::Error> {
        let leases = &self.engine.inner.leases;
        let _turn = leases.lock_for_claim().await;
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
        Ok((cpu_time::measure("claim", self.engine.store().claim(request)).await?, term))
    }

    fn begin(&mut self, job: ClaimedJob, term: LeaseTerm) {
        let authority = job.job.authority.clone();
        let hold = self.engine.inner.leases.hold(job.lease, self.lease, term);
        let task = self.jobs.spawn(Box::pin(claimed::run_job(self.engine.clone(), job, hold, self.lease)));
        self.places.occupy(task.id(), authority);
    }

    /// Waits until there may be work and room for it, or for the stop.
    async fn idle(&mut self, queue: QueueState, at_most: Duration) {
        if queue == QueueState::MayHoldMore && self.places.claimable() > 0 {
            return;
        }
        let engine = self.engine.clone();
        let pause = tokio::time::sleep(at_most);
        tokio::pin!(pause);
        loop {
            let room = self.places.claimable() > 0;
            tokio::select! {
                () = engine.store().wait_for_work(at_most), if room => return,
                () = &mut pause => return,
                _ = self.stopped.changed() => return,
                Some(done) = self.jobs.join_next_with_id(), if !self.jobs.is_empty() => {
                    self.release(done);
                    if queue != QueueState::Empty {
                        return self.wait_for_free_slots().await;
                    }
                }
            }
        }
    }

    /// Waits until half of the slots are free, or a moment has passed.
    async fn wait_for_free_slots(&mut self) {
        let pause = tokio::time::sleep(GATHER_PAUSE);
        tokio::pin!(pause);
        while !self.places.are_half_free() {
            tokio::select! {
                () = &mut pause => return,
                Some(done) = self.jobs.join_next_with_id(), if !self.jobs.is_empty() => self.release(done),
            }
        }
    }

    fn release(&mut self, done: Result<(Id, ()), JoinError>) {
        let id = match done {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(%error, "a job ended abnormally; its lease will run out");
                error.id()
            }
        };
        self.places.release(id);
    }
}

/// Logs a failed cleanup, which the next round repeats.
fn retry_later<T>(what: &str, outcome: Result<T, store::Error>) -> Option<T> {
    outcome.inspect_err(|error| tracing::warn!(%error, "the worker could not {what} yet")).ok()
}
