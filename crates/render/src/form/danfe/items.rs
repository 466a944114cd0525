//! The table of products and services: its columns, an item as a row of lines, the rows over the sheets.
//!
//! Law: MOC 7.0, Anexo II, 3.1.7 (before 2026-12-01); NT 2026.010, 4.3 and its model (from then on).

use super::Context;
use super::columns::{self, Column};
use super::describe;
use crate::form::grid::{PADDING, STROKE};
use crate::paper::{Align, Face, Frame, Length, Sheet, Style, text};
use fiscal::xml::Element;
use std::borrow::Cow;

/// Type of the rows.
pub(super) const TYPE: Style = Style::new(Face::Serif, 60);
const HEAD: Style = Style::new(Face::Serif, 50);
/// Height of the heads of the columns.
pub(super) const HEAD_HEIGHT: Length = Length::tenths(50);
const LEAST: Length = Length::decipoints(35);
/// Sheets that blocks may fill before the first item.
const MOST_BLOCKS: usize = 20;

/// One line of a column: a text at the left, at the right, or one of each.
pub(super) struct Entry<'x> {
    /// Where in the column it stands: from and to, in hundredths.
    pub(super) span: (i32, i32),
    pub(super) align: Align,
    pub(super) text: Cow<'x, str>,
}

/// An item: lines by column.
pub(super) struct Row<'x> {
    columns: Vec<Vec<Vec<Entry<'x>>>>,
    lines: usize,
}

/// The lines of a row that stand on one sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) row: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'x> Entry<'x> {
    /// Over the whole column.
    pub(super) fn whole(align: Align, text: impl Into<Cow<'x, str>>) -> Entry<'x> {
        Entry { span: (0, 100), align, text: text.into() }
    }
}

/// All items as rows, for the columns of a table.
pub(super) fn rows<'x>(context: &Context<'x>, frames: &[Frame], columns: &[Column]) -> Vec<Row<'x>> {
    let room = |place: usize| frames[place].width - PADDING * 2;
    context.note.all("", "det").map(|det| row(context, det, columns, &room)).collect()
}

fn row<'x>(context: &Context<'x>, det: &'x Element, columns: &[Column], room: &dyn Fn(usize) -> Length) -> Row<'x> {
    let mut cells = Vec::with_capacity(columns.len());
    for (place, column) in columns.iter().enumerate() {
        cells.push(match column.content {
            columns::Content::Code => wrapped(det.text_at("prod/cProd").unwrap_or_default(), room(place)),
            columns::Content::Description => {
                let full = describe::item(det, context.reform);
                text::lines(&full, TYPE.face, TYPE.size, room(place))
                    .into_iter()
                    .map(|line| vec![Entry::whole(Align::Left, line.to_owned())])
                    .collect()
            }
            columns::Content::Figures(figures) => figures(det),
        });
    }
    let lines = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
    Row { columns: cells, lines }
}

/// A code may be as long as sixty signs without a blank.
fn wrapped(code: &str, width: Length) -> Vec<Vec<Entry<'_>>> {
    let lines = text::lines(code, TYPE.face, TYPE.size, width);
    lines.into_iter().map(|line| vec![Entry::whole(Align::Left, line)]).collect()
}

/// Height of so many lines of a row.
fn height(lines: usize) -> Length {
    TYPE.leading().times(lines) + PADDING
}

/// Puts the rows on sheets, by the room that each has. A row stays whole unless it is taller than a sheet.
pub(super) fn distribute(rows: &[Row<'_>], room: &dyn Fn(usize) -> Length) -> Vec<Vec<Slice>> {
    let mut sheets = vec![Vec::new()];
    let mut left = room(0);
    for (place, row) in rows.iter().enumerate() {
        let mut from = 0;
        while from < row.lines {
            let all = row.lines - from;
            let fitting = (left - PADDING).fits(TYPE.leading()).min(all);
            let never_whole = height(all) > room(usize::MAX);
            let taken = if fitting == all || (never_whole && fitting > 0) { fitting } else { 0 };
            if taken == 0 {
                left = room(sheets.len());
                // a sheet on which not even a line fits would take sheets for ever
                if sheets.len() > MOST_BLOCKS {
                    left = left.max(height(1));
                }
                sheets.push(Vec::new());
                continue;
            }
            if let Some(sheet) = sheets.last_mut() {
                sheet.push(Slice { row: place, from, to: from + taken });
            }
            left -= height(taken);
            from += taken;
        }
    }
    sheets
}

/// Height of the slices of one sheet.
pub(super) fn used(slices: &[Slice]) -> Length {
    slices.iter().map(|slice| height(slice.to - slice.from)).sum()
}

/// Draws heads, slices and the lines between the columns.
pub(super) fn draw<'x>(sheet: &mut Sheet<'x>, area: Frame, columns: &[Column], rows: &[Row<'x>], slices: &[Slice]) {
    let frames = columns::frames(area, columns);
    sheet.outline(area, STROKE);
    for (frame, column) in frames.iter().zip(columns) {
        if frame.x > area.x {
            sheet.down(frame.x, area.y, area.height, STROKE);
        }
        draw_head(sheet, Frame { height: HEAD_HEIGHT, ..*frame }, column);
    }
    sheet.across(area.x, area.y + HEAD_HEIGHT, area.width, STROKE);
    let mut y = area.y + HEAD_HEIGHT;
    for slice in slices {
        draw_slice(sheet, y, &frames, &rows[slice.row], *slice);
        y += height(slice.to - slice.from);
        if y < area.bottom() {
            sheet.across(area.x, y, area.width, STROKE / 2);
        }
    }
}

fn draw_head(sheet: &mut Sheet<'_>, frame: Frame, column: &Column) {
    let room = frame.inside(Length::tenths(3));
    let mut line = Frame { y: frame.y + (frame.height - HEAD.leading().times(column.head.len())) / 2, ..room };
    for head in column.head {
        let size = text::fitting(head, HEAD.face, room.width, HEAD.size, LEAST).unwrap_or(LEAST);
        sheet.line(line, Style { size, align: Align::Centre, ..HEAD }, *head);
        line.y += HEAD.leading();
    }
}

fn draw_slice<'x>(sheet: &mut Sheet<'x>, top: Length, frames: &[Frame], row: &Row<'x>, slice: Slice) {
    for (frame, lines) in frames.iter().zip(&row.columns) {
        let mut y = top + PADDING / 2;
        for line in lines.iter().take(slice.to).skip(slice.from) {
            for entry in line {
                let room = Frame::new(frame.x + PADDING, y, frame.width - PADDING * 2, TYPE.leading());
                draw_entry(sheet, room, entry);
            }
            y += TYPE.leading();
        }
    }
}

fn draw_entry<'x>(sheet: &mut Sheet<'x>, room: Frame, entry: &Entry<'x>) {
    let (from, to) = entry.span;
    let x = room.x + room.width.part(from, 100);
    let room = Frame { x, width: room.width.part(to, 100) - room.width.part(from, 100), ..room };
    let width = TYPE.face.width(&entry.text, TYPE.size);
    let size = match width <= room.width {
        true => TYPE.size,
        false => text::fitting(&entry.text, TYPE.face, room.width, TYPE.size, LEAST / 2).unwrap_or(LEAST / 2),
    };
    let style = Style { size, align: entry.align, ..TYPE };
    // smaller type keeps the base line of its row
    let room = Frame { y: room.y + TYPE.face.ascent(TYPE.size) - TYPE.face.ascent(size), ..room };
    sheet.line(room, style, entry.text.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[usize]) -> Vec<Row<'static>> {
        lines.iter().map(|lines| Row { columns: Vec::new(), lines: *lines }).collect()
    }

    #[test]
    fn every_line_of_every_row_stands_on_one_sheet() {
        let rows = rows(&[1, 3, 60, 2, 2, 1, 5]);
        let sheets = distribute(&rows, &|page| if page == 0 { height(4) } else { height(10) });
        let mut seen = vec![0; rows.len()];
        for slices in &sheets {
            for slice in slices {
                assert_eq!(slice.from, seen[slice.row], "{sheets:?}");
                seen[slice.row] = slice.to;
            }
        }
        assert_eq!(seen, [1, 3, 60, 2, 2, 1, 5]);
        for slices in &sheets[1..] {
            assert!(used(slices) <= height(10), "{slices:?}");
        }
    }

    #[test]
    fn a_row_that_fits_a_sheet_is_not_cut() {
        let rows = rows(&[3, 3, 3]);
        let sheets = distribute(&rows, &|page| if page == 0 { height(3) + height(1) } else { height(6) });
        assert!(sheets.iter().flatten().all(|slice| slice.to - slice.from == 3), "{sheets:?}");
    }
}
