//! What a caller asks of a job that is registered: its end, its files and printed form, another try, its withdrawal.

pub mod print;
pub mod query;
pub mod reprocess;
mod wait;
pub mod withdraw;
