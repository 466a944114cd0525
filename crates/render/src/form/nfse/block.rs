//! Building blocks of the DANFSe: blocks of rows, lines in the place of a block, and free text.
//!
//! Law: NT 008, 2.3 (lines in the place of a block, use of the remaining room), 2.4.5.

use super::page::{Page, across};
use super::row::{ABOVE, BESIDE, CONTENT, LABEL, Row, capped, dotted, draw_title, inside};
use crate::paper::{Align, Frame, Length, text};
use std::borrow::Cow;

/// Gap between two rows.
const GAP: Length = Length::tenths(1);
/// Height of a line in the place of a block, and of a title's strip.
const LINE: Length = Length::tenths(38);

/// Free text, below its label when it has one.
pub(super) struct Words {
    label: &'static str,
    lines: Vec<String>,
}

impl Words {
    /// Breaks a text over the whole width.
    pub(super) fn new(label: &'static str, content: &str) -> Words {
        let lines = text::lines(content, CONTENT.face, CONTENT.size, text_width());
        Words { label, lines: lines.into_iter().map(str::to_owned).collect() }
    }

    pub(super) fn wanted(&self) -> usize {
        self.lines.len()
    }

    /// Cuts the text to a number of lines and ends it with dots.
    pub(super) fn cut_to(&mut self, most: usize) {
        if self.lines.len() > most {
            self.lines.truncate(most);
            if let Some(last) = self.lines.last_mut() {
                *last = dotted(last, text_width());
            }
        }
    }

    fn label_height(&self) -> Length {
        if self.label.is_empty() { Length::ZERO } else { LABEL.leading() }
    }
}

fn text_width() -> Length {
    across(0, 4).1 - BESIDE * 2
}

/// A part of a block, from the top.
pub(super) enum Piece<'x> {
    Row(Row<'x>),
    /// A title over the whole width.
    Strip(&'static str),
    /// A line in the place of the whole block.
    Instead(&'static str),
    /// Text without a label, cut only to the limit of a field.
    Plain(Cow<'x, str>),
    Words(Words),
}

impl Piece<'_> {
    /// Height without the lines of free text.
    fn height(&self, most: usize) -> Length {
        match self {
            Piece::Row(row) => row.height(most) + GAP,
            Piece::Strip(_) | Piece::Instead(_) => LINE,
            Piece::Plain(content) => {
                let lines = capped(content, text_width(), 2).len();
                LINE.max(ABOVE + CONTENT.leading().times(lines))
            }
            Piece::Words(words) => ABOVE * 2 + words.label_height(),
        }
    }
}

/// A block of the form, with the line above it.
pub(super) struct Block<'x> {
    pieces: Vec<Piece<'x>>,
}

impl<'x> Block<'x> {
    pub(super) fn new(pieces: Vec<Piece<'x>>) -> Block<'x> {
        Block { pieces }
    }

    /// Block of rows; the first has the title.
    pub(super) fn rows(title: &'static str, rows: Vec<Row<'x>>) -> Block<'x> {
        let mut rows = rows.into_iter();
        let first = rows.next().map(|row| row.titled(title));
        Block::new(first.into_iter().chain(rows).map(Piece::Row).collect())
    }

    /// Block of a single line in the place of its contents.
    pub(super) fn instead(line: &'static str) -> Block<'x> {
        Block::new(vec![Piece::Instead(line)])
    }

    /// Adds parts below.
    pub(super) fn with(mut self, more: impl IntoIterator<Item = Piece<'x>>) -> Block<'x> {
        self.pieces.extend(more);
        self
    }

    /// Height without the lines of free text.
    pub(super) fn height(&self, most: usize) -> Length {
        self.pieces.iter().map(|piece| piece.height(most)).sum()
    }

    /// Lines of free text.
    pub(super) fn wanted(&self) -> usize {
        self.pieces.iter().map(|piece| if let Piece::Words(words) = piece { words.wanted() } else { 0 }).sum()
    }

    /// Free text of the block.
    pub(super) fn words(&mut self) -> Option<&mut Words> {
        self.pieces.iter_mut().find_map(|piece| if let Piece::Words(words) = piece { Some(words) } else { None })
    }

    /// Draws the block from a height downwards; returns its end.
    pub(super) fn draw(self, page: &mut Page<'x>, mut y: Length, most: usize) -> Length {
        page.divide(y);
        for piece in self.pieces {
            let height = piece.height(most);
            let (x, width) = across(0, 4);
            let frame = Frame::new(x, y, width, height);
            y += height;
            match piece {
                Piece::Row(row) => row.draw(page, frame.y, most),
                Piece::Strip(title) => draw_title(page, frame, title),
                Piece::Instead(line) => {
                    let above = (height - CONTENT.leading()) / 2;
                    page.sheet.line(frame.split_top(above).1, CONTENT.aligned(Align::Centre), line);
                }
                Piece::Plain(content) => {
                    page.sheet.lines(inside(frame), CONTENT, capped(&content, text_width(), 2));
                }
                Piece::Words(words) => {
                    let lines = CONTENT.leading().times(words.lines.len());
                    y += lines;
                    let room = inside(Frame { height: height + lines, ..frame });
                    page.sheet.line(room, LABEL, words.label);
                    page.sheet.lines(room.split_top(words.label_height()).1, CONTENT, words.lines);
                }
            }
        }
        y
    }
}
