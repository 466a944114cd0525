//! The engine whole: real store (both databases), real simulator over real TLS, real worker. Only clocks are ours.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod acceptance;
mod cancellation;
mod certificates;
mod clock;
mod consult;
mod contingency;
mod correction;
mod faults;
mod hammered;
mod house;
mod issued;
mod nota;
mod numbers;
mod offline;
mod received;
mod removal;
mod restart;
mod restored;
mod services;
mod silence;
mod void;
