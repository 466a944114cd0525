//! The national NFS-e over mutual TLS: the product's connector and the simulated Sefin.

mod acts;
mod bench;
mod book;
mod distribution;
mod envelope;
mod events;
mod faults;
mod golden;
mod january;
mod knowledge;
mod leiautes;
mod odd;
mod parameters;
mod query;
mod rules;
mod shapes;
mod tool;
