//! The printed forms: from a stored document alone to marks on sheets, or to the bytes of a receipt printer.
//!
//! Law: MOC 7.0, Anexo II; NT 2026.010; DANFE NFC-e manual. Must not know: PDF, where a document is kept, what time it is.

pub mod danfe;
pub mod event;
mod grid;
mod label;
mod mark;
mod note;
mod options;
mod payment;
pub mod receipt;
mod roll;
mod stored;
pub mod sum;
pub mod value;

pub use note::{Note, Unreadable};
pub use options::{Epec, Layout, Options, Paper, Standing};
pub use stored::{Document, Element};

use crate::paper::Sheet;
use crate::pdf::{self, picture::Picture};

/// Which form a document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A4 sheets.
    Danfe,
    /// DANFE Simplificado, a label (`tpImp` 3).
    Label,
    /// A strip: model 65, and DANFE Simplificado Tipo 2 (`tpImp` 6).
    Receipt,
}

impl Kind {
    /// By model and `tpImp`.
    pub fn of(note: Note<'_>) -> Kind {
        match (note.text("ide/mod"), note.text("ide/tpImp")) {
            ("65", _) | (_, "6") => Kind::Receipt,
            (_, "3") => Kind::Label,
            _ => Kind::Danfe,
        }
    }
}

/// The form of a stored NF-e or NFC-e (`nfeProc`, `NFe`) as a PDF.
pub fn pdf(xml: &[u8], options: &Options) -> Result<Vec<u8>, Unreadable> {
    let document = Document::read(xml)?;
    let note = Note::of(&document)?.standing(&options.standing);
    let logo: &[Picture] = options.logo.as_slice();
    let (title, sheets) = match Kind::of(note) {
        Kind::Danfe => ("DANFE", danfe::sheets(note, options)?),
        Kind::Label => ("DANFE Simplificado", label::sheets(note, options)),
        Kind::Receipt => (receipt::title(note), receipt::sheets(note, options)?),
    };
    Ok(pdf::write(format!("{title} {}", note.chave()).trim_end(), &sheets, logo))
}

/// The sheets of a document's form.
pub fn sheets<'x>(note: Note<'x>, options: &'x Options) -> Result<Vec<Sheet<'x>>, Unreadable> {
    match Kind::of(note) {
        Kind::Danfe => danfe::sheets(note, options),
        Kind::Label => Ok(label::sheets(note, options)),
        Kind::Receipt => receipt::sheets(note, options),
    }
}

/// The receipt of a stored document for a printer that speaks ESC/POS; `None` when its form is no receipt.
pub fn escpos(xml: &[u8], options: &Options) -> Result<Option<Vec<u8>>, Unreadable> {
    let document = Document::read(xml)?;
    let note = Note::of(&document)?.standing(&options.standing);
    if Kind::of(note) != Kind::Receipt {
        return Ok(None);
    }
    receipt::escpos(note, options).map(Some)
}
