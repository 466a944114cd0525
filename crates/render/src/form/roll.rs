//! Receipt paper that grows with its content.

use super::dfe::FormError;
use super::grid::contained;
use crate::barcode::Code128;
use crate::paper::{Frame, Length, Sheet, SheetMark, TextAlign, TextStyle, Typeface, text};

const MARGIN: Length = Length::mm(3);
const PLAIN: TextStyle = TextStyle::new(Typeface::Sans, 70);
const BOLD: TextStyle = TextStyle::new(Typeface::SansBold, 70);
const LOUD: TextStyle = TextStyle::new(Typeface::SansBold, 90);
const LEAST: Length = Length::decipoints(40);
/// Room of a picture.
const PICTURE: (Length, Length) = (Length::mm(40), Length::mm(15));
const BARS: Length = Length::mm(12);
const STROKE: Length = Length::decipoints(4);
/// Room of two texts side by side: the left one has a few lines at most.
const PAIR: Length = Length::mm(20);
/// Longest page of PDF readers (ISO 32000-1, annex C: 14,400 points).
const LONGEST: Length = Length::decipoints(144_000);

/// Pages of the strip, and the position where printing continues. A page that grows too long is followed by another.
pub(super) struct ReceiptRoll<'x> {
    done: Vec<Sheet<'x>>,
    sheet: Sheet<'x>,
    y: Length,
}

impl<'x> ReceiptRoll<'x> {
    pub(super) fn new(width: Length) -> ReceiptRoll<'x> {
        ReceiptRoll { done: Vec::new(), sheet: Sheet::new(width, LONGEST), y: MARGIN }
    }

    /// Cuts the strip below the last line, or at the paper's least height if it has one.
    pub(super) fn cut(mut self, least: Length) -> Vec<Sheet<'x>> {
        self.sheet.height = (self.y + MARGIN).max(least);
        self.done.push(self.sheet);
        self.done
    }

    /// Starts another page when a height does not fit this one.
    fn reserve(&mut self, height: Length) {
        if self.y + height + MARGIN > LONGEST {
            let next = Sheet::new(self.sheet.width, LONGEST);
            let mut full = std::mem::replace(&mut self.sheet, next);
            full.height = self.y + MARGIN;
            self.done.push(full);
            self.y = MARGIN;
        }
    }

    fn room(&self) -> Frame {
        Frame::new(MARGIN, self.y, self.sheet.width - MARGIN * 2, LONGEST - self.y)
    }

    fn print(&mut self, content: &str, style: TextStyle) {
        let room = self.room();
        let lines: Vec<String> =
            text::lines(content, style.face, style.size, room.width).into_iter().map(str::to_owned).collect();
        for line in lines {
            self.reserve(style.leading());
            let room = self.room();
            self.sheet.line(room, style, line);
            self.y += style.leading();
        }
    }

    pub(super) fn left(&mut self, content: &str) {
        self.print(content, PLAIN);
    }

    pub(super) fn centred(&mut self, content: &str) {
        self.print(content, PLAIN.aligned(TextAlign::Centre));
    }

    pub(super) fn bold(&mut self, content: &str) {
        self.print(content, BOLD.aligned(TextAlign::Centre));
    }

    pub(super) fn large_text(&mut self, content: &str) {
        self.print(content, LOUD.aligned(TextAlign::Centre));
    }

    /// Prints a text at the left and one at the right of a line; a long left text continues below.
    pub(super) fn pair(&mut self, left: &str, right: &str) {
        self.both(left, right, PLAIN);
    }

    pub(super) fn strong_pair(&mut self, left: &str, right: &str) {
        self.both(left, right, BOLD);
    }

    fn both(&mut self, left: &str, right: &str, style: TextStyle) {
        self.reserve(PAIR);
        let room = self.room();
        let most = room.width * 2 / 3;
        let size = text::fitting(right, style.face, most, style.size, LEAST).unwrap_or(LEAST);
        let right = text::shortened(right, style.face, size, most);
        let taken = style.face.width(&right, size) + Length::mm(1);
        let (narrow, beside) = room.split_left(room.width - taken);
        let lines: Vec<String> =
            text::lines(left, style.face, style.size, narrow.width).into_iter().map(str::to_owned).collect();
        self.sheet.line(beside, TextStyle { size, align: TextAlign::Right, ..style }, right);
        let used = self.sheet.lines(narrow, style, lines);
        self.y += used.max(style.leading());
    }

    /// Prints a line across.
    pub(super) fn rule(&mut self) {
        self.y += Length::tenths(8);
        let room = self.room();
        self.sheet.across(room.x, self.y, room.width, STROKE);
        self.y += Length::tenths(8);
    }

    /// Prints a picture in the middle.
    pub(super) fn picture(&mut self, pixels: (u32, u32)) {
        self.reserve(PICTURE.1 + Length::mm(1));
        let room = self.room();
        let frame = Frame::new(room.x + (room.width - PICTURE.0) / 2, self.y, PICTURE.0, PICTURE.1);
        self.sheet.marks.push(SheetMark::Picture { frame: contained(frame, pixels), index: 0 });
        self.y = frame.bottom() + Length::mm(1);
    }

    /// Prints a bar code over the whole width.
    pub(super) fn bars(&mut self, code: &Code128) {
        self.reserve(BARS + Length::mm(2));
        let frame = Frame { y: self.y + Length::mm(1), height: BARS, ..self.room() };
        self.sheet.bars(frame, code);
        self.y = frame.bottom() + Length::mm(1);
    }

    /// Prints the QR code in the middle: at least 25 mm with its quiet zone, larger for a long text.
    pub(super) fn qr(&mut self, content: &str) -> Result<(), FormError> {
        if content.is_empty() {
            return Ok(());
        }
        let side = if content.len() > 250 { Length::mm(40) } else { Length::mm(32) };
        self.reserve(side + Length::mm(2));
        let room = self.room();
        let frame = Frame::new(room.x + (room.width - side) / 2, self.y + Length::mm(1), side, side);
        self.sheet.qr(frame, content).map_err(|_| FormError::QrCode)?;
        self.y = frame.bottom() + Length::mm(1);
        Ok(())
    }
}
