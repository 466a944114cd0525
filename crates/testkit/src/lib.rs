//! Fixtures of the suites: golden cases and documents that break rules, databases, keys.
//!
//! Tests alone depend on this crate. The golden files stand in `crates/fiscal/tests/golden`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "fixtures fail the test that asks for them")]

pub mod broken;
pub mod cases;
pub mod golden;
pub mod merge_patch;
pub mod model_database;
pub mod test_keys;
