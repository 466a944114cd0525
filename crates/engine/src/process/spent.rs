//! What the work of a job costs this process: processor time by station, so that a measurement (`bench document`) and an operator see where it goes.
//!
//! A station within another one counts for itself only. What runs on other threads for it (connections, the writer of SQLite) is not counted here.

use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

thread_local! {
    /// What the stations within the one that runs have had of this thread.
    static WITHIN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Runs a station, and counts the processor time of it.
pub(crate) async fn at<T>(station: &'static str, running: impl Future<Output = T>) -> T {
    let mut running = pin!(running);
    let mut spent = Duration::ZERO;
    let ended = poll_fn(|context| {
        let (others, began) = (WITHIN.take(), processor_time());
        let polled = running.as_mut().poll(context);
        let took = processor_time().saturating_sub(began);
        spent += took.saturating_sub(WITHIN.get());
        WITHIN.set(others + took);
        polled
    })
    .await;
    metrics::histogram!("carimbo_station_processor_seconds", "station" => station).record(spent);
    ended
}

/// What this thread has had of a processor.
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

    /// What `running` had of the thread, with what stations within it had.
    fn measured<T>(running: impl Future<Output = T>) -> (Duration, T) {
        WITHIN.set(Duration::ZERO);
        let mut running = pin!(running);
        let polled = running.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
        let std::task::Poll::Ready(made) = polled else { panic!("it waits for nothing") };
        (WITHIN.take(), made)
    }

    #[test]
    fn what_a_station_spends_is_told_to_the_one_around_it() {
        let inner = Duration::from_millis(20);
        let (whole, ()) = measured(async {
            at("outer", async {
                busy(inner);
                at("inner", async { busy(inner) }).await;
            })
            .await;
        });
        assert!(whole >= 2 * inner, "{whole:?}");
    }
}
