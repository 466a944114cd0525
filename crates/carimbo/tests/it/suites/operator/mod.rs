//! The binary as an operator runs it: commands, logs, copies of the database, alerts.

mod alerts;
mod commands;
pub(super) mod dados;
mod demo;
mod full_disk;
mod logs;
mod restored;
mod secrets;
pub(super) mod serve;
