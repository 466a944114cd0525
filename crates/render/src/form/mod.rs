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

/// The form of a stored NF-e or NFC-e as a PDF: a DANFE, or a receipt for model 65 and for DANFE Simplificado Tipo 2 (`tpImp` 6).
pub fn pdf(xml: &[u8], options: &danfe::Options) -> Result<Vec<u8>, Unreadable> {
    let root = fiscal::xml::read(xml)?;
    let note = Note::of(&root)?;
    if note.text("ide/mod") == "65" || note.text("ide/tpImp") == "6" {
        return receipt::pdf(xml, receipt::Options { cancelled: options.cancelled, ..receipt::Options::default() });
    }
    danfe::pdf(xml, options)
}
