//! Telemetry of the process: logs on stderr (text or JSON) and Prometheus metrics.
//!
//! Rule: never a key, a password, a certificate or a body. Fields are dotted and have one name everywhere.

pub(crate) mod gauges;
mod json;
mod names;

use std::io::IsTerminal as _;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Starts the logs of the process; a second call changes nothing.
pub fn start_logs(json: bool, level: &str) {
    let filter: Targets =
        format!("{level},hyper=warn,hyper_util=warn,h2=warn,tokio_postgres=warn").parse().unwrap_or_default();
    let colours = std::io::stderr().is_terminal();
    let lines = match json {
        true => json::JsonLines.boxed(),
        // a log line for a full disk is lost; reporting that on the same stderr would end the logging thread
        false => tracing_subscriber::fmt::layer()
            .with_writer(std::io::stderr)
            .with_ansi(colours)
            .log_internal_errors(false)
            .boxed(),
    };
    // a second subscriber in one process (tests) is refused by the library, and that is fine
    let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
}

/// The process's metrics; the recorder is made once.
pub(crate) fn metrics() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE.get_or_init(|| install_recorder().inspect(|_| register_metrics())).as_ref()
}

/// Describes every metric, and writes a zero for counters that alerts watch for an increase.
fn register_metrics() {
    names::describe();
    engine::begin_counters();
    crate::http::begin_counters();
}

/// Buckets rather than quantiles: only they can be added up over processes.
fn install_recorder() -> Option<PrometheusHandle> {
    PrometheusBuilder::new().set_buckets(&SECONDS).ok()?.install_recorder().ok()
}

const SECONDS: [f64; 13] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];
