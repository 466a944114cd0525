//! Bars of an access key, or the text in their place.
//!
//! Law: MOC 7.0, Anexo II, 2; NTCJ 2025.001 (bars of a key with letters).

use super::dfe::Dfe;
use super::grid::{block, fitted};
use super::status_mark::StatusMark;
use crate::barcode::Code128;
use crate::paper::{Frame, Length, Sheet, TextAlign, TextStyle, Typeface};

/// Width of a key's bars: 6 to 9 cm, or 11.5 cm when the key has letters.
pub(super) fn width(dfe: Dfe<'_>) -> Length {
    if dfe.chave().bytes().all(|byte| byte.is_ascii_digit()) { Length::mm(88) } else { Length::mm(115) }
}

/// Text in the place of the bars while there is no key.
pub(super) const NO_KEY: &str = "PRÉVIA: A CHAVE DE ACESSO É DADA NA EMISSÃO";

/// Draws the bars over a frame; a document without validity has its status there and no code for machines.
pub(super) fn draw(sheet: &mut Sheet<'_>, frame: Frame, dfe: Dfe<'_>) {
    let (chave, room) = (dfe.chave(), frame.inside(Length::tenths(10)));
    match (Code128::of_text(chave), StatusMark::of_document_status(dfe)) {
        (_, Some(mark)) if !dfe.is_preview() => draw_status(sheet, room, &mark),
        (Ok(code), None) if !chave.is_empty() => {
            // the quiet zones belong to the code
            let (x, width) = (frame.x + Length::tenths(2), frame.width - Length::tenths(4));
            sheet.bars(Frame { x, width, ..room }, &code);
        }
        _ => fitted(sheet, room, Typeface::SerifBold, TextAlign::Centre, NO_KEY.into()),
    }
}

fn draw_status(sheet: &mut Sheet<'_>, room: Frame, mark: &StatusMark) {
    let bold = TextStyle::new(Typeface::SerifBold, 100).aligned(TextAlign::Centre);
    let used = sheet.lines(room, bold, [mark.words.clone().into_owned()]);
    block(
        sheet,
        room.split_top(used).1,
        TextStyle::new(Typeface::SerifBold, 80).aligned(TextAlign::Centre),
        &mark.reason,
    );
}
