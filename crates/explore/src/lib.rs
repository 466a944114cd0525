//! Explores the engine: the real engine and store against a model of the authorities, in one thread under virtual time,
//! from a seed.
//!
//! A run draws some sales, injects faults into messages, ends processes and moves clocks; then the faults stop, and a
//! checker compares the answers to callers with the documents of the authorities.
//! Must not know: HTTP, TLS, the simulator.

pub mod authority;
pub mod faults;
pub mod fixture;
pub mod machine;
pub mod network;
pub mod process_life;
pub mod promise_checker;
pub mod run;
pub mod run_environment;
pub mod run_random;
pub mod sale;
pub mod time;

pub use run::{RunOptions, RunOutcome, explore};
