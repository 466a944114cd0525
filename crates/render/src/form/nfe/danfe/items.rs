//! Table of products and services: its columns, an item as a row of lines, the rows over the sheets.
//!
//! Law: MOC 7.0, Anexo II, 3.1.7 (before 2026-12-01); NT 2026.010, 4.3 and its model (from then on).

use super::DanfeContext;
use super::column_lines::{ColumnEntry, ColumnLines, TYPE};
use super::columns::{self, ItemColumn};
use super::describe;
use super::item::DanfeItem;
use crate::form::grid::{PADDING, STROKE};
use crate::paper::{Frame, Length, Sheet, TextAlign, TextStyle, Typeface, text};

const HEAD: TextStyle = TextStyle::new(Typeface::Serif, 50);
/// Height of the heads of the columns.
pub(super) const HEAD_HEIGHT: Length = Length::tenths(50);
const LEAST: Length = Length::decipoints(35);
/// Least lines of a long row on the sheet where it begins.
const LEAST_LINES: usize = 4;
/// Most sheets that blocks may fill before the first item.
const MOST_BLOCKS: usize = 20;

/// Items as lines of their columns.
#[derive(Default)]
pub(super) struct ItemRows<'x> {
    /// Entries of all rows, row by row.
    entries: Vec<ColumnEntry<'x>>,
    rows: Vec<ItemRow>,
}

/// An item: its number of lines, and the end of its entries.
struct ItemRow {
    lines: usize,
    end: usize,
}

/// Lines of a row on one sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowSlice {
    pub(super) row: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// All items as rows for the columns of a table.
pub(super) fn rows<'x>(context: &DanfeContext<'x>, frames: &[Frame], columns: &[ItemColumn]) -> ItemRows<'x> {
    let count = context.note.all("", "det").count();
    // a description takes a few lines, taxes two entries each
    let mut rows = ItemRows { entries: Vec::with_capacity(count * columns.len() * 2), rows: Vec::with_capacity(count) };
    for det in context.note.all("", "det") {
        let item = DanfeItem::of(det, context.reform);
        let mut most = 1;
        for (place, (column, frame)) in columns.iter().zip(frames).enumerate() {
            let mut lines = ColumnLines { entries: &mut rows.entries, column: place, line: 0 };
            let width = frame.width - PADDING * 2;
            match column.content {
                columns::ColumnContent::Code => lines.wrapped(item.prod("cProd").into(), width),
                columns::ColumnContent::Description => {
                    let text = describe::item(&item, context.reform);
                    text.into_iter().for_each(|paragraph| lines.wrapped(paragraph, width));
                }
                columns::ColumnContent::Figures(figures) => figures(&item, &mut lines),
            }
            most = most.max(lines.line);
        }
        rows.rows.push(ItemRow { lines: most, end: rows.entries.len() });
    }
    rows
}

/// Height of a number of lines of a row.
fn height(lines: usize) -> Length {
    TYPE.leading().times(lines) + PADDING
}

/// Distributes the rows over sheets by the room of each. A row stays whole unless it is taller than a sheet, or the
/// first sheet would have no row.
pub(super) fn distribute(rows: &ItemRows<'_>, room: &dyn Fn(usize) -> Length) -> Vec<Vec<RowSlice>> {
    let mut sheets = vec![Vec::new()];
    let (mut left, whole) = (room(0), room(usize::MAX));
    for (place, row) in rows.rows.iter().enumerate() {
        let mut from = 0;
        while from < row.lines {
            let all = row.lines - from;
            let fitting = (left - PADDING).fits(TYPE.leading()).min(all);
            let cut = height(all) > whole || (place == 0 && from == 0);
            let taken = if fitting == all || (cut && fitting > 0) { fitting } else { 0 };
            if taken == 0 {
                left = room(sheets.len());
                // sheets without room for a single line would never end
                if sheets.len() > MOST_BLOCKS {
                    left = left.max(height(1));
                }
                sheets.push(Vec::new());
                continue;
            }
            if let Some(sheet) = sheets.last_mut() {
                sheet.push(RowSlice { row: place, from, to: from + taken });
            }
            left -= height(taken);
            from += taken;
        }
    }
    sheets
}

/// Height of a sheet's slices.
pub(super) fn used(slices: &[RowSlice]) -> Length {
    slices.iter().map(|slice| height(slice.to - slice.from)).sum()
}

/// Draws the outline of a table, the lines between its columns and their heads.
pub(super) fn draw_frame(sheet: &mut Sheet<'_>, area: Frame, columns: &[ItemColumn]) {
    sheet.outline(area, STROKE);
    let frames = columns::frames(area, columns);
    for frame in frames.iter().filter(|frame| frame.x > area.x) {
        sheet.down(frame.x, area.y, area.height, STROKE);
    }
    sheet.across(area.x, area.y + HEAD_HEIGHT, area.width, STROKE);
    for (frame, column) in frames.iter().zip(columns) {
        draw_head(sheet, Frame { height: HEAD_HEIGHT, ..*frame }, column);
    }
}

/// Draws slices, with a line below each. Every line belongs to a single slice, so its texts are moved out.
pub(super) fn draw<'x>(
    sheet: &mut Sheet<'x>,
    area: Frame,
    columns: &[ItemColumn],
    rows: &mut ItemRows<'x>,
    slices: &[RowSlice],
) {
    let frames = columns::frames(area, columns);
    let entries = slices.iter().map(|slice| rows.entries_of(slice.row).len() + 1).sum();
    sheet.marks.reserve(entries);
    let mut y = area.y + HEAD_HEIGHT;
    for slice in slices {
        draw_slice(sheet, y, &frames, rows.entries_of(slice.row), *slice);
        y += height(slice.to - slice.from);
        if y < area.bottom() {
            sheet.across(area.x, y, area.width, STROKE / 2);
        }
    }
}

impl<'x> ItemRows<'x> {
    /// Least room for items on a sheet: for the first item, or for the beginning of a long one.
    pub(super) fn least(&self) -> Length {
        height(self.rows.first().map_or(1, |row| row.lines.min(LEAST_LINES)))
    }

    fn entries_of(&mut self, row: usize) -> &mut [ColumnEntry<'x>] {
        let end = |place: usize| self.rows.get(place).map_or(0, |row| row.end);
        let (from, to) = (row.checked_sub(1).map_or(0, end), end(row));
        self.entries.get_mut(from..to).unwrap_or_default()
    }
}

fn draw_head(sheet: &mut Sheet<'_>, frame: Frame, column: &ItemColumn) {
    let room = frame.inside(Length::tenths(3));
    let mut line = Frame { y: frame.y + (frame.height - HEAD.leading().times(column.head.len())) / 2, ..room };
    for head in column.head {
        let size = text::fitting(head, HEAD.face, room.width, HEAD.size, LEAST).unwrap_or(LEAST);
        sheet.line(line, TextStyle { size, align: TextAlign::Centre, ..HEAD }, *head);
        line.y += HEAD.leading();
    }
}

fn draw_slice<'x>(
    sheet: &mut Sheet<'x>,
    top: Length,
    frames: &[Frame],
    entries: &mut [ColumnEntry<'x>],
    slice: RowSlice,
) {
    let (top, leading) = (top + PADDING / 2, TYPE.leading());
    for entry in entries.iter_mut().filter(|entry| (slice.from..slice.to).contains(&entry.line)) {
        let Some(frame) = frames.get(entry.column) else { continue };
        let y = top + leading.times(entry.line - slice.from);
        draw_entry(sheet, Frame::new(frame.x + PADDING, y, frame.width - PADDING * 2, leading), entry);
    }
}

fn draw_entry<'x>(sheet: &mut Sheet<'x>, room: Frame, entry: &mut ColumnEntry<'x>) {
    let (from, to) = entry.span;
    let x = room.x + room.width.part(from, 100);
    let mut room = Frame { x, width: room.width.part(to, 100) - room.width.part(from, 100), ..room };
    let (mut size, mut width) = (TYPE.size, TYPE.face.width(&entry.text, TYPE.size));
    if width > room.width {
        size = text::fitting(&entry.text, TYPE.face, room.width, TYPE.size, LEAST / 2).unwrap_or(LEAST / 2);
        width = TYPE.face.width(&entry.text, size);
        // smaller type keeps the base line of its row
        room.y += TYPE.face.ascent(TYPE.size) - TYPE.face.ascent(size);
    }
    sheet.measured(room, TextStyle { size, align: entry.align, ..TYPE }, std::mem::take(&mut entry.text), width);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[usize]) -> ItemRows<'static> {
        ItemRows { entries: Vec::new(), rows: lines.iter().map(|lines| ItemRow { lines: *lines, end: 0 }).collect() }
    }

    #[test]
    fn every_line_of_every_row_stands_on_one_sheet() {
        let rows = rows(&[1, 3, 60, 2, 2, 1, 5]);
        let sheets = distribute(&rows, &|page| if page == 0 { height(4) } else { height(10) });
        let mut seen = vec![0; rows.rows.len()];
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
