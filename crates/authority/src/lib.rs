//! Authorities: tables of their addresses, calls and replies as pure functions, and the only HTTPS transport.
//!
//! Must not know: database, jobs, tenants. It never retries.

pub mod abrasf;
pub mod answer;
pub mod call;
mod gzip_text;
pub mod nfse_nacional;
pub mod sefaz;
pub mod table;
pub mod transport;
pub mod wire;
