//! End to end: server and simulator in process on loopback, only HTTP in and out. `suites` is laid out like
//! the routes; `support` is what suites stand on.
//!
//! The database is chosen by `TEST_STORE=sqlite|postgres` (default sqlite); postgres needs `TEST_DATABASE_URL`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail the test where they stand"
)]

mod suites;
mod support;
