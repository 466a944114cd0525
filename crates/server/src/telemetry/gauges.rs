//! Metrics that are sampled at an interval: the queue, the store, certificates, deadlines, the process itself.
//!
//! Several collectors may read the page of metrics, so queries over tables run on our own interval and not per reading.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use engine::Engine;
use metrics::{counter, gauge};
use store::authorities::CircuitState;
use store::load::{CertificateCounts, WaitingWork};

/// Interval of the samples.
pub(crate) const EVERY: Duration = Duration::from_secs(15);
/// Interval of the log line about expiring certificates.
const REMINDED_EVERY: Duration = Duration::from_secs(86_400);

/// Takes samples, and warns of certificates that are about to stop their companies from issuing.
pub(crate) struct Sampler {
    engine: Engine,
    reminded: Option<Instant>,
}

impl Sampler {
    pub(crate) fn of(engine: Engine) -> Sampler {
        Sampler { engine, reminded: None }
    }

    /// Takes a sample. A gauge whose source cannot be read keeps its last value; `carimbo_database_up` shows that.
    pub(crate) async fn record_sample(&mut self) {
        build();
        process();
        self.connections();
        let (store, now) = (self.engine.store().clone(), self.engine.now_s());
        let reads = match store.queue_depth(now).await {
            Ok(depth) => {
                gauge!("carimbo_queue_pending").set(float(depth.pending));
                gauge!("carimbo_queue_processing").set(float(depth.processing));
                gauge!("carimbo_queue_oldest_seconds").set(float(depth.oldest_s));
                true
            }
            Err(_) => false,
        };
        gauge!("carimbo_database_up", "operation" => "read").set(truth(reads));
        gauge!("carimbo_database_up", "operation" => "write").set(truth(reads && self.engine.can_write().await));
        if let Ok((pending, oldest_s)) = store.delivery_backlog(now).await {
            gauge!("carimbo_webhooks_pending").set(float(pending));
            gauge!("carimbo_webhooks_oldest_seconds").set(float(oldest_s));
        }
        if let Ok((pending, oldest_s)) = store.mail_backlog(now).await {
            gauge!("carimbo_emails_pending").set(float(pending));
            gauge!("carimbo_emails_oldest_seconds").set(float(oldest_s));
        }
        if let Ok(waiting) = store.waiting_work(now).await {
            self.waiting(waiting, now);
        }
        if let Ok(overview) = store.authorities(now).await {
            let open = overview.circuits.iter().filter(|circuit| circuit.state != CircuitState::Closed).count();
            gauge!("carimbo_circuits_open").set(float(open));
            gauge!("carimbo_undue_use_blocks").set(float(overview.blocks.len()));
        }
    }

    fn waiting(&mut self, waiting: WaitingWork, now: i64) {
        gauge!("carimbo_documents_in_doubt").set(float(waiting.in_doubt));
        gauge!("carimbo_contingency_waiting").set(float(waiting.given_out));
        // NaN where there is none: a comparison with it raises no alert
        let left = |until: Option<i64>| until.map_or(f64::NAN, |until| seconds(until - now));
        gauge!("carimbo_contingency_deadline_seconds").set(left(waiting.deadline));
        let CertificateCounts { expired, within_7_days, within_30_days, later, first } = waiting.certificates;
        for (validity, count) in
            [("expirado", expired), ("7_dias", within_7_days), ("30_dias", within_30_days), ("valido", later)]
        {
            gauge!("carimbo_certificates", "validade" => validity).set(float(count));
        }
        gauge!("carimbo_certificate_expiry_seconds").set(left(first));
        let due = expired + within_7_days > 0;
        if due && self.reminded.is_none_or(|at| at.elapsed() >= REMINDED_EVERY) {
            self.reminded = Some(Instant::now());
            tracing::warn!(expired, within_7_days, "certificates have expired or will: their companies stop issuing");
        }
    }

    fn connections(&self) {
        let load = self.engine.store().current_load();
        for (state, count) in [("in_use", load.in_use), ("idle", load.idle), ("waiting", load.waiting)] {
            gauge!("carimbo_store_connections", "state" => state).set(float(count));
        }
        if let Some(writer) = load.writer {
            gauge!("carimbo_store_writer_queue").set(float(writer.queued));
            counter!("carimbo_store_commits_total").absolute(writer.commits);
            counter!("carimbo_store_operations_total").absolute(writer.operations);
        }
    }
}

fn build() {
    gauge!("carimbo_build_info", "version" => crate::VERSION, "commit" => crate::COMMIT).set(1.0);
}

/// Process metrics under the names that exporters share. Absent where there is no `/proc`.
fn process() {
    static STARTED: LazyLock<f64> = LazyLock::new(|| float(jiff::Timestamp::now().as_second()));
    gauge!("process_start_time_seconds").set(*STARTED);
    let line = |file: &str, name: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_whitespace().find_map(|word| word.parse::<u32>().ok())
    };
    if let Some(kilobytes) = line("/proc/self/status", "VmRSS:") {
        #[expect(clippy::float_arithmetic, reason = "bytes of memory, whole numbers far below where a float rounds")]
        let bytes = f64::from(kilobytes) * 1024.0;
        gauge!("process_resident_memory_bytes").set(bytes);
    }
    if let Some(threads) = line("/proc/self/status", "Threads:") {
        gauge!("process_threads").set(f64::from(threads));
    }
    if let Some(most) = line("/proc/self/limits", "Max open files") {
        gauge!("process_max_fds").set(f64::from(most));
    }
    if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
        gauge!("process_open_fds").set(float(open.count()));
    }
}

fn truth(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

/// Gauges are floats; our counts and seconds are far below the limit of exact integers.
fn float(count: impl TryInto<u32>) -> f64 {
    f64::from(count.try_into().unwrap_or(u32::MAX))
}

/// Seconds, clamped to the range of `i32` (68 years).
fn seconds(count: i64) -> f64 {
    f64::from(i32::try_from(count).unwrap_or(if count < 0 { i32::MIN } else { i32::MAX }))
}
