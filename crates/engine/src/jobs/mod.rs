//! Operations of callers on a registered job: its end, its files and printed form, a retry, its withdrawal.

pub mod contents;
pub mod print;
pub mod query;
pub mod reprocess;
mod wait;
pub mod withdraw;
