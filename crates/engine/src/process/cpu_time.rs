//! Processor time of a job's work by stage, so that a measurement (`bench document`) and an operator see where it goes.
//!
//! A stage within another counts for itself only. Work on other threads (connections, the writer of SQLite) is not
//! counted. Reading a thread's time costs as much as a step of the work, and each stage is entered and left often, so
//! only a sample of the stages is measured and weighted.

use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

/// Count of stages of which one is measured.
const SAMPLING_RATE: usize = 8;

thread_local! {
    /// State of the running stage of this thread: `Some` time of the stages nested in it when it is measured.
    static NESTED: Cell<Option<NestedTime>> = const { Cell::new(None) };
    /// State of this thread's pseudo-random series.
    static CHANCE: Cell<u64> = const { Cell::new(0) };
}

#[derive(Clone, Copy)]
struct NestedTime(Option<Duration>);

/// The enclosing stage. Restored on drop, also by a panic.
struct OuterStage(Option<NestedTime>);

impl OuterStage {
    fn is_measured(&self) -> Option<bool> {
        self.0.map(|NestedTime(within)| within.is_some())
    }

    /// Adds the time of a nested stage.
    fn add_nested(&mut self, took: Duration) {
        if let Some(NestedTime(Some(within))) = &mut self.0 {
            *within += took;
        }
    }
}

impl Drop for OuterStage {
    fn drop(&mut self) {
        NESTED.set(self.0);
    }
}

/// Runs a future as a stage and records its processor time.
pub(crate) async fn measure<T>(station: &'static str, running: impl Future<Output = T>) -> T {
    let mut running = pin!(running);
    let mut spent = StageTime::default();
    let ended = poll_fn(|context| spent.run_measured(|| running.as_mut().poll(context))).await;
    spent.record(station);
    ended
}

/// Runs a closure as a stage and records its processor time.
pub(crate) fn measure_sync<T>(station: &'static str, work: impl FnOnce() -> T) -> T {
    let mut spent = StageTime::default();
    let made = spent.run_measured(work);
    spent.record(station);
    made
}

/// Processor time of one stage so far.
#[derive(Default)]
struct StageTime {
    /// Drawn at the first run.
    is_measured: Option<bool>,
    time: Duration,
}

impl StageTime {
    fn run_measured<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let mut around = OuterStage(NESTED.get());
        // a nested stage is measured with its outer one, or the outer would count the time of both
        let is_measured = *self.is_measured.get_or_insert_with(|| around.is_measured().unwrap_or_else(is_drawn));
        NESTED.set(Some(NestedTime(is_measured.then_some(Duration::ZERO))));
        let began = is_measured.then(processor_time);
        let made = work();
        if let Some(began) = began {
            let took = processor_time().saturating_sub(began);
            self.time += took.saturating_sub(nested_time());
            around.add_nested(took);
        }
        made
    }

    fn record(self, station: &'static str) {
        if self.is_measured == Some(true) {
            metrics::histogram!("carimbo_station_processor_seconds", "station" => station)
                .record_many(self.time, SAMPLING_RATE);
        }
    }
}

/// Time of the stages nested in the one that ran.
fn nested_time() -> Duration {
    NESTED.get().and_then(|NestedTime(within)| within).unwrap_or_default()
}

/// Draws at random: stages follow each other in a fixed order, so that every eighth would always be the same one. The
/// series is Knuth's.
fn is_drawn() -> bool {
    let next = CHANCE.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    CHANCE.set(next);
    (next >> 33).is_multiple_of(SAMPLING_RATE as u64)
}

/// Processor time of this thread.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(least: Duration) {
        let began = processor_time();
        while processor_time().saturating_sub(began) < least {
            std::hint::spin_loop();
        }
    }

    /// Processor time of `running` with the stages nested in it, inside a stage that is measured or not.
    fn measured<T>(is_measured: bool, running: impl Future<Output = T>) -> (Option<Duration>, T) {
        NESTED.set(Some(NestedTime(is_measured.then_some(Duration::ZERO))));
        let mut running = pin!(running);
        let polled = running.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
        let std::task::Poll::Ready(made) = polled else { panic!("it waits for nothing") };
        (NESTED.take().and_then(|NestedTime(within)| within), made)
    }

    #[test]
    fn what_a_station_spends_is_told_to_the_one_around_it() {
        let inner = Duration::from_millis(20);
        let both = || async {
            measure("outer", async {
                busy(inner);
                measure("inner", async { busy(inner) }).await;
            })
            .await;
        };
        let (whole, ()) = measured(true, both());
        assert!(whole.is_some_and(|whole| whole >= 2 * inner), "{whole:?}");
        let (whole, ()) = measured(false, both());
        assert_eq!(whole, None, "nothing is asked for");
    }

    #[test]
    fn one_of_some_is_drawn_in_no_order() {
        let drawn: Vec<bool> = std::iter::repeat_with(is_drawn).take(4_000).collect();
        for every in 0..4 {
            let count = drawn.iter().skip(every).step_by(4).filter(|drawn| **drawn).count();
            assert!((75..=175).contains(&count), "{count} of 1000 of the stations that come fourth");
        }
    }
}
