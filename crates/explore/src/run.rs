//! A run: steps drawn from a seed, then a phase without faults, then the checks.

use crate::authority::sefaz::SVC;
use crate::authority::{AuthorityOutage, AuthorityState};
use crate::faults::{RunFault, RunFaults};
use crate::fixture::RunFixture;
use crate::machine::{self, Machine};
use crate::promise_checker::{PromiseBreach, PromiseChecker};
use crate::run_environment::{RunEnvironment, TroublePercent};
use crate::run_random::RunRandom;
use crate::sale::{CallerSale, SaleKind};
use crate::time::WallClock;
use anyhow::Context as _;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use store::MemoryDatabase;
use store::jobs::RegistrationResult;
use tokio::time::{advance, sleep, timeout};

/// Options of a run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Steps before the faults stop.
    pub steps: u32,
    /// Kinds of fault.
    pub troubles: RunFaults,
    /// Kinds of documents.
    pub kinds: Vec<SaleKind>,
    /// True to keep a trace.
    pub is_traced: bool,
    /// True to print the lines of the trace as they come.
    pub is_printed: bool,
}

/// Result of a run.
#[derive(Debug, Clone)]
pub struct RunOutcome {
    /// Broken promises.
    pub breaches: Vec<PromiseBreach>,
    /// Lines of the trace, when it was asked for.
    pub trace: Vec<String>,
    /// Pairs of a document's state and the answer to it.
    pub reached: BTreeSet<String>,
    /// Virtual seconds of the run.
    pub virtual_s: u64,
}

/// The authority of the state.
const STATE: &str = "SP";
/// Percentages of messages that may meet a fault; a run draws some of them.
const PERCENT: [u64; 4] = [5, 20, 50, 80];
/// Rounds without faults in which everything must come to rest.
const REST_ROUNDS: u32 = 160;
const REST_ROUND_MS: u64 = 15 * 60_000;
/// Step of time while a message is under way, in milliseconds.
const SLICE_MS: u64 = 20;
/// Commits after which a run does not come to rest; one of fifty steps has some thousands.
const MOST_COMMITS: u64 = 60_000;
/// Less than a third of a lease.
const RENEWAL_MS: u64 = 4_000;

/// Runs a seed on this thread.
pub fn explore(seed: u64, house: &RunFixture, options: &RunOptions) -> anyhow::Result<RunOutcome> {
    engine::process::randomness::seeded::seed(seed);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    runtime.block_on(async {
        // The timer counts whole milliseconds from its own start, which differs by some microseconds between processes.
        sleep(Duration::from_millis(1)).await;
        let mut run = ExplorationRun::begin(seed, house, options).await?;
        for _ in 0..options.steps {
            run.step().await?;
        }
        run.run_without_faults().await?;
        run.end().await
    })
}

struct ExplorationRun<'h> {
    world: Arc<RunEnvironment>,
    house: &'h RunFixture,
    database: MemoryDatabase,
    clocks: [Arc<WallClock>; 2],
    machines: [Option<Machine>; 2],
    /// Milliseconds of the run at which a machine that has ended starts again.
    revival_ms: [u64; 2],
    starts: u32,
    sales: Vec<CallerSale>,
    planned: Vec<CallerSale>,
    judge: PromiseChecker,
    dice: RunRandom,
    /// Image of the database, and the second at which it was taken.
    copy: Option<(Vec<u8>, i64)>,
    /// Time since which the authority of the state answers nothing, and both machines live.
    total_outage_since_ms: Option<u64>,
    /// Time until which jobs may wait because a clock was ahead.
    waits_until_ms: u64,
    may_restore: bool,
}

impl<'h> ExplorationRun<'h> {
    async fn begin(seed: u64, house: &'h RunFixture, options: &RunOptions) -> anyhow::Result<ExplorationRun<'h>> {
        let mut dice = RunRandom::of(seed);
        let world = Arc::new(RunEnvironment::new(RunRandom::of(dice.draw()), options.troubles, options.is_traced));
        let database = house.database()?;
        let clocks = [WallClock::accurate(world.time), WallClock::accurate(world.time)].map(Arc::new);
        let many = if dice.percent(30) { dice.between(1, 2) } else { dice.between(3, 6) };
        let kinds = (1..=many).filter_map(|number| Some(CallerSale::new(number, *dice.pick(&options.kinds)?)));
        let planned: Vec<CallerSale> = kinds.collect();
        {
            let mut world = world.lock();
            world.is_printed = options.is_printed;
            let mut percent = || PERCENT[usize::try_from(dice.below(4)).unwrap_or(0)];
            world.trouble_percent = TroublePercent { documents: percent(), questions: percent(), others: percent() };
            world.authorities.retail_counts_by_way = dice.percent(50);
            if options.troubles.has(RunFault::Rules) {
                let refused = planned.iter().filter(|_| dice.percent(10)).map(|sale| sale.mark.clone());
                world.authorities.refused_sales = refused.collect();
            }
        }
        let may_restore = dice.percent(25) && options.troubles.has(RunFault::Restore);
        let mut run = ExplorationRun {
            world,
            house,
            database,
            clocks,
            machines: [None, None],
            revival_ms: [0, 0],
            starts: 0,
            sales: Vec::new(),
            planned,
            judge: PromiseChecker::default(),
            dice,
            copy: None,
            total_outage_since_ms: None,
            waits_until_ms: 0,
            may_restore,
        };
        run.restart_machines().await?;
        Ok(run)
    }

    fn has(&self, trouble: RunFault) -> bool {
        self.world.lock().troubles.has(trouble)
    }

    async fn step(&mut self) -> anyhow::Result<()> {
        let weight = |run: &ExplorationRun<'_>, trouble, weight| if run.has(trouble) { weight } else { 0 };
        let outage = weight(self, RunFault::Outage, 12);
        let svc = weight(self, RunFault::Svc, 5);
        let crash = weight(self, RunFault::Crash, 8);
        let clock = weight(self, RunFault::Clock, 3);
        let copies = if self.may_restore { 4 } else { 0 };
        let is_under_way = self.world.lock().under_way > 0;
        if clock > 0 && is_under_way && self.dice.percent(15) {
            self.jump_clock();
        }
        match self.dice.weighted(&[30, 25, outage, outage, svc, crash, crash, clock, copies, copies]) {
            0 => self.start_sale(),
            2 => self.begin_outage(),
            3 => self.end_outage(),
            4 => self.switch_svc(),
            5 => self.crash_now().await,
            6 => self.crash_soon(),
            7 => self.jump_clock(),
            8 => self.copy()?,
            9 => self.restore().await?,
            _ => {}
        }
        self.send_open_orders().await?;
        let exponent = self.dice.below(15);
        let ms = self.dice.between(5, 40 << exponent);
        self.advance_time(ms).await
    }

    fn start_sale(&mut self) {
        if let Some(sale) = self.planned.pop() {
            self.sales.push(sale);
        }
    }

    /// Sends every order without an answer again, under the same reference.
    async fn send_open_orders(&mut self) -> anyhow::Result<()> {
        for place in 0..self.sales.len() {
            if self.sales[place].job.is_some() {
                continue;
            }
            let which = usize::try_from(self.dice.below(2)).unwrap_or(0);
            let Some(machine) = self.machines[which].as_ref().filter(|machine| machine.life.is_alive()) else {
                continue;
            };
            let order = self.sales[place].order().context("the company's number")?;
            let asked = timeout(Duration::from_secs(1), machine.engine.issue(&self.house.caller, order)).await;
            let Ok(asked) = asked else { continue };
            let mark = self.sales[place].mark.clone();
            match asked {
                Ok(issued) => {
                    let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = issued.registered;
                    self.sales[place].job = Some(job.id);
                    self.world.trace_line(|| format!("caller: {mark} is {:?}", job.status));
                }
                // A service that is not sure of its database refuses, and the caller retries later.
                Err(error) => self.world.trace_line(|| format!("caller: {mark} has no answer yet: {error}")),
            }
        }
        Ok(())
    }

    fn begin_outage(&mut self) {
        let code = if self.dice.percent(50) { 108 } else { 109 };
        let kinds = [
            AuthorityState::Stopped(code),
            AuthorityState::Gateway,
            AuthorityState::Silent,
            AuthorityState::Unreachable,
        ];
        let health = self.dice.pick(&kinds).copied().unwrap_or(AuthorityState::Silent);
        let (spares_questions, spares_status) = (self.dice.percent(50), self.dice.percent(15));
        let outage = AuthorityOutage { health, spares_questions, spares_status };
        let is_total = !spares_questions && !spares_status;
        let now_ms = self.world.time.elapsed_ms();
        self.total_outage_since_ms = is_total.then(|| self.total_outage_since_ms.unwrap_or(now_ms));
        self.world.trace_line(|| format!("{STATE}: {outage:?}"));
        self.world.lock().authorities.begin_outage(STATE, outage);
    }

    fn end_outage(&mut self) {
        self.world.trace_line(|| format!("{STATE} works"));
        self.total_outage_since_ms = None;
        self.world.lock().authorities.end_outage(STATE);
    }

    fn switch_svc(&mut self) {
        let mut world = self.world.lock();
        let is_open = !world.authorities.svc_is_open;
        world.authorities.svc_is_open = is_open;
        world.trace_line(|| format!("{SVC} {}", if is_open { "opens" } else { "closes" }));
    }

    async fn crash_now(&mut self) {
        let which = usize::try_from(self.dice.below(2)).unwrap_or(0);
        if let Some(machine) = &self.machines[which] {
            machine.life.end();
        }
        self.remove_ended_machines().await;
    }

    fn crash_soon(&mut self) {
        let which = usize::try_from(self.dice.below(2)).unwrap_or(0);
        let commits = i64::try_from(self.dice.between(0, 12)).unwrap_or(0);
        if let Some(machine) = &self.machines[which] {
            machine.life.end_after(commits);
        }
    }

    fn jump_clock(&mut self) {
        let which = usize::try_from(self.dice.below(2)).unwrap_or(0);
        let clock = &self.clocks[which];
        let seconds = [0, 0, 30, 600, 3_600, 90_000][usize::try_from(self.dice.below(6)).unwrap_or(0)];
        // A job that waits for an instant of the clock before the change goes on waiting for it.
        let back_ms = (clock.ahead_s() - seconds).max(0).unsigned_abs() * 1_000;
        self.waits_until_ms = self.waits_until_ms.max(self.world.time.elapsed_ms() + back_ms);
        clock.set_ahead(seconds);
        self.total_outage_since_ms = None;
        self.world.trace_line(|| format!("clock of machine {which} is {seconds} s ahead"));
    }

    fn copy(&mut self) -> anyhow::Result<()> {
        self.copy = Some((self.database.image()?, self.world.time.now().as_second()));
        self.world.trace_line(|| "the database is copied".to_owned());
        Ok(())
    }

    async fn restore(&mut self) -> anyhow::Result<()> {
        let Some((copy, copied_at)) = self.copy.take() else { return Ok(()) };
        for machine in self.machines.iter().flatten() {
            machine.life.end();
        }
        self.remove_ended_machines().await;
        self.database.restore(&copy)?;
        // The mark beside the database reports the restore to a service that starts on it.
        machine::record_restored(&self.database, copied_at, self.world.time.now().as_second()).await?;
        self.judge.record_restore(self.world.time.elapsed_ms());
        self.may_restore = false;
        self.world.trace_line(|| "the database is restored from its copy".to_owned());
        // Callers look for their references, and order again those that are absent.
        let known: BTreeSet<String> = self
            .database
            .rows("SELECT referencia FROM jobs WHERE referencia IS NOT NULL")?
            .into_iter()
            .flatten()
            .collect();
        for sale in &mut self.sales {
            sale.is_surely_new = false;
            if !known.contains(&sale.reference()) {
                sale.job = None;
                self.judge.record_lost_sale(&sale.mark);
            }
        }
        Ok(())
    }

    /// Removes the machines that have ended.
    async fn remove_ended_machines(&mut self) {
        for which in 0..2 {
            if self.machines[which].as_ref().is_some_and(|machine| !machine.life.is_alive())
                && let Some(machine) = self.machines[which].take()
            {
                self.world.trace_line(|| format!("machine {which} ended"));
                machine.kill().await;
                self.total_outage_since_ms = None;
                let exponent = self.dice.below(12);
                self.revival_ms[which] = self.world.time.elapsed_ms() + self.dice.between(1, 60 << exponent);
            }
        }
    }

    async fn restart_machines(&mut self) -> anyhow::Result<()> {
        for which in 0..2 {
            if self.machines[which].is_none() && self.revival_ms[which] <= self.world.time.elapsed_ms() {
                self.starts += 1;
                let name = format!("machine {which} ({})", self.starts);
                let (clock, body) = (&self.clocks[which], self.judge.event_body());
                let machine =
                    Machine::start(&self.world, &self.database, &self.house.table, clock, body, &name).await?;
                self.machines[which] = Some(machine);
                self.world.trace_line(|| format!("{name} starts"));
            }
        }
        Ok(())
    }

    /// Advances the time, in leaps while no message is under way.
    async fn advance_time(&mut self, ms: u64) -> anyhow::Result<()> {
        let until_ms = self.world.time.elapsed_ms() + ms;
        loop {
            let (now_ms, commits) = (self.world.time.elapsed_ms(), self.database.commits());
            if now_ms >= until_ms {
                return Ok(());
            }
            sleep(Duration::from_millis(SLICE_MS.min(until_ms - now_ms))).await;
            self.remove_ended_machines().await;
            self.restart_machines().await?;
            if self.database.commits() != commits {
                self.check_answers()?;
            } else {
                let now_ms = self.world.time.elapsed_ms();
                // A leap stays short enough for the renewal of leases.
                let leap_ms = if self.world.lock().under_way == 0 { u64::MAX } else { now_ms + RENEWAL_MS };
                let due_ms = self.next_event_ms()?.min(until_ms).min(leap_ms);
                if due_ms > now_ms + SLICE_MS {
                    advance(Duration::from_millis(due_ms - now_ms)).await;
                }
            }
        }
    }

    /// Next time at which something happens by itself.
    fn next_event_ms(&self) -> anyhow::Result<u64> {
        let arrival = self.world.lock().arrivals.keys().next().copied();
        let revivals = (0..2).filter(|which| self.machines[*which].is_none()).map(|which| self.revival_ms[which]);
        let ready = self.database.rows("SELECT MIN(ready_at) FROM queue")?.into_iter().flatten().next();
        let ready_s = ready.and_then(|text| text.parse::<i64>().ok());
        let ahead_s = self.clocks.iter().map(|clock| clock.ahead_s()).max().unwrap_or(0);
        let ready_ms = ready_s.map(|s| (s - crate::time::BEGINNING_S - ahead_s).max(0).unsigned_abs() * 1_000);
        // A ready job is claimed within half a second.
        let now_ms = self.world.time.elapsed_ms();
        let ready_ms = ready_ms.map(|ms| ms.max(now_ms + 100));
        Ok(arrival.into_iter().chain(revivals).chain(ready_ms).min().unwrap_or(u64::MAX))
    }

    fn check_answers(&mut self) -> anyhow::Result<()> {
        let lines = self.judge.read_answers(&self.database, self.world.time.elapsed_ms())?;
        for line in lines {
            self.world.trace_line(|| line);
        }
        if let Some(since_ms) = self.total_outage_since_ms {
            self.judge.check_retail_waits(since_ms.max(self.waits_until_ms), self.world.time.elapsed_ms());
        }
        Ok(())
    }

    /// Stops the faults, and runs until everything has ended.
    async fn run_without_faults(&mut self) -> anyhow::Result<()> {
        self.world.trace_line(|| "trouble stops".to_owned());
        {
            let mut world = self.world.lock();
            world.is_troubled = false;
            world.authorities.heal();
            world.authorities.svc_is_open = false;
        }
        self.total_outage_since_ms = None;
        self.clocks.iter().for_each(|clock| clock.set_ahead(0));
        for machine in self.machines.iter().flatten() {
            machine.life.clear_end();
        }
        self.sales.append(&mut self.planned);
        for _ in 0..REST_ROUNDS {
            self.send_open_orders().await?;
            self.advance_time(REST_ROUND_MS).await?;
            let waits = self.database.rows("SELECT COUNT(*) FROM queue")?.into_iter().flatten().next();
            // A sale that was lost with the database needs no job.
            let is_asked = self.sales.iter().all(|sale| sale.job.is_some() || self.judge.is_lost(&sale.mark));
            if self.database.commits() > MOST_COMMITS {
                break;
            }
            if waits.as_deref() == Some("0") && is_asked && self.world.lock().orphans == 0 {
                break;
            }
        }
        Ok(())
    }

    async fn end(mut self) -> anyhow::Result<RunOutcome> {
        self.check_answers()?;
        for sale in self.sales.iter().filter(|sale| sale.job.is_none()) {
            self.judge.record_missing_job(&sale.mark);
        }
        for machine in self.machines.iter_mut().filter_map(Option::take) {
            machine.kill().await;
        }
        let world = self.world.lock();
        let breaches = self.judge.broken_promises(&self.database, &world.authorities)?;
        let (reached, virtual_s) = (world.reached.clone(), self.world.time.elapsed_ms() / 1_000);
        drop(world);
        Ok(RunOutcome { breaches, trace: self.world.trace(), reached, virtual_s })
    }
}
