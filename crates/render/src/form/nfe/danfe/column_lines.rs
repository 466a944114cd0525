//! Lines of a column in a row of the table of items.

use crate::paper::{Length, TextAlign, TextStyle, Typeface, text};
use std::borrow::Cow;

/// Type of the rows.
pub(super) const TYPE: TextStyle = TextStyle::new(Typeface::Serif, 60);

/// A text in a column of a row.
pub(super) struct ColumnEntry<'x> {
    pub(super) column: usize,
    pub(super) line: usize,
    /// Position in the column: from and to, in hundredths.
    pub(super) span: (i32, i32),
    pub(super) align: TextAlign,
    pub(super) text: Cow<'x, str>,
}

/// Lines of a column in a row, from the first on.
pub(super) struct ColumnLines<'r, 'x> {
    pub(super) entries: &'r mut Vec<ColumnEntry<'x>>,
    pub(super) column: usize,
    pub(super) line: usize,
}

impl<'x> ColumnLines<'_, 'x> {
    /// Adds a text to the line; `span` is in hundredths of the column.
    pub(super) fn add_text(&mut self, span: (i32, i32), align: TextAlign, text: impl Into<Cow<'x, str>>) {
        let text = text.into();
        if !text.is_empty() {
            self.entries.push(ColumnEntry { column: self.column, line: self.line, span, align, text });
        }
    }

    /// Ends the line.
    pub(super) fn next(&mut self) {
        self.line += 1;
    }

    /// Adds a line with a text at the left.
    pub(super) fn left(&mut self, text: impl Into<Cow<'x, str>>) {
        self.add_text((0, 100), TextAlign::Left, text);
        self.next();
    }

    /// Adds a line with a text at the right.
    pub(super) fn right(&mut self, text: impl Into<Cow<'x, str>>) {
        self.add_text((0, 100), TextAlign::Right, text);
        self.next();
    }

    /// Adds as many lines as a text needs.
    pub(super) fn wrapped(&mut self, text: Cow<'x, str>, width: Length) {
        match text {
            Cow::Borrowed(text) => {
                text::lines(text, TYPE.face, TYPE.size, width).into_iter().for_each(|line| self.left(line));
            }
            Cow::Owned(text) => {
                let lines = text::lines(&text, TYPE.face, TYPE.size, width);
                lines.into_iter().for_each(|line| self.left(line.to_owned()));
            }
        }
    }
}
