//! Parts of a process that know no use case: clock, randomness, threads for heavy work, crash points, heartbeat.
//! Must not know: documents, authorities, jobs.

pub(crate) mod backoff;
pub(crate) mod chance;
pub mod clock;
mod crash;
pub mod heavy;
pub mod json;
pub(crate) mod leases;
pub mod local_time;
pub mod origin;
pub(crate) mod pulse;
pub(crate) mod put_down;
pub(crate) mod recent;
pub(crate) mod spent;
pub(crate) mod trouble;

pub use crash::crash_point;
