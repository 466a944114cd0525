//! Blocks of labelled cells: most of a form is one of these, so most of a form is data.
//!
//! Law: MOC 7.0, Anexo II, 3.7 (sizes of type): titles and labels 6 points, contents 10 points where they fit. A
//! content that one line does not hold at 6 points takes more lines, and its row is as high as they need.

use crate::paper::{Align, Face, Frame, Length, Sheet, Style, text};
use std::borrow::Cow;

/// Height of a row of cells whose contents take one line each.
pub(crate) const ROW: Length = Length::tenths(70);
/// Height of a block's title.
pub(crate) const TITLE: Length = Length::tenths(32);
/// Thickness of every line.
pub(crate) const STROKE: Length = Length::decipoints(5);
/// Between a line and the text beside it.
pub(crate) const PADDING: Length = Length::tenths(6);
/// The same beside the content of a cell.
const BESIDE: Length = Length::tenths(8);

const TITLE_STYLE: Style = Style::new(Face::SerifBold, 60);
const LABEL: Style = Style::new(Face::Serif, 60);
const MOST: Length = Length::decipoints(100);
const LEAST: Length = Length::decipoints(35);
/// Lines of the longest content that a row makes room for.
const MOST_LINES: usize = 5;

/// A labelled cell.
pub(crate) struct Cell<'x> {
    label: &'static str,
    content: Cow<'x, str>,
    /// Tenths of a millimetre; none takes what is left.
    width: Option<i32>,
    face: Face,
    align: Align,
}

/// A titled block of rows.
pub(crate) struct Grid<'x> {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Vec<Cell<'x>>>,
}

impl<'x> Cell<'x> {
    /// A text at the left.
    pub(crate) fn text(label: &'static str, content: impl Into<Cow<'x, str>>) -> Cell<'x> {
        Cell { label, content: content.into(), width: None, face: Face::Serif, align: Align::Left }
    }

    /// An amount at the right.
    pub(crate) fn money(label: &'static str, content: &str) -> Cell<'x> {
        let content = Cow::Owned(super::value::amount(content));
        Cell { label, content, width: None, face: Face::Serif, align: Align::Right }
    }

    /// Of a fixed width in tenths of a millimetre.
    pub(crate) fn wide(self, tenths: i32) -> Cell<'x> {
        Cell { width: Some(tenths), ..self }
    }

    /// In bold.
    pub(crate) fn bold(self) -> Cell<'x> {
        Cell { face: Face::SerifBold, ..self }
    }

    /// In the middle.
    pub(crate) fn centred(self) -> Cell<'x> {
        Cell { align: Align::Centre, ..self }
    }

    /// At the right.
    pub(crate) fn right(self) -> Cell<'x> {
        Cell { align: Align::Right, ..self }
    }

    /// Lines that the content takes in a cell of this width.
    fn lines(&self, width: Length) -> usize {
        let (room, content) = (width - BESIDE * 2, self.content.trim());
        match text::fitting(content, self.face, room, LABEL.size, LABEL.size) {
            Some(_) => 1,
            None => text::lines(content, self.face, LABEL.size, room).len(),
        }
    }

    fn draw(self, sheet: &mut Sheet<'x>, frame: Frame) {
        sheet.outline(frame, STROKE);
        let room = Frame { y: frame.y + PADDING / 2, height: frame.height - PADDING, ..frame.inside(BESIDE) };
        let label = Style { size: label_size(self.label, room.width), ..LABEL };
        sheet.line(room, label, self.label);
        // contents of a row stand on one line, whatever became of a label
        let (_, room) = room.split_top(LABEL.leading());
        fitted(sheet, room, self.face, self.align, self.content);
    }
}

/// A label keeps to one line in its cell.
fn label_size(label: &str, width: Length) -> Length {
    text::fitting(label, Face::Serif, width, LABEL.size, LEAST).unwrap_or(LEAST)
}

/// A text in the largest size in which it fits its room: in one line down to 6 points, then in several.
pub(crate) fn fitted<'x>(sheet: &mut Sheet<'x>, room: Frame, face: Face, align: Align, content: Cow<'x, str>) {
    if content.trim().is_empty() {
        return;
    }
    let most = Style { face, size: LABEL.size, align };
    match text::fitting(&content, face, room.width, MOST, most.size).map(|size| Style { size, ..most }) {
        Some(style) if style.leading() <= room.height => sheet.line(room, style, content),
        _ => {
            block(sheet, room, most, &content);
        }
    }
}

/// Lines in the size of a style, or in the largest smaller one in which all of them fit the room; gives the height they
/// took. No legal text is cut: one far beyond the layout's limits ends with dots.
pub(crate) fn block(sheet: &mut Sheet<'_>, room: Frame, mut style: Style, content: &str) -> Length {
    loop {
        let lines = text::lines(content, style.face, style.size, room.width);
        let fitting = room.height.fits(style.leading()).max(1);
        if lines.len() <= fitting || style.size <= LEAST {
            return sheet.lines(room, style, capped(lines, fitting, style, room.width));
        }
        style.size -= Length::decipoints(5);
    }
}

fn capped(lines: Vec<&str>, most: usize, style: Style, width: Length) -> Vec<String> {
    let too_many = lines.len() > most;
    let mut kept: Vec<String> = lines.into_iter().take(most).map(str::to_owned).collect();
    if let Some(last) = kept.last_mut().filter(|_| too_many) {
        *last = text::shortened(&format!("{last}..."), style.face, style.size, width);
    }
    kept
}

impl<'x> Grid<'x> {
    /// Height of the block in a form of this width.
    pub(crate) fn height(&self, width: Length) -> Length {
        let grown = self.rows.iter().map(|row| row_height(row, width) - ROW).sum::<Length>();
        self.least_height() + grown
    }

    /// Height of the block with every content on one line.
    pub(crate) fn least_height(&self) -> Length {
        let title = if self.title.is_empty() { Length::ZERO } else { TITLE };
        title + ROW.times(self.rows.len())
    }

    /// Draws the block at the top of a frame, each row as high as its contents need.
    pub(crate) fn draw(self, sheet: &mut Sheet<'x>, frame: Frame) {
        self.draw_rows(sheet, frame, row_height);
    }

    /// Draws the block with rows of one line: contents that need more are smaller.
    pub(crate) fn draw_least(self, sheet: &mut Sheet<'x>, frame: Frame) {
        self.draw_rows(sheet, frame, |_, _| ROW);
    }

    fn draw_rows(self, sheet: &mut Sheet<'x>, frame: Frame, height: fn(&[Cell<'_>], Length) -> Length) {
        let mut rest = frame;
        if !self.title.is_empty() {
            rest = title(sheet, frame, self.title);
        }
        for row in self.rows {
            let (line, below) = rest.split_top(height(&row, frame.width));
            rest = below;
            draw_row(sheet, line, row);
        }
    }
}

/// A block's title; gives what is left below it.
pub(crate) fn title(sheet: &mut Sheet<'_>, frame: Frame, text: &'static str) -> Frame {
    let (line, below) = frame.split_top(TITLE);
    let room = Frame { y: line.y + Length::tenths(7), height: line.height - Length::tenths(7), ..line };
    sheet.line(room, TITLE_STYLE, text);
    below
}

/// Height of a row: that of one line, or more where a content needs more lines.
fn row_height(row: &[Cell<'_>], width: Length) -> Length {
    let lines = row.iter().zip(widths(row, width)).map(|(cell, width)| cell.lines(width)).max().unwrap_or(1);
    let content = LABEL.leading().times(lines.min(MOST_LINES));
    ROW.max(PADDING + LABEL.leading() + content)
}

/// Widths of the cells of a row; those without one share what is left, and the last one ends with the row.
fn widths(row: &[Cell<'_>], width: Length) -> Vec<Length> {
    let fixed: Length = row.iter().filter_map(|cell| cell.width).map(Length::tenths).sum();
    let sharing = i32::try_from(row.iter().filter(|cell| cell.width.is_none()).count()).unwrap_or(1).max(1);
    let share = (width - fixed) / sharing;
    let mut widths: Vec<Length> = row.iter().map(|cell| cell.width.map_or(share, Length::tenths)).collect();
    let used: Length = widths.iter().copied().sum();
    if let Some(last) = widths.last_mut() {
        *last += width - used;
    }
    widths
}

/// A row of cells.
pub(crate) fn draw_row<'x>(sheet: &mut Sheet<'x>, line: Frame, row: Vec<Cell<'x>>) {
    let mut rest = line;
    for (width, cell) in widths(&row, line.width).into_iter().zip(row) {
        let (frame, beside) = rest.split_left(width);
        rest = beside;
        cell.draw(sheet, frame);
    }
}

/// The largest frame of a picture's proportions, in the middle of another.
pub(crate) fn contained(room: Frame, (width, height): (u32, u32)) -> Frame {
    let side = |pixels: u32| i64::from(pixels.max(1));
    let (across, down) = (i64::from(room.width.thousandths()), i64::from(room.height.thousandths()));
    let by_height = down * side(width) / side(height);
    let (across, down) =
        if by_height <= across { (by_height, down) } else { (across, across * side(height) / side(width)) };
    let length = |thousandths: i64| Length::new(i32::try_from(thousandths).unwrap_or(i32::MAX));
    let (across, down) = (length(across), length(down));
    Frame::new(room.x + (room.width - across) / 2, room.y + (room.height - down) / 2, across, down)
}
