//! A document to what people see: barcodes today, printed forms later. Pure and deterministic: same input, same output.
//!
//! Must not know: database, network, clock.

pub mod barcode;
