//! The service: REST edge, MCP, panel, documentation, wiring.
//!
//! Reading order: `router` (every route on one page), `api::envelope` (what surrounds a request), then a resource such
//! as `api::nfe`. `service` starts the parts. What an operator types and sets is the program's, `carimbo`.
//! Must not know: any fiscal decision, those are the engine's and below; who plays the authorities.

mod api;
mod app;
pub mod edge;
mod http;
mod intake;
pub mod key;
mod limits;
pub mod mcp;
mod painel;
pub mod password;
mod resources;
mod router;
pub mod service;
mod telemetry;
mod token;
mod webhooks;

pub use app::{Limits, Opened};
pub use limits::{AccountLimits, LoginLimits};
pub use telemetry::start_logs;
pub use webhooks::Webhooks;

/// A request is thousands of small strings and maps: measured in `docs/benchmarks.md`, reasons in `docs/decisions.md`.
/// Every allocation of the program goes through what is compiled here, so it stands in no crate that is not optimised.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Version of the service.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit it was built from, when who built it said so.
pub const COMMIT: &str = match option_env!("CARIMBO_COMMIT") {
    Some(commit) => commit,
    None => "desconhecido",
};
