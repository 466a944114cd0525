//! The national NFS-e over mutual TLS: the product's connector and the simulated Sefin.

mod acts;
mod bench;
mod book;
#[path = "../../../../fiscal/tests/cases/nfse_broken.rs"]
#[expect(dead_code, reason = "the fields that a caller reads are the business of who builds")]
mod broken;
#[path = "../../../../fiscal/tests/cases/nfse.rs"]
mod cases;
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
