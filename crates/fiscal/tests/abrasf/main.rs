//! Municipal NFS-e: golden messages of every version, their validation by libxml2, the examples of the reference, and
//! the answers to payloads.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

mod golden;
mod payload;
