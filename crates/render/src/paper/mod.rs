//! Paper: sheets with marks on them, in whole thousandths of a point. Forms put the marks; `pdf` writes them down;
//! tests judge where they lie.
//!
//! Must not know: what the marks mean, PDF.

mod code;
mod face;
mod frame;
mod length;
pub mod text;

pub use code::{TooLong, least_width};
pub use face::{Face, Glyph, Measures};
pub(crate) use face::{SIGNS, scale};
pub use frame::Frame;
pub use length::Length;

use std::borrow::Cow;
use std::sync::Arc;

/// One side of a sheet.
#[derive(Clone, Debug, Default)]
pub struct Sheet<'a> {
    /// Width of the paper.
    pub width: Length,
    /// Height of the paper.
    pub height: Length,
    /// What it has in common with other sheets: drawn below its own marks.
    pub under: Option<Arc<Vec<Mark<'a>>>>,
    /// In the order in which they are drawn.
    pub marks: Vec<Mark<'a>>,
}

/// Something drawn.
#[derive(Clone, Debug)]
pub enum Mark<'a> {
    /// One line of text.
    Text(Line<'a>),
    /// A stroke between two points.
    Rule {
        /// Where it begins.
        from: (Length, Length),
        /// Where it ends.
        to: (Length, Length),
        /// How thick it is.
        thickness: Length,
        /// Broken into dashes.
        dashed: bool,
    },
    /// The outline of a rectangle.
    Outline {
        /// The rectangle.
        frame: Frame,
        /// How thick the line is.
        thickness: Length,
    },
    /// Filled rectangles: bars, modules of a QR code, backgrounds.
    Fill {
        /// The rectangles.
        frames: Vec<Frame>,
        /// 0 is black, 255 white.
        grey: u8,
    },
    /// A picture, by its place in the list that goes with the sheets.
    Picture {
        /// Where it stands.
        frame: Frame,
        /// Which one.
        index: usize,
    },
}

/// What a text is printed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// 0 is black, 255 white.
    Grey(u8),
    /// Solid red.
    Red,
}

impl Ink {
    /// What nearly everything is printed with.
    pub const BLACK: Ink = Ink::Grey(0);
    /// The grey of a mark across a sheet: seen at once, and what lies on it is read as if it were not there.
    pub const PALE: Ink = Ink::Grey(222);
}

/// A line of text and the room it was given.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// What it says.
    pub text: Cow<'a, str>,
    /// Typeface.
    pub face: Face,
    /// Size of type.
    pub size: Length,
    /// Where the text begins: left end of the base line.
    pub at: (Length, Length),
    /// How wide the text is.
    pub width: Length,
    /// The frame it must stay in.
    pub room: Frame,
    /// What it is printed with.
    pub ink: Ink,
    /// Diagonal, across the sheet, behind everything: a mark like CANCELADA.
    pub turned: Turn,
}

/// How a text stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// As one reads.
    #[default]
    Level,
    /// From the bottom up.
    Up,
    /// Rising, across the sheet.
    Rising,
}

/// Where a text stands in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At the left.
    Left,
    /// In the middle.
    Centre,
    /// At the right.
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Typeface.
    pub face: Face,
    /// Size of type.
    pub size: Length,
    /// Where it stands.
    pub align: Align,
}

impl Style {
    /// Left.
    pub const fn new(face: Face, decipoints: i32) -> Style {
        Style { face, size: Length::decipoints(decipoints), align: Align::Left }
    }

    /// Elsewhere.
    pub const fn aligned(self, align: Align) -> Style {
        Style { align, ..self }
    }

    /// From one line to the next.
    pub fn leading(&self) -> Length {
        self.face.ascent(self.size) + self.face.descent(self.size)
    }
}

impl Line<'_> {
    /// The box of its glyphs: from the tallest letters down to the tails.
    pub fn ink(&self) -> Frame {
        let (ascent, descent) = (self.face.ascent(self.size), self.face.descent(self.size));
        match self.turned {
            Turn::Up => Frame::new(self.at.0 - ascent, self.at.1 - self.width, ascent + descent, self.width),
            Turn::Level | Turn::Rising => Frame::new(self.at.0, self.at.1 - ascent, self.width, ascent + descent),
        }
    }
}

impl<'a> Sheet<'a> {
    /// Empty paper.
    pub fn new(width: Length, height: Length) -> Sheet<'a> {
        Sheet { width, height, under: None, marks: Vec::new() }
    }

    /// One line of text at the top of its room.
    pub fn line(&mut self, room: Frame, style: Style, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        if text.is_empty() {
            return;
        }
        let width = style.face.width(&text, style.size);
        self.measured(room, style, text, width);
    }

    /// The same, of a text whose width is known.
    pub(crate) fn measured(&mut self, room: Frame, style: Style, text: Cow<'a, str>, width: Length) {
        let x = match style.align {
            Align::Left => room.x,
            Align::Centre => room.x + (room.width - width) / 2,
            Align::Right => room.right() - width,
        };
        let at = (x, room.y + style.face.ascent(style.size));
        let (face, size) = (style.face, style.size);
        let ink = Ink::BLACK;
        self.marks.push(Mark::Text(Line { text, face, size, at, width, room, ink, turned: Turn::Level }));
    }

    /// Prints the texts from a mark on in another ink.
    pub(crate) fn tint(&mut self, from: usize, ink: Ink) {
        for mark in self.marks.iter_mut().skip(from) {
            if let Mark::Text(line) = mark {
                line.ink = ink;
            }
        }
    }

    /// Lines from the top of a room downwards; gives the height they took.
    pub fn lines(
        &mut self,
        room: Frame,
        style: Style,
        lines: impl IntoIterator<Item = impl Into<Cow<'a, str>>>,
    ) -> Length {
        let mut rest = room;
        for line in lines {
            self.line(rest, style, line);
            rest = rest.split_top(style.leading()).1;
        }
        rest.y - room.y
    }

    /// A text read from the bottom up, in the middle of its room.
    pub fn upwards(&mut self, room: Frame, style: Style, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        let width = style.face.width(&text, style.size);
        let (ascent, descent) = (style.face.ascent(style.size), style.face.descent(style.size));
        let x = room.x + (room.width - ascent - descent) / 2 + ascent;
        let y = match style.align {
            Align::Left => room.bottom(),
            Align::Centre => room.bottom() - (room.height - width) / 2,
            Align::Right => room.y + width,
        };
        let (face, size) = (style.face, style.size);
        let (at, ink) = ((x, y), Ink::BLACK);
        self.marks.push(Mark::Text(Line { text, face, size, at, width, room, ink, turned: Turn::Up }));
    }

    /// A pale text across the sheet, behind everything that comes after; so far below its middle line.
    pub fn watermark(&mut self, face: Face, size: Length, below: Length, text: impl Into<Cow<'a, str>>) {
        self.watermark_in(Ink::PALE, face, size, below, text.into());
    }

    /// The same in another ink.
    pub(crate) fn watermark_in(&mut self, ink: Ink, face: Face, size: Length, below: Length, text: Cow<'a, str>) {
        let width = face.width(&text, size);
        let room = Frame::new(Length::ZERO, Length::ZERO, self.width, self.height);
        // rising by 45 degrees: the ends are half the width, by the square root of a half, from the middle
        let reach = width.part(3536, 10_000);
        let drop = (face.ascent(size).part(3, 10) + below).part(7071, 10_000);
        let at = (self.width / 2 - reach + drop, self.height / 2 + reach + drop);
        let line = Line { text, face, size, at, width, room, ink, turned: Turn::Rising };
        self.marks.insert(0, Mark::Text(line));
    }

    /// A text and the size in which it fits across the sheet so far below its middle line, shortened when not even the
    /// least size lets it.
    pub fn fitting_across(&self, face: Face, text: &str, sizes: (Length, Length), below: Length) -> (String, Length) {
        let (most, least) = sizes;
        // the diagonal of the largest square on the sheet; every step beside it takes two from its length
        let width = self.width.min(self.height).part(13, 10) - below * 2;
        let size = text::fitting(text, face, width, most, least).unwrap_or(least);
        (text::shortened(text, face, size, width), size)
    }

    /// Moves the texts from a mark on downwards: to the middle of a room whose rest is known only when they stand.
    pub fn lower(&mut self, from: usize, by: Length) {
        for mark in self.marks.iter_mut().skip(from) {
            if let Mark::Text(line) = mark {
                line.at.1 += by;
                line.room.y += by;
            }
        }
    }

    /// A stroke from left to right.
    pub fn across(&mut self, x: Length, y: Length, width: Length, thickness: Length) {
        self.marks.push(Mark::Rule { from: (x, y), to: (x + width, y), thickness, dashed: false });
    }

    /// A stroke from top to bottom.
    pub fn down(&mut self, x: Length, y: Length, height: Length, thickness: Length) {
        self.marks.push(Mark::Rule { from: (x, y), to: (x, y + height), thickness, dashed: false });
    }

    /// The outline of a frame.
    pub fn outline(&mut self, frame: Frame, thickness: Length) {
        self.marks.push(Mark::Outline { frame, thickness });
    }

    /// Every mark on it, in the order in which they are drawn.
    pub fn drawn(&self) -> impl Iterator<Item = &Mark<'a>> {
        self.under.as_deref().into_iter().flatten().chain(&self.marks)
    }

    /// Every line of text on it.
    pub fn texts(&self) -> impl Iterator<Item = &Line<'a>> {
        self.drawn().filter_map(|mark| match mark {
            Mark::Text(line) => Some(line),
            _ => None,
        })
    }
}
