//! Work that holds a core for more than a millisecond: off the threads that answer requests, a few tasks at a time,
//! bounded per tenant.
//!
//! A tenant's tasks wait in the tenant's own queue for one of its permits; only the first of that queue waits in the
//! common one. A thousand large notes of one account therefore delay another account by one task. A queue that is full
//! or too slow answers `Busy`. A task that has begun is not stopped when its caller leaves: each task has a bound of
//! its own.

use crate::process::origin;
use serde_json::{Map, Value};
use std::any::Any;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;
use uuid::Uuid;

/// Bounds of the pool: parallel tasks, queue length, wait.
#[derive(Debug, Clone, Copy)]
pub struct PoolBounds {
    /// Tasks that run at a time.
    pub at_once: usize,
    /// Tasks of one tenant that run at a time.
    pub of_one: usize,
    /// Tasks of one tenant that may wait.
    pub waiting: usize,
    /// Longest time from the call to the end of the task.
    pub max_wait: Duration,
}

/// Reason why a task was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDone {
    /// The tenant has its full count of running and waiting tasks, or the wait ran out.
    #[error("há trabalho demais desta conta em andamento")]
    Busy,
    /// The task panicked: our bug.
    #[error("o trabalho foi interrompido por uma falha")]
    Broken,
}

/// A task, a use case and their outcome with erased types: the path to the thread would otherwise be compiled for each.
type ErasedTask = Box<dyn FnOnce() -> ErasedOutcome + Send>;
type ErasedUseCase = Pin<Box<dyn Future<Output = ErasedOutcome> + Send>>;
type ErasedOutcome = Box<dyn Any + Send>;

/// Gives an erased outcome its type back.
fn downcast_outcome<T: 'static>(outcome: ErasedOutcome) -> Result<T, NotDone> {
    outcome.downcast().map(|outcome| *outcome).map_err(|_| NotDone::Broken)
}

/// The pool of heavy tasks, shared by all requests of a process.
pub struct WorkPool {
    places: Arc<Semaphore>,
    tenant_queues: Mutex<HashMap<Uuid, Arc<TenantQueue>>>,
    bounds: PoolBounds,
}

/// Queue of one tenant.
struct TenantQueue {
    /// A permit for each running or waiting task.
    inside: Arc<Semaphore>,
    tenant_permits: Arc<Semaphore>,
}

impl WorkPool {
    pub fn new(bounds: PoolBounds) -> WorkPool {
        WorkPool { places: Arc::new(Semaphore::new(bounds.at_once)), tenant_queues: Mutex::default(), bounds }
    }

    /// Runs one task of a tenant.
    pub async fn run<T: Send + 'static>(
        &self,
        tenant: Uuid,
        piece: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        downcast_outcome(self.run_erased_task(tenant, Box::new(|| Box::new(piece()))).await?)
    }

    async fn run_erased_task(&self, tenant: Uuid, piece: ErasedTask) -> Result<ErasedOutcome, NotDone> {
        #[cfg(feature = "simulated")]
        if crate::process::randomness::seeded::is_seeded() {
            // simulated time stands still while a thread works
            return Ok(piece());
        }
        let line = self.tenant_queue(tenant);
        let inside = Arc::clone(&line.inside).try_acquire_owned().map_err(|_| NotDone::Busy)?;
        let until = Instant::now() + self.bounds.max_wait;
        let places = timeout_at(until, self.acquire_permits(&line)).await.map_err(|_| NotDone::Busy)??;
        let done = tokio::task::spawn_blocking(move || {
            // held by the task, not by its caller: a caller that left frees no permit
            let (_inside, _places) = (inside, places);
            piece()
        });
        timeout_at(until, done).await.map_err(|_| NotDone::Busy)?.map_err(|_| NotDone::Broken)
    }

    /// Runs a whole use case as one task, so that its computing between awaits blocks no request thread.
    pub async fn run_use_case<T: Send + 'static>(
        &self,
        tenant: Uuid,
        case: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, NotDone> {
        downcast_outcome(
            self.run_erased_use_case(tenant, Box::pin(async move { Box::new(case.await) as ErasedOutcome })).await?,
        )
    }

    async fn run_erased_use_case(&self, tenant: Uuid, case: ErasedUseCase) -> Result<ErasedOutcome, NotDone> {
        let (here, request) = (Handle::current(), origin::current());
        let case = case.in_current_span();
        let piece = move || match request {
            Some(request) => here.block_on(origin::resume(request, case)),
            None => here.block_on(case),
        };
        self.run_erased_task(tenant, Box::new(piece)).await
    }

    /// Acquires the tenant's permit first, then one of the pool.
    async fn acquire_permits(&self, line: &TenantQueue) -> Result<[OwnedSemaphorePermit; 2], NotDone> {
        let turn = Arc::clone(&line.tenant_permits).acquire_owned().await.map_err(|_| NotDone::Broken)?;
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| NotDone::Broken)?;
        Ok([turn, place])
    }

    fn tenant_queue(&self, tenant: Uuid) -> Arc<TenantQueue> {
        let mut lines = self.tenant_queues.lock().unwrap_or_else(PoisonError::into_inner);
        if !lines.contains_key(&tenant) {
            let most = self.bounds.of_one + self.bounds.waiting;
            // an unused queue is dropped
            lines.retain(|_, line| Arc::strong_count(line) > 1 || line.inside.available_permits() < most);
        }
        let line = lines.entry(tenant).or_insert_with(|| {
            let most = self.bounds.of_one + self.bounds.waiting;
            Arc::new(TenantQueue {
                inside: Arc::new(Semaphore::new(most)),
                tenant_permits: Arc::new(Semaphore::new(self.bounds.of_one)),
            })
        });
        Arc::clone(line)
    }
}

/// `true` if checking and writing a payload takes more than about a millisecond.
pub fn is_big(members: &Map<String, Value>) -> bool {
    let mut left = SMALL_PAYLOAD;
    let heavier = |value| outweighs(value, &mut left);
    members.values().any(heavier)
}

/// Subtracts the weight of a value from `left`; stops and returns `true` when nothing is left.
fn outweighs(value: &Value, left: &mut usize) -> bool {
    let own = match value {
        Value::String(text) => text.len(),
        Value::Number(number) => number.as_str().len(),
        _ => 0,
    };
    match left.checked_sub(own.saturating_add(VALUE_WEIGHT)) {
        None => true,
        Some(rest) => {
            *left = rest;
            match value {
                Value::Array(elements) => elements.iter().any(|element| outweighs(element, left)),
                Value::Object(members) => members.values().any(|member| outweighs(member, left)),
                _ => false,
            }
        }
    }
}

/// Documents and forms: as many as there are cores, half of them for one tenant. A request ends after 30 seconds, hence
/// the wait of 25.
pub(crate) fn documents() -> PoolBounds {
    let at_once = cores().max(2);
    PoolBounds { at_once, of_one: at_once / 2, waiting: 256, max_wait: Duration::from_secs(25) }
}

/// Weight of a value beside its text, in bytes: its name, its position, the work.
const VALUE_WEIGHT: usize = 16;
/// Weight of a note of some 30 items.
const SMALL_PAYLOAD: usize = 48 * 1024;

/// Cores of this machine.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn heavy(at_once: usize, waiting: usize, patience: Duration) -> Arc<WorkPool> {
        Arc::new(WorkPool::new(PoolBounds { at_once, of_one: 1, waiting, max_wait: patience }))
    }

    /// A task that ends on a signal.
    fn held(heavy: &Arc<WorkPool>, tenant: Uuid) -> (mpsc::Sender<()>, tokio::task::JoinHandle<Result<(), NotDone>>) {
        let (end, told) = mpsc::channel();
        let heavy = Arc::clone(heavy);
        let piece = move || {
            let _ = told.recv();
        };
        (end, tokio::spawn(async move { heavy.run(tenant, piece).await }))
    }

    async fn until(happened: impl Fn() -> bool) {
        while !happened() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn one_tenant_leaves_a_place_to_the_others() {
        let heavy = heavy(2, 8, Duration::from_secs(60));
        let (first, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let pieces: Vec<_> = (0..5).map(|_| held(&heavy, first)).collect();
        until(|| heavy.tenant_queue(first).inside.available_permits() == 4).await;
        assert_eq!(heavy.run(other, || 7).await, Ok(7));
        for (end, piece) in pieces {
            end.send(()).unwrap();
            piece.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn a_full_line_says_so_at_once() {
        let heavy = heavy(2, 1, Duration::from_secs(60));
        let tenant = Uuid::from_u128(1);
        let (end, piece) = held(&heavy, tenant);
        let (end_of_next, next) = held(&heavy, tenant);
        until(|| heavy.tenant_queue(tenant).inside.available_permits() == 0).await;
        assert_eq!(heavy.run(tenant, || ()).await, Err(NotDone::Busy));
        for (end, piece) in [(end, piece), (end_of_next, next)] {
            end.send(()).unwrap();
            piece.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn whoever_waits_too_long_leaves_and_the_piece_keeps_its_place() {
        let heavy = heavy(1, 1, Duration::from_millis(20));
        let tenant = Uuid::from_u128(1);
        let (end, piece) = held(&heavy, tenant);
        assert_eq!(piece.await.unwrap(), Err(NotDone::Busy));
        assert_eq!(heavy.run(tenant, || ()).await, Err(NotDone::Busy), "the first is still under way");
        drop(end);
        until(|| heavy.places.available_permits() == 1).await;
        assert_eq!(heavy.run(tenant, || 7).await, Ok(7));
    }

    #[test]
    fn a_note_of_a_few_items_is_small_and_one_of_hundreds_is_big() {
        let nota = |items: usize| {
            let item = serde_json::json!({ "cProd": "1", "xProd": "Caderno 96 folhas", "vProd": "100.00", "icms": { "orig": 0, "CST": "00" } });
            Value::Array(vec![item; items])
        };
        let big = |value: Value| is_big(&Map::from_iter([("nota".to_owned(), value)]));
        assert!(!big(nota(20)) && big(nota(990)));
        assert!(big(Value::String("x".repeat(100_000))));
        assert!(big(Value::Array(vec![Value::Null; 10_000])));
    }

    #[tokio::test]
    async fn a_use_case_is_carried_with_the_request_it_belongs_to() {
        let heavy = heavy(1, 1, Duration::from_secs(60));
        let case = origin::within("r1".to_owned(), heavy.run_use_case(Uuid::nil(), async { origin::request_id() }));
        assert_eq!(case.await, Ok(Some("r1".to_owned())));
    }

    #[tokio::test]
    async fn a_piece_that_falls_over_gives_its_place_back() {
        let heavy = heavy(1, 1, Duration::from_secs(60));
        let tenant = Uuid::from_u128(1);
        assert_eq!(heavy.run(tenant, || panic!("a test")).await, Err(NotDone::Broken));
        assert_eq!(heavy.run(tenant, || 7).await, Ok(7));
    }
}
