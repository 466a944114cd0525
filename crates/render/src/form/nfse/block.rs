//! What the DANFSe is made of: blocks of rows of labelled fields in four columns, lines that stand for a whole block, and free text.
//!
//! Law: NT 008, 2.2.3 (lines, shades), 2.4 (type), 2.4.5 (columns and heights). A field that needs it takes a second line (2.1).

use super::mark::Across;
use crate::paper::{Align, Face, Frame, Length, Mark, Sheet, Style, text};
use std::borrow::Cow;

/// Type of contents.
pub(super) const CONTENT: Style = Style::new(Face::Sans, 70);
/// Titles of blocks, and labels of the identification.
pub(super) const CAPITALS: Style = Style::new(Face::SansBold, 70);
const LABEL: Style = Style::new(Face::SansBold, 60);
const DIVIDER: Length = Length::decipoints(5);
const BORDER: Length = Length::decipoints(10);
/// 5 % of black.
const SHADE: u8 = 242;

/// Left edges of the columns, and where each ends.
const COLUMNS: [(i32, i32); 4] = [(30, 539), (541, 1050), (1051, 1560), (1562, 2070)];
/// Between the edge of a field and its text.
pub(super) const BESIDE: Length = Length::tenths(6);
const ABOVE: Length = Length::tenths(5);
/// Between two rows.
const GAP: Length = Length::tenths(1);
/// Heights: of a row, of one of the identification and of the totals, of a line that stands for a block, of the strip of a title.
const ROW: Length = Length::tenths(63);
const HIGH_ROW: Length = Length::tenths(67);
const LINE: Length = Length::tenths(38);

/// Where something of so many columns stands, from a column on.
pub(super) fn across(first: usize, columns: usize) -> (Length, Length) {
    let last = (first + columns.max(1) - 1).min(COLUMNS.len() - 1);
    let (from, to) = (COLUMNS[first.min(last)].0, COLUMNS[last].1);
    (Length::tenths(from), Length::tenths(to - from))
}

/// A sheet, and what is shaded on it.
pub(super) struct Page<'x> {
    pub(super) sheet: Sheet<'x>,
    shades: Vec<Frame>,
}

impl<'x> Page<'x> {
    pub(super) fn new() -> Page<'x> {
        let mut sheet = Sheet::new(Length::mm(210), Length::mm(297));
        let whole = Frame::new(Length::ZERO, Length::ZERO, sheet.width, sheet.height);
        // the law wants it between 1.5 and 2 mm from the edge
        sheet.outline(whole.inside(Length::tenths(18)), BORDER);
        Page { sheet, shades: Vec::new() }
    }

    pub(super) fn shade(&mut self, frame: Frame) {
        self.shades.push(frame);
    }

    /// The line above a block.
    pub(super) fn divide(&mut self, y: Length) {
        let (x, width) = across(0, 4);
        self.sheet.across(x, y, width, DIVIDER);
    }

    /// The sheet with its mark behind the text, and the shades behind both.
    pub(super) fn finished(self, mark: Option<Across>) -> Sheet<'x> {
        let Page { mut sheet, shades } = self;
        if let Some(mark) = mark {
            mark.draw(&mut sheet);
        }
        sheet.marks.insert(0, Mark::Fill { frames: shades, grey: SHADE });
        sheet
    }
}

/// A labelled field.
pub(super) struct Field<'x> {
    label: &'static str,
    content: Cow<'x, str>,
    columns: usize,
    /// Columns left empty before it.
    skipped: usize,
    shaded: bool,
    style: Style,
}

/// A field of one column; a dash stands for what is not told (note 12).
pub(super) fn field<'x>(label: &'static str, content: impl Into<Cow<'x, str>>) -> Field<'x> {
    let content = content.into();
    let content = if content.is_empty() { Cow::Borrowed("-") } else { content };
    Field { label, content, columns: 1, skipped: 0, shaded: false, style: LABEL }
}

impl<'x> Field<'x> {
    /// Of so many columns.
    pub(super) fn over(self, columns: usize) -> Field<'x> {
        Field { columns, ..self }
    }

    /// Shaded like a title.
    pub(super) fn shaded(self) -> Field<'x> {
        Field { shaded: true, ..self }
    }

    /// So many empty columns behind the one before.
    pub(super) fn behind(self, skipped: usize) -> Field<'x> {
        Field { skipped, ..self }
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

fn inside(frame: Frame) -> Frame {
    Frame { x: frame.x + BESIDE, y: frame.y + ABOVE, width: frame.width - BESIDE * 2, height: frame.height - ABOVE }
}

/// Lines of a content, no more than may be; dots stand for the rest.
fn capped(content: &str, width: Length, most: usize) -> Vec<String> {
    let lines = text::lines(content, CONTENT.face, CONTENT.size, width);
    let too_many = lines.len() > most;
    let mut kept: Vec<String> = lines.into_iter().take(most).map(str::to_owned).collect();
    if let Some(last) = kept.last_mut().filter(|_| too_many) {
        *last = dotted(last, width);
    }
    kept
}

fn dotted(line: &str, width: Length) -> String {
    text::shortened(&format!("{}...", line.trim_end_matches('.')), CONTENT.face, CONTENT.size, width)
}

/// Fields side by side, behind the title of their block when they are its first.
pub(super) struct Row<'x> {
    title: &'static str,
    fields: Vec<Field<'x>>,
    height: Length,
}

/// Fields side by side.
pub(super) fn row<'x>(fields: impl Into<Vec<Field<'x>>>) -> Row<'x> {
    Row { title: "", fields: fields.into(), height: ROW }
}

impl<'x> Row<'x> {
    /// Behind the title of a block.
    pub(super) fn titled(self, title: &'static str) -> Row<'x> {
        Row { title, ..self }
    }

    /// As high as those of the identification and of the totals.
    pub(super) fn high(self) -> Row<'x> {
        Row { height: HIGH_ROW, ..self }
    }

    /// Of the identification: labels in capitals, and as high as those of the totals or higher.
    pub(super) fn capital(mut self) -> Row<'x> {
        self.height = self.height.max(HIGH_ROW);
        self.fields.iter_mut().for_each(|field| field.style = CAPITALS);
        self
    }

    /// Of a height of its own.
    pub(super) fn of(self, height: Length) -> Row<'x> {
        Row { height, ..self }
    }

    /// Whether any field says something.
    pub(super) fn says_something(&self) -> bool {
        self.fields.iter().any(|field| field.content != "-")
    }

    fn first(&self) -> usize {
        usize::from(!self.title.is_empty())
    }

    fn height(&self, most: usize) -> Length {
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

    fn draw(self, page: &mut Page<'x>, y: Length, most: usize) {
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

/// A title in the middle of its height.
fn draw_title(page: &mut Page<'_>, frame: Frame, title: &'static str) {
    page.shade(frame);
    let room = Frame { x: frame.x + BESIDE, width: frame.width - BESIDE * 2, ..frame };
    let lines = text::lines(title, CAPITALS.face, CAPITALS.size, room.width);
    let above = (frame.height - CAPITALS.leading().times(lines.len())) / 2;
    page.sheet.lines(room.split_top(above).1, CAPITALS, lines.into_iter().map(str::to_owned));
}

/// Free text, below its label when it has one.
pub(super) struct Words {
    label: &'static str,
    lines: Vec<String>,
}

impl Words {
    /// As many lines as the text takes over the whole width.
    pub(super) fn new(label: &'static str, content: &str) -> Words {
        let lines = text::lines(content, CONTENT.face, CONTENT.size, text_width());
        Words { label, lines: lines.into_iter().map(str::to_owned).collect() }
    }

    pub(super) fn wanted(&self) -> usize {
        self.lines.len()
    }

    /// Keeps so many lines; dots stand for the rest.
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

/// What a block is made of, from the top.
pub(super) enum Piece<'x> {
    Row(Row<'x>),
    /// A title over the whole width.
    Strip(&'static str),
    /// Stands for the whole block.
    Instead(&'static str),
    /// Text without a label, never cut but as a field.
    Plain(Cow<'x, str>),
    Words(Words),
}

impl Piece<'_> {
    /// Without the lines of free text.
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

    /// Rows, of which the first has the title.
    pub(super) fn rows(title: &'static str, rows: Vec<Row<'x>>) -> Block<'x> {
        let mut rows = rows.into_iter();
        let first = rows.next().map(|row| row.titled(title));
        Block::new(first.into_iter().chain(rows).map(Piece::Row).collect())
    }

    /// One line that stands for the whole.
    pub(super) fn instead(line: &'static str) -> Block<'x> {
        Block::new(vec![Piece::Instead(line)])
    }

    /// The same block with more below.
    pub(super) fn with(mut self, more: impl IntoIterator<Item = Piece<'x>>) -> Block<'x> {
        self.pieces.extend(more);
        self
    }

    /// Without the lines of free text.
    pub(super) fn height(&self, most: usize) -> Length {
        self.pieces.iter().map(|piece| piece.height(most)).sum()
    }

    /// Lines of free text.
    pub(super) fn wanted(&self) -> usize {
        self.pieces.iter().map(|piece| if let Piece::Words(words) = piece { words.wanted() } else { 0 }).sum()
    }

    /// Its free text.
    pub(super) fn words(&mut self) -> Option<&mut Words> {
        self.pieces.iter_mut().find_map(|piece| if let Piece::Words(words) = piece { Some(words) } else { None })
    }

    /// Draws it from a height downwards; gives where it ends.
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
