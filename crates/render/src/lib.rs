//! A document to what people see: barcodes and printed forms. Pure and deterministic: same input, same output.
//!
//! `form` puts marks on sheets (`paper`), `pdf` writes the sheets down.
//! Must not know: database, network, clock.

pub mod barcode;
pub mod form;
pub mod paper;
pub mod pdf;

mod opentype;
