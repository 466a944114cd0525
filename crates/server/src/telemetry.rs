//! What the process says of itself: logs on stderr (text or JSON) and Prometheus metrics.
//!
//! Rule: never a key, a password, a certificate or a body. Fields are dotted and the same everywhere (`style.md` §3.6).

mod json;

use std::io::IsTerminal as _;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

/// Starts the logs of the process; a second call changes nothing.
pub(crate) fn start_logs(json: bool, level: &str) {
    let filter =
        EnvFilter::try_new(format!("{level},hyper=warn,hyper_util=warn,h2=warn,rustls=warn,tokio_postgres=warn"))
            .unwrap_or_default();
    let colours = std::io::stderr().is_terminal();
    let lines = match json {
        true => json::JsonLines.boxed(),
        false => tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colours).boxed(),
    };
    // a second subscriber in one process (tests) is refused by the library, and that is fine
    let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
}

/// The process's metrics; the recorder is made once.
pub(crate) fn metrics() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE.get_or_init(|| install_recorder().inspect(|_| describe())).as_ref()
}

/// Buckets rather than quantiles: only they can be added up over processes.
fn install_recorder() -> Option<PrometheusHandle> {
    PrometheusBuilder::new().set_buckets(&SECONDS).ok()?.install_recorder().ok()
}

fn describe() {
    metrics::describe_counter!("carimbo_http_requests_total", "Requisições atendidas, por método, rota e status");
    metrics::describe_histogram!("carimbo_http_request_seconds", metrics::Unit::Seconds, "Duração das requisições");
    metrics::describe_gauge!("carimbo_queue_pending", "Operações prontas ou à espera");
    metrics::describe_gauge!("carimbo_queue_processing", "Operações em andamento");
    metrics::describe_gauge!(
        "carimbo_queue_oldest_seconds",
        metrics::Unit::Seconds,
        "Espera da operação pronta mais antiga"
    );
}

const SECONDS: [f64; 12] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
