//! The binary as an operator runs it: commands, logs, copies of the database.

mod commands;
mod dados;
mod demo;
mod full_disk;
mod logs;
mod restored;
mod secrets;
mod serve;
