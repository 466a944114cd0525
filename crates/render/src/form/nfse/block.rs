//! Building blocks of the DANFSe: blocks of rows, lines in the place of a block, and free text.
//!
//! Law: NT 008, 2.3 (lines in the place of a block, use of the remaining room), 2.4.5.

use super::page::{DanfsePage, across};
use super::row::{ABOVE, BESIDE, CONTENT, FieldRow, LABEL, capped, dotted, draw_title, inside};
use crate::paper::{Frame, Length, TextAlign, text};
use std::borrow::Cow;

/// Gap between two rows.
const GAP: Length = Length::tenths(1);
/// Height of a line in the place of a block, and of a title's strip.
const LINE: Length = Length::tenths(38);

/// Free text, below its label when it has one.
pub(super) struct FreeText {
    label: &'static str,
    lines: Vec<String>,
}

impl FreeText {
    /// Breaks a text over the whole width.
    pub(super) fn new(label: &'static str, content: &str) -> FreeText {
        let lines = text::lines(content, CONTENT.face, CONTENT.size, text_width());
        FreeText { label, lines: lines.into_iter().map(str::to_owned).collect() }
    }

    pub(super) fn line_count(&self) -> usize {
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
pub(super) enum BlockPart<'x> {
    Row(FieldRow<'x>),
    /// A title over the whole width.
    Strip(&'static str),
    /// A line in the place of the whole block.
    Instead(&'static str),
    /// Text without a label, cut only to the limit of a field.
    Plain(Cow<'x, str>),
    Words(FreeText),
}

impl BlockPart<'_> {
    /// Height without the lines of free text.
    fn height(&self, most: usize) -> Length {
        match self {
            BlockPart::Row(row) => row.height(most) + GAP,
            BlockPart::Strip(_) | BlockPart::Instead(_) => LINE,
            BlockPart::Plain(content) => {
                let lines = capped(content, text_width(), 2).len();
                LINE.max(ABOVE + CONTENT.leading().times(lines))
            }
            BlockPart::Words(words) => ABOVE * 2 + words.label_height(),
        }
    }
}

/// A block of the form, with the line above it.
pub(super) struct DanfseBlock<'x> {
    pieces: Vec<BlockPart<'x>>,
}

impl<'x> DanfseBlock<'x> {
    pub(super) fn new(pieces: Vec<BlockPart<'x>>) -> DanfseBlock<'x> {
        DanfseBlock { pieces }
    }

    /// Block of rows; the first has the title.
    pub(super) fn rows(title: &'static str, rows: Vec<FieldRow<'x>>) -> DanfseBlock<'x> {
        let mut rows = rows.into_iter();
        let first = rows.next().map(|row| row.with_title(title));
        DanfseBlock::new(first.into_iter().chain(rows).map(BlockPart::Row).collect())
    }

    /// Block of a single line in the place of its contents.
    pub(super) fn replaced_by_line(line: &'static str) -> DanfseBlock<'x> {
        DanfseBlock::new(vec![BlockPart::Instead(line)])
    }

    /// Adds parts below.
    pub(super) fn with_parts(mut self, more: impl IntoIterator<Item = BlockPart<'x>>) -> DanfseBlock<'x> {
        self.pieces.extend(more);
        self
    }

    /// Height without the lines of free text.
    pub(super) fn height(&self, most: usize) -> Length {
        self.pieces.iter().map(|piece| piece.height(most)).sum()
    }

    /// Lines of free text.
    pub(super) fn free_lines(&self) -> usize {
        self.pieces.iter().map(|piece| if let BlockPart::Words(words) = piece { words.line_count() } else { 0 }).sum()
    }

    /// Free text of the block.
    pub(super) fn words(&mut self) -> Option<&mut FreeText> {
        self.pieces.iter_mut().find_map(|piece| if let BlockPart::Words(words) = piece { Some(words) } else { None })
    }

    /// Draws the block from a height downwards; returns its end.
    pub(super) fn draw(self, page: &mut DanfsePage<'x>, mut y: Length, most: usize) -> Length {
        page.divide(y);
        for piece in self.pieces {
            let height = piece.height(most);
            let (x, width) = across(0, 4);
            let frame = Frame::new(x, y, width, height);
            y += height;
            match piece {
                BlockPart::Row(row) => row.draw(page, frame.y, most),
                BlockPart::Strip(title) => draw_title(page, frame, title),
                BlockPart::Instead(line) => {
                    let above = (height - CONTENT.leading()) / 2;
                    page.sheet.line(frame.split_top(above).1, CONTENT.aligned(TextAlign::Centre), line);
                }
                BlockPart::Plain(content) => {
                    page.sheet.lines(inside(frame), CONTENT, capped(&content, text_width(), 2));
                }
                BlockPart::Words(words) => {
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
