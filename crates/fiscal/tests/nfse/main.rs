//! The national NFS-e: golden cases, their validation by libxml2, and the answers to payloads.
#![expect(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

#[path = "../cases/nfse_broken.rs"]
mod broken;
#[path = "../cases/nfse.rs"]
mod cases;
mod event;
mod foreseen;
mod golden;
mod nt009;
#[path = "../cases/patch.rs"]
mod patch;
mod payload;
mod rules;
