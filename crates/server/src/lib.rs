//! The service as a process: REST edge, configuration, commands, wiring.
//!
//! Reading order: `router` (every route on one page), `api::envelope` (what surrounds a request), then a resource such as
//! `api::nfe`. `service` starts the parts, `cli` is what an operator types, `demo` the first five minutes of every user.
//! Must not know: any fiscal decision; those are the engine's and below.

mod api;
mod app;
pub mod cli;
mod config;
mod demo;
pub mod edge;
mod http;
mod intake;
mod key;
pub mod mcp;
mod painel;
mod password;
mod router;
pub mod service;
mod telemetry;
mod token;
mod webhooks;

pub use app::{Limits, Opened};
pub use webhooks::Webhooks;

/// Version of the service.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit it was built from, when who built it said so.
pub const COMMIT: &str = match option_env!("CARIMBO_COMMIT") {
    Some(commit) => commit,
    None => "desconhecido",
};
