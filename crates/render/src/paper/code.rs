//! Codes for machines as filled rectangles: Code 128 and QR.
//!
//! Law: MOC 7.0, Anexo II, 2 (bars); DANFE NFC-e manual, QR code (model 2, level M, quiet zone of 10 %).

use super::{Frame, Length, Sheet, SheetMark};
use crate::barcode::Code128;
use fast_qr::{ECL, QRBuilder};

/// The text is too long for a QR code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("o texto não cabe em um QR Code")]
pub struct TooLong;

impl Sheet<'_> {
    /// Draws a bar code over the whole width of a frame, quiet zones included.
    pub fn bars(&mut self, frame: Frame, code: &Code128) {
        let modules = i32::try_from(code.modules()).unwrap_or(i32::MAX);
        let mut done = 0;
        let mut frames = Vec::new();
        for stripe in code.stripes() {
            let from = frame.width.part(done, modules);
            done += i32::from(stripe.modules);
            if stripe.is_bar {
                let width = frame.width.part(done, modules) - from;
                frames.push(Frame { x: frame.x + from, width, ..frame });
            }
        }
        self.marks.push(SheetMark::Fill { frames, grey: 0 });
    }

    /// Draws a QR code in a square frame, with a quiet zone of 6 % of its width on each side.
    pub fn qr(&mut self, frame: Frame, text: &str) -> Result<(), TooLong> {
        let code = QRBuilder::new(text).ecl(ECL::M).build().map_err(|_| TooLong)?;
        let quiet = frame.width.part(6, 100);
        let symbol = frame.inside(quiet);
        let modules = i32::try_from(code.size).unwrap_or(i32::MAX);
        let mut frames = Vec::new();
        for row in 0..code.size {
            let line = &code[row];
            let mut column = 0;
            while column < code.size {
                let run = line[column..].iter().take_while(|module| module.value()).count();
                if run > 0 {
                    frames.push(block(symbol, modules, row, column, run));
                }
                column += run.max(1);
            }
        }
        self.marks.push(SheetMark::Fill { frames, grey: 0 });
        Ok(())
    }
}

/// Rectangle of a run of dark modules.
fn block(symbol: Frame, modules: i32, row: usize, column: usize, run: usize) -> Frame {
    let at = |place: usize| symbol.width.part(i32::try_from(place).unwrap_or(i32::MAX), modules);
    Frame::new(symbol.x + at(column), symbol.y + at(row), at(column + run) - at(column), at(row + 1) - at(row))
}

/// Least width of a bar code: 0.2 mm per module (MOC 7.0, Anexo II, 2).
pub fn least_width(code: &Code128) -> Length {
    Length::tenths(2).times(usize::try_from(code.modules()).unwrap_or(usize::MAX))
}
