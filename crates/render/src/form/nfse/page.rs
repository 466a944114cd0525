//! The sheet of a DANFSe, its four columns and its shades.
//!
//! Law: NT 008, 2.2.2 (margins), 2.2.3 (lines, shades), 2.4.5 (columns).

use super::mark::DiagonalMark;
use crate::paper::{Frame, Length, Sheet, SheetMark};

const DIVIDER: Length = Length::decipoints(5);
const BORDER: Length = Length::decipoints(10);
/// 5 % of black.
const SHADE: u8 = 242;

/// Left and right edges of the columns.
const COLUMNS: [(i32, i32); 4] = [(30, 539), (541, 1050), (1051, 1560), (1562, 2070)];
/// Left edge and width of some columns, from a first one on.
pub(super) fn across(first: usize, columns: usize) -> (Length, Length) {
    let last = (first + columns.max(1) - 1).min(COLUMNS.len() - 1);
    let (from, to) = (COLUMNS[first.min(last)].0, COLUMNS[last].1);
    (Length::tenths(from), Length::tenths(to - from))
}

/// A sheet with its shaded frames.
pub(super) struct DanfsePage<'x> {
    pub(super) sheet: Sheet<'x>,
    shades: Vec<Frame>,
}

impl<'x> DanfsePage<'x> {
    pub(super) fn new() -> DanfsePage<'x> {
        let mut sheet = Sheet::new(Length::mm(210), Length::mm(297));
        let whole = Frame::new(Length::ZERO, Length::ZERO, sheet.width, sheet.height);
        // must be between 1.5 and 2 mm from the edge
        sheet.outline(whole.inside(Length::tenths(18)), BORDER);
        DanfsePage { sheet, shades: Vec::new() }
    }

    pub(super) fn shade(&mut self, frame: Frame) {
        self.shades.push(frame);
    }

    /// Draws the line above a block.
    pub(super) fn divide(&mut self, y: Length) {
        let (x, width) = across(0, 4);
        self.sheet.across(x, y, width, DIVIDER);
    }

    /// Sheet with its mark behind the text, and the shades behind both.
    pub(super) fn finished(self, mark: Option<DiagonalMark>) -> Sheet<'x> {
        let DanfsePage { mut sheet, shades } = self;
        if let Some(mark) = mark {
            mark.draw(&mut sheet);
        }
        sheet.marks.insert(0, SheetMark::Fill { frames: shades, grey: SHADE });
        sheet
    }
}
