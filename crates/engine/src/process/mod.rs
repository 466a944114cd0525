//! Parts of a process that know no use case: clock, randomness, threads for heavy work, crash points, heartbeat.
//! Must not know: documents, authorities, jobs.

pub(crate) mod background_task;
pub(crate) mod backoff;
pub mod clock;
pub(crate) mod cpu_time;
pub mod crash;
pub(crate) mod heartbeat;
pub(crate) mod job_waiters;
pub mod json;
pub(crate) mod leases;
pub mod local_time;
pub mod origin;
pub(crate) mod outage_log;
pub mod randomness;
pub mod work_pool;
