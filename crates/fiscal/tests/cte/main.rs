//! CT-e and CT-e OS: the golden cases, the notices and violations of payloads, and events against their schemas.
#![expect(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

#[path = "../cases/cte_broken.rs"]
mod broken;
#[path = "../cases/cte.rs"]
mod cases;
mod events;
mod foreseen;
mod golden;
mod lint;
#[path = "../cases/patch.rs"]
mod patch;
mod payload;
mod year;
