//! Receipts: DANFE NFC-e, and the DANFE Simplificado Tipo 2 of a model 55 with tpImp 6. A single sheet of any length,
//! or the bytes for a receipt printer.
//!
//! Law: DANFE NFC-e manual (divisions I to IX); NT 2026.003 (model 55); MOC 7.0, Anexo IV (two copies in contingency).

mod content;
mod output;
mod page;
mod printer;
mod raster;

use crate::form::dfe::{Dfe, FormError};
use crate::form::options::PrintOptions;
use crate::form::roll::ReceiptRoll;
use crate::paper::{Length, Sheet};
use content::ReceiptCopy;
use printer::EscPosPrinter;

/// Title in the file's metadata.
pub(super) fn title(note: Dfe<'_>) -> &'static str {
    if note.text("ide/mod") == "55" { "DANFE Simplificado Tipo 2" } else { "DANFE NFC-e" }
}

/// Copies of a receipt, one below the other: two of one that was issued offline and is not authorised yet.
pub fn sheets<'x>(note: Dfe<'x>, options: &PrintOptions) -> Result<Vec<Sheet<'x>>, FormError> {
    let mut sheets = Vec::new();
    for copy in copies(note) {
        let mut roll = ReceiptRoll::new(options.paper.width());
        if let Some(logo) = &options.logo {
            roll.picture((logo.width, logo.height));
        }
        content::print(&mut roll, note, options.summary, *copy)?;
        sheets.extend(roll.cut(Length::ZERO));
    }
    Ok(sheets)
}

/// Copies of a receipt for an ESC/POS printer, each cut off.
pub fn escpos(note: Dfe<'_>, options: &PrintOptions) -> Result<Vec<u8>, FormError> {
    let mut printer = EscPosPrinter::new(options.paper);
    let logo = options.logo.as_ref().and_then(raster::dots);
    for copy in copies(note) {
        if let Some(logo) = &logo {
            printer.picture(logo);
        }
        content::print(&mut printer, note, options.summary, *copy)?;
        printer.cut();
    }
    Ok(printer.bytes())
}

fn copies(note: Dfe<'_>) -> &'static [ReceiptCopy] {
    if note.is_pending() {
        &[ReceiptCopy::Of("Via do Consumidor"), ReceiptCopy::Of("Via do Estabelecimento")]
    } else {
        &[ReceiptCopy::Only]
    }
}
