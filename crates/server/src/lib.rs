//! The service: REST edge, MCP, panel, documentation, wiring.
//!
//! Reading order: `routes` (every route on one page), `api::envelope` (the layers around a request), then a resource
//! such as `api::nfe`. `service` starts the parts. The command line and the configuration belong to the program,
//! `carimbo`.
//! Must not know: any fiscal decision, those are the engine's and below; the simulator of the authorities.

mod api;
mod app;
pub mod edge;
mod http;
mod in_flight;
pub mod key;
mod limits;
mod mcp;
pub mod oidc;
mod painel;
pub mod password;
mod rate_limiter;
mod resources;
mod route;
mod router;
mod routes;
mod second_factor;
pub mod service;
mod status_cache;
mod telemetry;
mod token;
mod webhook_settings;

pub use app::{ServiceLimits, UnverifiedFeatures};
pub use limits::{AccountLimits, LoginLimits};
pub use telemetry::start_logs;
pub use webhook_settings::WebhookSettings;

/// A request is thousands of small strings and maps: measurement in `docs/benchmarks.md`, reasons in
/// `docs/decisions/performance.md`. Every allocation of the program is compiled into this crate, so it must be an
/// optimised one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Version of the service.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Commit of the build, when the build names it.
pub const COMMIT: &str = match option_env!("CARIMBO_COMMIT") {
    Some(commit) => commit,
    None => "desconhecido",
};
