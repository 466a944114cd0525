//! Blocks of labelled cells, which make up most of a form.
//!
//! A content that does not fit one line at 6 points takes more lines and makes its row higher.
//!
//! Law: MOC 7.0, Anexo II, 3.7 (sizes of type): titles and labels 6 points, contents 10 points where they fit.

use crate::paper::{Frame, Length, Sheet, TextAlign, TextStyle, Typeface, text};
use std::borrow::Cow;

/// Height of a row whose contents take one line each.
pub(crate) const ROW: Length = Length::tenths(70);
/// Height of a block's title.
pub(crate) const TITLE: Length = Length::tenths(32);
/// Thickness of lines.
pub(crate) const STROKE: Length = Length::decipoints(5);
/// Space between a line and the text beside it.
pub(crate) const PADDING: Length = Length::tenths(6);
/// Space beside the content of a cell.
const BESIDE: Length = Length::tenths(8);

const TITLE_STYLE: TextStyle = TextStyle::new(Typeface::SerifBold, 60);
const LABEL: TextStyle = TextStyle::new(Typeface::Serif, 60);
const MOST: Length = Length::decipoints(100);
const LEAST: Length = Length::decipoints(35);
/// Most lines of a content that make its row higher.
const MOST_LINES: usize = 5;

/// A labelled cell.
pub(crate) struct GridCell<'x> {
    label: &'static str,
    content: Cow<'x, str>,
    /// Tenths of a millimetre; `None` shares the remaining width.
    width: Option<i32>,
    face: Typeface,
    align: TextAlign,
}

/// A titled block of rows.
pub(crate) struct Grid<'x> {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Vec<GridCell<'x>>>,
}

impl<'x> GridCell<'x> {
    /// Cell with a text at the left.
    pub(crate) fn text(label: &'static str, content: impl Into<Cow<'x, str>>) -> GridCell<'x> {
        GridCell { label, content: content.into(), width: None, face: Typeface::Serif, align: TextAlign::Left }
    }

    /// Cell with an amount at the right.
    pub(crate) fn money(label: &'static str, content: &str) -> GridCell<'x> {
        let content = Cow::Owned(super::value::amount(content));
        GridCell { label, content, width: None, face: Typeface::Serif, align: TextAlign::Right }
    }

    /// Sets a fixed width in tenths of a millimetre.
    pub(crate) fn wide(self, tenths: i32) -> GridCell<'x> {
        GridCell { width: Some(tenths), ..self }
    }

    pub(crate) fn bold(self) -> GridCell<'x> {
        GridCell { face: Typeface::SerifBold, ..self }
    }

    pub(crate) fn centred(self) -> GridCell<'x> {
        GridCell { align: TextAlign::Centre, ..self }
    }

    pub(crate) fn right(self) -> GridCell<'x> {
        GridCell { align: TextAlign::Right, ..self }
    }

    /// Lines of the content in a cell of this width.
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
        let label = TextStyle { size: label_size(self.label, room.width), ..LABEL };
        sheet.line(room, label, self.label);
        // contents of a row share a base line, whatever the size of their labels
        let (_, room) = room.split_top(LABEL.leading());
        fitted(sheet, room, self.face, self.align, self.content);
    }
}

/// Size in which a label fits on one line of its cell.
fn label_size(label: &str, width: Length) -> Length {
    text::fitting(label, Typeface::Serif, width, LABEL.size, LEAST).unwrap_or(LEAST)
}

/// Draws a text in the largest size that fits: on one line down to 6 points, then on several.
pub(crate) fn fitted<'x>(sheet: &mut Sheet<'x>, room: Frame, face: Typeface, align: TextAlign, content: Cow<'x, str>) {
    if content.trim().is_empty() {
        return;
    }
    let most = TextStyle { face, size: LABEL.size, align };
    match text::fitting(&content, face, room.width, MOST, most.size).map(|size| TextStyle { size, ..most }) {
        Some(style) if style.leading() <= room.height => sheet.line(room, style, content),
        _ => {
            block(sheet, room, most, &content);
        }
    }
}

/// Draws lines in the size of a style, or in the largest smaller size that fits the room; returns their height. A legal
/// text is never cut: only one far beyond the layout's limits ends with dots.
pub(crate) fn block(sheet: &mut Sheet<'_>, room: Frame, mut style: TextStyle, content: &str) -> Length {
    loop {
        let lines = text::lines(content, style.face, style.size, room.width);
        let fitting = room.height.fits(style.leading()).max(1);
        if lines.len() <= fitting || style.size <= LEAST {
            return sheet.lines(room, style, capped(lines, fitting, style, room.width));
        }
        style.size -= Length::decipoints(5);
    }
}

fn capped(lines: Vec<&str>, most: usize, style: TextStyle, width: Length) -> Vec<String> {
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

    /// Draws the block at the top of a frame; each row is as high as its contents need.
    pub(crate) fn draw(self, sheet: &mut Sheet<'x>, frame: Frame) {
        self.draw_rows(sheet, frame, row_height);
    }

    /// Draws the block with rows of one line; longer contents are printed smaller.
    pub(crate) fn draw_least(self, sheet: &mut Sheet<'x>, frame: Frame) {
        self.draw_rows(sheet, frame, |_, _| ROW);
    }

    fn draw_rows(self, sheet: &mut Sheet<'x>, frame: Frame, height: fn(&[GridCell<'_>], Length) -> Length) {
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

/// Draws a block's title; returns the room below it.
pub(crate) fn title(sheet: &mut Sheet<'_>, frame: Frame, text: &'static str) -> Frame {
    let (line, below) = frame.split_top(TITLE);
    let room = Frame { y: line.y + Length::tenths(7), height: line.height - Length::tenths(7), ..line };
    sheet.line(room, TITLE_STYLE, text);
    below
}

/// Height of a row: one line, or the most lines of its contents.
fn row_height(row: &[GridCell<'_>], width: Length) -> Length {
    let lines = row.iter().zip(widths(row, width)).map(|(cell, width)| cell.lines(width)).max().unwrap_or(1);
    let content = LABEL.leading().times(lines.min(MOST_LINES));
    ROW.max(PADDING + LABEL.leading() + content)
}

/// Widths of a row's cells. Cells without a width share the rest, and the last one ends with the row.
fn widths(row: &[GridCell<'_>], width: Length) -> Vec<Length> {
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

pub(crate) fn draw_row<'x>(sheet: &mut Sheet<'x>, line: Frame, row: Vec<GridCell<'x>>) {
    let mut rest = line;
    for (width, cell) in widths(&row, line.width).into_iter().zip(row) {
        let (frame, beside) = rest.split_left(width);
        rest = beside;
        cell.draw(sheet, frame);
    }
}

/// Largest frame of a picture's proportions, centred in another.
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
