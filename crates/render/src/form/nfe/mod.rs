//! Forms of an NF-e and of an NFC-e, which share one layout: sheets, a label or a receipt.
//!
//! Law: MOC 7.0, Anexo II; NT 2026.010; DANFE NFC-e manual.

pub mod danfe;
mod label;
mod payment;
pub mod receipt;
pub mod sum;

use super::FormKind;
use super::dfe::{Dfe, DocumentTags, FormError};
use super::options::PrintOptions;
use crate::paper::Sheet;

/// Model 55 and model 65.
pub(super) static FORM: FormKind = FormKind {
    words: DocumentTags {
        root: "NFe",
        inf: "infNFe",
        id: "NFe",
        protocol: "protNFe/infProt",
        qr_code: "infNFeSupl/qrCode",
        number: "ide/nNF",
        offline: "9",
        on_security_paper: &["2", "5"],
        ending: 'A',
    },
    title,
    sheets,
    receipt,
};

/// Form of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoteForm {
    /// A4 sheets.
    Danfe,
    /// DANFE Simplificado, a label (`tpImp` 3).
    Label,
    /// A receipt: model 65, and DANFE Simplificado Tipo 2 (`tpImp` 6).
    Receipt,
}

impl NoteForm {
    fn of(note: Dfe<'_>) -> NoteForm {
        match (note.text("ide/mod"), note.text("ide/tpImp")) {
            ("65", _) | (_, "6") => NoteForm::Receipt,
            (_, "3") => NoteForm::Label,
            _ => NoteForm::Danfe,
        }
    }
}

fn title(note: Dfe<'_>) -> &'static str {
    match NoteForm::of(note) {
        NoteForm::Danfe => "DANFE",
        NoteForm::Label => "DANFE Simplificado",
        NoteForm::Receipt => receipt::title(note),
    }
}

fn sheets<'x>(note: Dfe<'x>, options: &'x PrintOptions) -> Result<Vec<Sheet<'x>>, FormError> {
    match NoteForm::of(note) {
        NoteForm::Danfe => danfe::sheets(note, options),
        NoteForm::Label => Ok(label::sheets(note, options)),
        NoteForm::Receipt => receipt::sheets(note, options),
    }
}

fn receipt(note: Dfe<'_>, options: &PrintOptions) -> Result<Option<Vec<u8>>, FormError> {
    match NoteForm::of(note) {
        NoteForm::Receipt => receipt::escpos(note, options).map(Some),
        NoteForm::Danfe | NoteForm::Label => Ok(None),
    }
}
