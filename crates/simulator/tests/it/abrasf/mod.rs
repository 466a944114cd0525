//! The simulated municipal providers and a foreign client: messages written here by hand, signed by the product, sent
//! over TLS.

mod bench;
mod faults;
mod govdigital;
mod lots;
mod odd;
mod rows;
mod rules;
mod wire;
