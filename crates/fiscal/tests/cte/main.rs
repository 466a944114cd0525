//! CT-e and CT-e OS: the golden cases, the notices and violations of payloads, and events against their schemas.
#![expect(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

mod events;
mod foreseen;
mod golden;
mod lint;
mod payload;
mod year;
