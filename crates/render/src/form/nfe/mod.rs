//! Forms of an NF-e and of an NFC-e, which share one layout: sheets, a label or a receipt.
//!
//! Law: MOC 7.0, Anexo II; NT 2026.010; DANFE NFC-e manual.

pub mod danfe;
mod label;
mod payment;
pub mod receipt;
pub mod sum;

use super::Form;
use super::dfe::{Dfe, Unreadable, Words};
use super::options::Options;
use crate::paper::Sheet;

/// Model 55 and model 65.
pub(super) static FORM: Form = Form {
    words: Words {
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
enum Shape {
    /// A4 sheets.
    Danfe,
    /// DANFE Simplificado, a label (`tpImp` 3).
    Label,
    /// A receipt: model 65, and DANFE Simplificado Tipo 2 (`tpImp` 6).
    Receipt,
}

impl Shape {
    fn of(note: Dfe<'_>) -> Shape {
        match (note.text("ide/mod"), note.text("ide/tpImp")) {
            ("65", _) | (_, "6") => Shape::Receipt,
            (_, "3") => Shape::Label,
            _ => Shape::Danfe,
        }
    }
}

fn title(note: Dfe<'_>) -> &'static str {
    match Shape::of(note) {
        Shape::Danfe => "DANFE",
        Shape::Label => "DANFE Simplificado",
        Shape::Receipt => receipt::title(note),
    }
}

fn sheets<'x>(note: Dfe<'x>, options: &'x Options) -> Result<Vec<Sheet<'x>>, Unreadable> {
    match Shape::of(note) {
        Shape::Danfe => danfe::sheets(note, options),
        Shape::Label => Ok(label::sheets(note, options)),
        Shape::Receipt => receipt::sheets(note, options),
    }
}

fn receipt(note: Dfe<'_>, options: &Options) -> Result<Option<Vec<u8>>, Unreadable> {
    match Shape::of(note) {
        Shape::Receipt => receipt::escpos(note, options).map(Some),
        Shape::Danfe | Shape::Label => Ok(None),
    }
}
