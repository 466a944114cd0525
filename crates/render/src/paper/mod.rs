//! Paper: sheets with marks, in whole thousandths of a point. Forms create the marks, `pdf` writes them, tests check
//! their positions.
//!
//! Must not know: the meaning of the marks, PDF.

mod code;
mod face;
mod frame;
mod length;
pub mod text;

pub use code::{TooLong, least_width};
pub use face::{FaceMetrics, Glyph, Typeface};
pub(crate) use face::{SIGNS, scale};
pub use frame::Frame;
pub use length::Length;

use std::borrow::Cow;
use std::sync::Arc;

/// A side of a sheet.
#[derive(Clone, Debug, Default)]
pub struct Sheet<'a> {
    pub width: Length,
    pub height: Length,
    /// Marks shared with other sheets, drawn below its own.
    pub under: Option<Arc<Vec<SheetMark<'a>>>>,
    /// Marks in drawing order.
    pub marks: Vec<SheetMark<'a>>,
}

/// A drawn element.
#[derive(Clone, Debug)]
pub enum SheetMark<'a> {
    /// A line of text.
    Text(TextLine<'a>),
    /// A stroke between two points.
    Rule {
        /// Start point.
        from: (Length, Length),
        /// End point.
        to: (Length, Length),
        thickness: Length,
        dashed: bool,
    },
    /// The outline of a rectangle.
    Outline {
        frame: Frame,
        /// Thickness of the line.
        thickness: Length,
    },
    /// Filled rectangles: bars, modules of a QR code, backgrounds.
    Fill {
        frames: Vec<Frame>,
        /// 0 is black, 255 white.
        grey: u8,
    },
    /// A picture, by its index in the list that accompanies the sheets.
    Picture {
        frame: Frame,
        /// Index of the picture.
        index: usize,
    },
}

/// Ink of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// 0 is black, 255 white.
    Grey(u8),
    /// Solid red.
    Red,
}

impl Ink {
    /// Ink of nearly all marks.
    pub const BLACK: Ink = Ink::Grey(0);
    /// Grey of a mark across a sheet: visible at once, without making the text over it harder to read.
    pub const PALE: Ink = Ink::Grey(222);
}

/// A line of text and its room.
#[derive(Clone, Debug)]
pub struct TextLine<'a> {
    pub text: Cow<'a, str>,
    pub face: Typeface,
    pub size: Length,
    /// Left end of the base line.
    pub at: (Length, Length),
    /// Width of the text.
    pub width: Length,
    /// Frame that must contain the text.
    pub room: Frame,
    pub ink: Ink,
    /// Rotation; a rising text, such as CANCELADA, is drawn behind everything.
    pub rotation: TextRotation,
}

/// Rotation of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextRotation {
    /// Horizontal.
    #[default]
    Level,
    /// From the bottom up.
    Up,
    /// Rising diagonally across the sheet.
    Rising,
}

/// Alignment of a text in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAlign {
    Left,
    Centre,
    Right,
}

/// Typeface, size and alignment of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    pub face: Typeface,
    pub size: Length,
    pub align: TextAlign,
}

impl TextStyle {
    /// Left-aligned style.
    pub const fn new(face: Typeface, decipoints: i32) -> TextStyle {
        TextStyle { face, size: Length::decipoints(decipoints), align: TextAlign::Left }
    }

    /// Sets the alignment.
    pub const fn aligned(self, align: TextAlign) -> TextStyle {
        TextStyle { align, ..self }
    }

    /// Distance from one line to the next.
    pub fn leading(&self) -> Length {
        self.face.ascent(self.size) + self.face.descent(self.size)
    }
}

impl TextLine<'_> {
    /// Box of the glyphs: from the tallest letters to the lowest descenders.
    pub fn ink(&self) -> Frame {
        let (ascent, descent) = (self.face.ascent(self.size), self.face.descent(self.size));
        match self.rotation {
            TextRotation::Up => Frame::new(self.at.0 - ascent, self.at.1 - self.width, ascent + descent, self.width),
            TextRotation::Level | TextRotation::Rising => {
                Frame::new(self.at.0, self.at.1 - ascent, self.width, ascent + descent)
            }
        }
    }
}

impl<'a> Sheet<'a> {
    /// An empty sheet.
    pub fn new(width: Length, height: Length) -> Sheet<'a> {
        Sheet { width, height, under: None, marks: Vec::new() }
    }

    /// Draws a line of text at the top of its room.
    pub fn line(&mut self, room: Frame, style: TextStyle, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        if text.is_empty() {
            return;
        }
        let width = style.face.width(&text, style.size);
        self.measured(room, style, text, width);
    }

    /// Draws a line of text whose width is known.
    pub(crate) fn measured(&mut self, room: Frame, style: TextStyle, text: Cow<'a, str>, width: Length) {
        let x = match style.align {
            TextAlign::Left => room.x,
            TextAlign::Centre => room.x + (room.width - width) / 2,
            TextAlign::Right => room.right() - width,
        };
        let at = (x, room.y + style.face.ascent(style.size));
        let (face, size) = (style.face, style.size);
        let ink = Ink::BLACK;
        self.marks.push(SheetMark::Text(TextLine {
            text,
            face,
            size,
            at,
            width,
            room,
            ink,
            rotation: TextRotation::Level,
        }));
    }

    /// Changes the ink of the texts from a mark on.
    pub(crate) fn tint(&mut self, from: usize, ink: Ink) {
        for mark in self.marks.iter_mut().skip(from) {
            if let SheetMark::Text(line) = mark {
                line.ink = ink;
            }
        }
    }

    /// Draws lines from the top of a room downwards; returns the height used.
    pub fn lines(
        &mut self,
        room: Frame,
        style: TextStyle,
        lines: impl IntoIterator<Item = impl Into<Cow<'a, str>>>,
    ) -> Length {
        let mut rest = room;
        for line in lines {
            self.line(rest, style, line);
            rest = rest.split_top(style.leading()).1;
        }
        rest.y - room.y
    }

    /// Draws a text from the bottom up, in the middle of its room.
    pub fn upwards(&mut self, room: Frame, style: TextStyle, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        let width = style.face.width(&text, style.size);
        let (ascent, descent) = (style.face.ascent(style.size), style.face.descent(style.size));
        let x = room.x + (room.width - ascent - descent) / 2 + ascent;
        let y = match style.align {
            TextAlign::Left => room.bottom(),
            TextAlign::Centre => room.bottom() - (room.height - width) / 2,
            TextAlign::Right => room.y + width,
        };
        let (face, size) = (style.face, style.size);
        let (at, ink) = ((x, y), Ink::BLACK);
        self.marks.push(SheetMark::Text(TextLine {
            text,
            face,
            size,
            at,
            width,
            room,
            ink,
            rotation: TextRotation::Up,
        }));
    }

    /// Draws a pale text across the sheet, behind all later marks, at a distance below the diagonal.
    pub fn watermark(&mut self, face: Typeface, size: Length, below: Length, text: impl Into<Cow<'a, str>>) {
        self.watermark_in(Ink::PALE, face, size, below, text.into());
    }

    /// Draws a watermark in another ink.
    pub(crate) fn watermark_in(&mut self, ink: Ink, face: Typeface, size: Length, below: Length, text: Cow<'a, str>) {
        let width = face.width(&text, size);
        let room = Frame::new(Length::ZERO, Length::ZERO, self.width, self.height);
        // rising by 45 degrees: each end is half the width times the square root of a half from the middle
        let reach = width.part(3536, 10_000);
        let drop = (face.ascent(size).part(3, 10) + below).part(7071, 10_000);
        let at = (self.width / 2 - reach + drop, self.height / 2 + reach + drop);
        let line = TextLine { text, face, size, at, width, room, ink, rotation: TextRotation::Rising };
        self.marks.insert(0, SheetMark::Text(line));
    }

    /// Text and size that fit across the sheet at a distance below the diagonal; the text is shortened when even the
    /// least size does not fit.
    pub fn fitting_across(
        &self,
        face: Typeface,
        text: &str,
        sizes: (Length, Length),
        below: Length,
    ) -> (String, Length) {
        let (most, least) = sizes;
        // the diagonal of the largest square on the sheet; each step beside it shortens the line by two
        let width = self.width.min(self.height).part(13, 10) - below * 2;
        let size = text::fitting(text, face, width, most, least).unwrap_or(least);
        (text::shortened(text, face, size, width), size)
    }

    /// Moves the texts from a mark on downwards: centres them in a room once their height is known.
    pub fn move_down(&mut self, from: usize, by: Length) {
        for mark in self.marks.iter_mut().skip(from) {
            if let SheetMark::Text(line) = mark {
                line.at.1 += by;
                line.room.y += by;
            }
        }
    }

    /// Draws a stroke from left to right.
    pub fn across(&mut self, x: Length, y: Length, width: Length, thickness: Length) {
        self.marks.push(SheetMark::Rule { from: (x, y), to: (x + width, y), thickness, dashed: false });
    }

    /// Draws a stroke from top to bottom.
    pub fn down(&mut self, x: Length, y: Length, height: Length, thickness: Length) {
        self.marks.push(SheetMark::Rule { from: (x, y), to: (x, y + height), thickness, dashed: false });
    }

    /// Draws the outline of a frame.
    pub fn outline(&mut self, frame: Frame, thickness: Length) {
        self.marks.push(SheetMark::Outline { frame, thickness });
    }

    /// All marks in drawing order.
    pub fn drawn(&self) -> impl Iterator<Item = &SheetMark<'a>> {
        self.under.as_deref().into_iter().flatten().chain(&self.marks)
    }

    /// All lines of text.
    pub fn texts(&self) -> impl Iterator<Item = &TextLine<'a>> {
        self.drawn().filter_map(|mark| match mark {
            SheetMark::Text(line) => Some(line),
            _ => None,
        })
    }
}
