//! Samples and their median. Disturbance by other processes shows in the mean and hardly in the median.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// Repeated measurements of one time.
#[derive(Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    /// Runs `work` once and records the wall-clock time: for work that waits for another process.
    pub(crate) fn clock<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let made = std::hint::black_box(work());
        self.0.push(began.elapsed());
        made
    }

    /// Runs `work` once and records its processor time. Returns its result, so that nothing is optimised away.
    pub(crate) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = processor_time();
        let made = std::hint::black_box(work());
        self.0.push(processor_time().saturating_sub(began));
        made
    }

    /// Adds a time measured elsewhere.
    pub(crate) fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Returns the time below which `percent` of the samples lie.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }
}

/// Returns the processor time of this thread, in user and kernel mode. Time in which other processes run is not
/// counted.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns `a / b`.
pub(crate) fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// Formats a time as `1.234 ms`.
pub(crate) fn ms(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}

pub(crate) fn per_second(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}
