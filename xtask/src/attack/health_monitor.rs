//! Monitor of `/health`: new connections from its own address, as a load balancer makes them.

use crate::lab::client::LabClient;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The monitor's thread.
pub(super) struct HealthMonitor {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<HealthSamples>,
}

/// Times of the answers, and the number of failures.
#[derive(Default)]
pub(super) struct HealthSamples {
    times: Vec<Duration>,
    pub(super) failed: usize,
}

impl HealthMonitor {
    pub(super) fn start(api: &str) -> HealthMonitor {
        let stop = Arc::new(AtomicBool::new(false));
        let (api, stopped) = (api.to_owned(), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let mut health = HealthSamples::default();
            while !stopped.load(Ordering::Relaxed) {
                health.sample_health(&api);
                std::thread::sleep(EVERY);
            }
            health.times.sort_unstable();
            health
        });
        HealthMonitor { stop, thread }
    }

    pub(super) fn stop(self) -> HealthSamples {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_else(|_| HealthSamples { times: Vec::new(), failed: usize::MAX })
    }
}

impl HealthSamples {
    fn sample_health(&mut self, api: &str) {
        let began = Instant::now();
        let answer = LabClient::from(api, "", WATCHER).and_then(|mut client| client.send("GET", "/health", b""));
        match answer {
            Ok(answer) if answer.status == 200 => self.times.push(began.elapsed()),
            _ => self.failed = self.failed.saturating_add(1),
        }
    }

    /// Returns the number of answers.
    pub(super) fn answered(&self) -> usize {
        self.times.len()
    }

    /// Returns the slowest answer.
    pub(super) fn longest(&self) -> Duration {
        self.times.last().copied().unwrap_or_default()
    }

    /// Returns the time below which `percent` of the answers lie.
    pub(super) fn percentile(&self, percent: usize) -> Duration {
        let last = self.times.len().saturating_sub(1);
        self.times.get(last * percent / 100).copied().unwrap_or_default()
    }
}

/// Differs from the attackers' addresses, which the service may block.
const WATCHER: Ipv4Addr = Ipv4Addr::new(127, 99, 0, 1);
const EVERY: Duration = Duration::from_millis(20);
