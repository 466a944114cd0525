//! Tests of the store on both databases: SQLite in a folder of its own, PostgreSQL in a database of its own.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod accounts;
mod analysis;
mod authorities;
mod authors;
mod claims;
mod clock;
mod companies;
mod concurrency;
mod confirmations;
mod connections;
mod crash;
mod emissions;
mod events;
mod exports;
mod followed;
mod hand;
mod inbox;
mod installation;
mod jobs;
mod load;
mod lookups;
mod migrations;
mod notes;
mod numbers;
mod quotas;
mod received;
mod reports;
mod roles;
mod sessions;
mod totals;
mod twin;
mod undo;
mod voids;
mod webhooks;
mod world;
