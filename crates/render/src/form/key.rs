//! The bars of an access key, or what stands in their place.
//!
//! Law: MOC 7.0, Anexo II, 2; NTCJ 2025.001 (bars of a key with letters).

use super::dfe::Dfe;
use super::grid::{block, fitted};
use super::mark::Mark;
use crate::barcode::Code128;
use crate::paper::{Align, Face, Frame, Length, Sheet, Style};

/// Width of the bars of a key: 6 cm at the least and 9 cm at the most, 11.5 cm when it has letters.
pub(super) fn width(dfe: Dfe<'_>) -> Length {
    if dfe.chave().bytes().all(|byte| byte.is_ascii_digit()) { Length::mm(88) } else { Length::mm(115) }
}

/// Stands where the bars will be.
pub(super) const NO_KEY: &str = "PRÉVIA: A CHAVE DE ACESSO É DADA NA EMISSÃO";

/// Draws the bars over a frame; the verdict on a document that proves nothing, for that has none that a machine reads.
pub(super) fn draw(sheet: &mut Sheet<'_>, frame: Frame, dfe: Dfe<'_>) {
    let (chave, room) = (dfe.chave(), frame.inside(Length::tenths(10)));
    match (Code128::of_text(chave), Mark::of_fate(dfe)) {
        (_, Some(mark)) if !dfe.is_preview() => draw_verdict(sheet, room, &mark),
        (Ok(code), None) if !chave.is_empty() => {
            // the quiet zones belong to the code
            let (x, width) = (frame.x + Length::tenths(2), frame.width - Length::tenths(4));
            sheet.bars(Frame { x, width, ..room }, &code);
        }
        _ => fitted(sheet, room, Face::SerifBold, Align::Centre, NO_KEY.into()),
    }
}

fn draw_verdict(sheet: &mut Sheet<'_>, room: Frame, mark: &Mark) {
    let bold = Style::new(Face::SerifBold, 100).aligned(Align::Centre);
    let used = sheet.lines(room, bold, [mark.words.clone().into_owned()]);
    block(sheet, room.split_top(used).1, Style::new(Face::SerifBold, 80).aligned(Align::Centre), &mark.why);
}
