//! The printed forms: from a stored document alone to marks on sheets.
//!
//! Law: MOC 7.0, Anexo II; NT 2026.010; DANFE NFC-e manual. Must not know: PDF, where a document is kept, what time it is.

pub mod danfe;
pub mod event;
mod grid;
mod note;
pub mod receipt;
pub mod value;

pub use note::{Note, Unreadable};
