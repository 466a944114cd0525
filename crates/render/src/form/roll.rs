//! A strip of paper that grows with what is printed on it.

use super::dfe::Unreadable;
use super::grid::contained;
use crate::barcode::Code128;
use crate::paper::{Align, Face, Frame, Length, Mark, Sheet, Style, text};

const MARGIN: Length = Length::mm(3);
const PLAIN: Style = Style::new(Face::Sans, 70);
const BOLD: Style = Style::new(Face::SansBold, 70);
const LOUD: Style = Style::new(Face::SansBold, 90);
const LEAST: Length = Length::decipoints(40);
/// The room of a picture.
const PICTURE: (Length, Length) = (Length::mm(40), Length::mm(15));
const BARS: Length = Length::mm(12);
const STROKE: Length = Length::decipoints(4);
/// Room that two texts side by side may take: the left one has a few lines at the most.
const PAIR: Length = Length::mm(20);
/// Longest strip that readers of PDF take (ISO 32000-1, annex C: 14,400 points).
const LONGEST: Length = Length::decipoints(144_000);

/// The strip, down to where printing goes on; one that grows too long for a reader is followed by another.
pub(super) struct Roll<'x> {
    done: Vec<Sheet<'x>>,
    sheet: Sheet<'x>,
    y: Length,
}

impl<'x> Roll<'x> {
    pub(super) fn new(width: Length) -> Roll<'x> {
        Roll { done: Vec::new(), sheet: Sheet::new(width, LONGEST), y: MARGIN }
    }

    /// The strip, cut below the last line, or at the least height of a paper that has one.
    pub(super) fn cut(mut self, least: Length) -> Vec<Sheet<'x>> {
        self.sheet.height = (self.y + MARGIN).max(least);
        self.done.push(self.sheet);
        self.done
    }

    /// Goes on with another strip when a height does not fit this one.
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

    fn print(&mut self, content: &str, style: Style) {
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
        self.print(content, PLAIN.aligned(Align::Centre));
    }

    pub(super) fn bold(&mut self, content: &str) {
        self.print(content, BOLD.aligned(Align::Centre));
    }

    pub(super) fn loud(&mut self, content: &str) {
        self.print(content, LOUD.aligned(Align::Centre));
    }

    /// A text at the left and one at the right of the same line; the left one goes on below when it is long.
    pub(super) fn pair(&mut self, left: &str, right: &str) {
        self.both(left, right, PLAIN);
    }

    pub(super) fn strong_pair(&mut self, left: &str, right: &str) {
        self.both(left, right, BOLD);
    }

    fn both(&mut self, left: &str, right: &str, style: Style) {
        self.reserve(PAIR);
        let room = self.room();
        let most = room.width * 2 / 3;
        let size = text::fitting(right, style.face, most, style.size, LEAST).unwrap_or(LEAST);
        let right = text::shortened(right, style.face, size, most);
        let taken = style.face.width(&right, size) + Length::mm(1);
        let (narrow, beside) = room.split_left(room.width - taken);
        let lines: Vec<String> =
            text::lines(left, style.face, style.size, narrow.width).into_iter().map(str::to_owned).collect();
        self.sheet.line(beside, Style { size, align: Align::Right, ..style }, right);
        let used = self.sheet.lines(narrow, style, lines);
        self.y += used.max(style.leading());
    }

    /// A line across.
    pub(super) fn rule(&mut self) {
        self.y += Length::tenths(8);
        let room = self.room();
        self.sheet.across(room.x, self.y, room.width, STROKE);
        self.y += Length::tenths(8);
    }

    /// A picture in the middle.
    pub(super) fn picture(&mut self, pixels: (u32, u32)) {
        self.reserve(PICTURE.1 + Length::mm(1));
        let room = self.room();
        let frame = Frame::new(room.x + (room.width - PICTURE.0) / 2, self.y, PICTURE.0, PICTURE.1);
        self.sheet.marks.push(Mark::Picture { frame: contained(frame, pixels), index: 0 });
        self.y = frame.bottom() + Length::mm(1);
    }

    /// A bar code over the whole width.
    pub(super) fn bars(&mut self, code: &Code128) {
        self.reserve(BARS + Length::mm(2));
        let frame = Frame { y: self.y + Length::mm(1), height: BARS, ..self.room() };
        self.sheet.bars(frame, code);
        self.y = frame.bottom() + Length::mm(1);
    }

    /// The QR code in the middle: 25 mm at the least, larger when there is much to say, quiet zone included.
    pub(super) fn qr(&mut self, content: &str) -> Result<(), Unreadable> {
        if content.is_empty() {
            return Ok(());
        }
        let side = if content.len() > 250 { Length::mm(40) } else { Length::mm(32) };
        self.reserve(side + Length::mm(2));
        let room = self.room();
        let frame = Frame::new(room.x + (room.width - side) / 2, self.y + Length::mm(1), side, side);
        self.sheet.qr(frame, content).map_err(|_| Unreadable::QrCode)?;
        self.y = frame.bottom() + Length::mm(1);
        Ok(())
    }
}
