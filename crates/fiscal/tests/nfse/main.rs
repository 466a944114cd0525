//! The national NFS-e: golden cases, what libxml2 says of them, and what a payload is answered.
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
