//! Labelled fields side by side. A field takes a second line when its content needs it (2.1).
//!
//! Law: NT 008, 2.4 (type), 2.4.5 (heights, note 12).

use super::page::{DanfsePage, across};
use crate::paper::{Frame, Length, Sheet, TextStyle, Typeface, text};
use std::borrow::Cow;

/// Type of contents.
pub(super) const CONTENT: TextStyle = TextStyle::new(Typeface::Sans, 70);
/// Titles of blocks, and labels of the identification.
pub(super) const CAPITALS: TextStyle = TextStyle::new(Typeface::SansBold, 70);
pub(super) const LABEL: TextStyle = TextStyle::new(Typeface::SansBold, 60);
/// Space between the edge of a field and its text.
pub(super) const BESIDE: Length = Length::tenths(6);
pub(super) const ABOVE: Length = Length::tenths(5);
const ROW: Length = Length::tenths(63);
/// Height of the rows of the identification and of the totals.
const HIGH_ROW: Length = Length::tenths(67);

/// A labelled field.
pub(super) struct LabelledField<'x> {
    label: &'static str,
    content: Cow<'x, str>,
    columns: usize,
    /// Empty columns before it.
    skipped: usize,
    shaded: bool,
    style: TextStyle,
}

/// A field of one column; an empty content becomes a dash (note 12).
pub(super) fn field<'x>(label: &'static str, content: impl Into<Cow<'x, str>>) -> LabelledField<'x> {
    let content = content.into();
    let content = if content.is_empty() { Cow::Borrowed("-") } else { content };
    LabelledField { label, content, columns: 1, skipped: 0, shaded: false, style: LABEL }
}

impl<'x> LabelledField<'x> {
    /// Sets the number of columns.
    pub(super) fn spanning(self, columns: usize) -> LabelledField<'x> {
        LabelledField { columns, ..self }
    }

    /// Shades the field like a title.
    pub(super) fn shaded(self) -> LabelledField<'x> {
        LabelledField { shaded: true, ..self }
    }

    /// Leaves empty columns before the field.
    pub(super) fn after_empty(self, skipped: usize) -> LabelledField<'x> {
        LabelledField { skipped, ..self }
    }

    fn lines(&self, width: Length, most: usize) -> Vec<String> {
        capped(&self.content, width - BESIDE * 2, most)
    }

    fn draw(self, sheet: &mut Sheet<'x>, frame: Frame, most: usize) {
        let room = inside(frame);
        sheet.line(room, self.style, self.label);
        let lines = self.lines(frame.width, most);
        sheet.lines(room.split_top(self.style.leading()).1, CONTENT, lines);
    }
}

pub(super) fn inside(frame: Frame) -> Frame {
    Frame { x: frame.x + BESIDE, y: frame.y + ABOVE, width: frame.width - BESIDE * 2, height: frame.height - ABOVE }
}

/// Lines of a content, at most `most`, the last one with dots when the content is longer.
pub(super) fn capped(content: &str, width: Length, most: usize) -> Vec<String> {
    let lines = text::lines(content, CONTENT.face, CONTENT.size, width);
    let too_many = lines.len() > most;
    let mut kept: Vec<String> = lines.into_iter().take(most).map(str::to_owned).collect();
    if let Some(last) = kept.last_mut().filter(|_| too_many) {
        *last = dotted(last, width);
    }
    kept
}

pub(super) fn dotted(line: &str, width: Length) -> String {
    text::shortened(&format!("{}...", line.trim_end_matches('.')), CONTENT.face, CONTENT.size, width)
}

/// Fields side by side; the first row of a block also has its title.
pub(super) struct FieldRow<'x> {
    title: &'static str,
    fields: Vec<LabelledField<'x>>,
    height: Length,
}

/// Fields side by side.
pub(super) fn row<'x>(fields: impl Into<Vec<LabelledField<'x>>>) -> FieldRow<'x> {
    FieldRow { title: "", fields: fields.into(), height: ROW }
}

impl<'x> FieldRow<'x> {
    /// Sets the title of the block.
    pub(super) fn with_title(self, title: &'static str) -> FieldRow<'x> {
        FieldRow { title, ..self }
    }

    /// Sets the height of rows of the identification and of the totals.
    pub(super) fn with_high_row(self) -> FieldRow<'x> {
        FieldRow { height: HIGH_ROW, ..self }
    }

    /// Formats a row of the identification: labels in capitals, and at least the height of the totals.
    pub(super) fn with_capitals(mut self) -> FieldRow<'x> {
        self.height = self.height.max(HIGH_ROW);
        self.fields.iter_mut().for_each(|field| field.style = CAPITALS);
        self
    }

    /// Sets a height.
    pub(super) fn of(self, height: Length) -> FieldRow<'x> {
        FieldRow { height, ..self }
    }

    /// True when any field has a content.
    pub(super) fn has_content(&self) -> bool {
        self.fields.iter().any(|field| field.content != "-")
    }

    fn first(&self) -> usize {
        usize::from(!self.title.is_empty())
    }

    pub(super) fn height(&self, most: usize) -> Length {
        let mut column = self.first();
        let mut height = self.height;
        for field in &self.fields {
            column += field.skipped;
            let lines = field.lines(across(column, field.columns).1, most).len();
            height = height.max(ABOVE + field.style.leading() + CONTENT.leading().times(lines));
            column += field.columns;
        }
        height
    }

    pub(super) fn draw(self, page: &mut DanfsePage<'x>, y: Length, most: usize) {
        let height = self.height(most);
        let mut column = self.first();
        if column > 0 {
            let (x, width) = across(0, 1);
            draw_title(page, Frame::new(x, y, width, height), self.title);
        }
        for field in self.fields {
            column += field.skipped;
            let (x, width) = across(column, field.columns);
            column += field.columns;
            let frame = Frame::new(x, y, width, height);
            if field.shaded {
                page.shade(frame);
            }
            field.draw(&mut page.sheet, frame, most);
        }
    }
}

/// Draws a title in the middle of its height.
pub(super) fn draw_title(page: &mut DanfsePage<'_>, frame: Frame, title: &'static str) {
    page.shade(frame);
    let room = Frame { x: frame.x + BESIDE, width: frame.width - BESIDE * 2, ..frame };
    let lines = text::lines(title, CAPITALS.face, CAPITALS.size, room.width);
    let above = (frame.height - CAPITALS.leading().times(lines.len())) / 2;
    page.sheet.lines(room.split_top(above).1, CAPITALS, lines.into_iter().map(str::to_owned));
}
