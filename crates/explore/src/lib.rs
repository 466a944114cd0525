//! Explores the engine: the real engine and store against a model of the authorities, in one thread under virtual time,
//! from a seed.
//!
//! A run draws some sales, troubles every message, ends processes and turns clocks; then trouble stops, and a judge
//! compares what callers were given with what the authorities hold. Must not know: HTTP, TLS, the simulator.

pub mod authority;
pub mod dice;
pub mod faults;
pub mod house;
pub mod judge;
pub mod machine;
pub mod network;
pub mod run;
pub mod sale;
pub mod time;
pub mod world;

pub use run::{Options, Outcome, explore};
