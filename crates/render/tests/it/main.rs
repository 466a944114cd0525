//! Appearance of the forms, checked by the position of every mark.
#![expect(clippy::disallowed_methods, reason = "golden documents are read from disk")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod complete;
mod dacte;
mod danfse;
mod defects;
mod documents;
mod eyes;
mod fate;
mod first_sheet;
mod geometry;
mod judges;
mod legible;
mod municipal;
mod mutated;
mod printer;
mod registered;
mod shown;
mod sums;
