//! Barcodes and printed forms of documents. Pure and deterministic: same input, same output.
//!
//! `form` puts marks on sheets (`paper`), `pdf` writes the sheets as a file.
//!
//! Must not know: database, network, clock.

pub mod barcode;
pub mod form;
pub mod paper;
pub mod pdf;

mod opentype;
