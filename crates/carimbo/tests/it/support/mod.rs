//! Ground of the suites: service and database of a test, the caller, request bodies, judges from outside.

pub(crate) mod app;
pub(crate) mod authorities;
pub(crate) mod body;
pub(crate) mod browser;
pub(crate) mod client;
pub(crate) mod contract;
#[path = "../../databases/copy.rs"]
pub(crate) mod copy;
pub(crate) mod database;
pub(crate) mod installation;
pub(crate) mod judge;
pub(crate) mod municipal_services;
pub(crate) mod provider;
pub(crate) mod public_registers;
pub(crate) mod quotas;
pub(crate) mod received;
pub(crate) mod recipes;
pub(crate) mod retail;
pub(crate) mod second_factor;
pub(crate) mod services;
pub(crate) mod source;
pub(crate) mod transports;
pub(crate) mod users;
