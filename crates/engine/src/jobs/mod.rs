//! What a caller asks of a job that is registered: its files and printed form, another try, its withdrawal.

pub mod print;
pub mod query;
pub mod reprocess;
pub mod withdraw;
