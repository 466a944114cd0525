//! The simulator over real TLS and SOAP, as a client of an authority meets it.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must stop")]

mod abrasf;
mod authorize;
mod bench;
mod cadastro;
mod cancel;
mod control;
mod coverage;
mod cte;
mod distribution;
mod events;
mod faults;
mod federal;
mod foreign;
mod late;
mod lost;
mod manifest;
mod message;
mod nfce;
mod nfse;
mod odd;
mod query;
mod raw;
mod receipt;
mod reform;
mod registry;
mod retail;
mod schemas;
mod signature;
mod sped;
mod transmitter;
mod void;
