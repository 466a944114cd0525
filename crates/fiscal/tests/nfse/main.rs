//! The national NFS-e: golden cases, their validation by libxml2, and the answers to payloads.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

mod event;
mod foreseen;
mod golden;
mod nt009;
mod payload;
mod rules;
