//! Content that may continue on further sheets: tables of short rows side by side, and texts. Each is drawn as far as
//! it fits.
//!
//! Law: MOC CT-e 4.00, Anexo II (further sheets have the same columns and widths; a dashed line separates rows of
//! several lines).

use crate::form::grid::{PADDING, STROKE, TITLE, title};
use crate::paper::{Frame, Length, Sheet, SheetMark, TextAlign, TextStyle, Typeface, text};
use std::borrow::Cow;
use std::collections::VecDeque;

/// Type of rows and texts.
pub(super) const TYPE: TextStyle = TextStyle::new(Typeface::Serif, 70);
const SMALL: TextStyle = TextStyle::new(Typeface::Serif, 60);
const HEAD: TextStyle = TextStyle::new(Typeface::Serif, 60);
/// Height of the columns' heads.
pub(super) const HEAD_HEIGHT: Length = Length::tenths(30);
/// Most lines of an entry; no legal entry has as many.
const MOST_LINES: usize = 12;

/// A column of a table.
pub(super) struct TableColumn {
    pub(super) head: &'static str,
    /// Tenths of a millimetre; 0 takes the rest.
    pub(super) width: i32,
    pub(super) align: TextAlign,
}

/// Rows side by side under the heads of their columns.
pub(super) struct FlowTable<'x> {
    pub(super) title: &'static str,
    /// Title on further sheets.
    pub(super) continued: &'static str,
    pub(super) columns: &'static [TableColumn],
    /// Number of rows side by side.
    pub(super) across: usize,
    pub(super) bands: VecDeque<TableBand<'x>>,
}

/// Content at one height of a table.
pub(super) enum TableBand<'x> {
    /// Heading over the whole width.
    Heading(String),
    /// Rows side by side.
    Rows(Vec<TableRow<'x>>),
}

/// Text of each column.
pub(super) type TableRow<'x> = Vec<Cow<'x, str>>;

/// A text under a title.
pub(super) struct FlowText {
    pub(super) title: &'static str,
    pub(super) continued: &'static str,
    pub(super) text: String,
    /// Least height of the box.
    pub(super) least: Length,
}

pub(super) enum Flow<'x> {
    Table(FlowTable<'x>),
    Words(FlowText),
}

impl<'x> FlowTable<'x> {
    /// Adds rows, several side by side.
    pub(super) fn extend(&mut self, rows: impl Iterator<Item = TableRow<'x>>) {
        let mut rows = rows.peekable();
        while rows.peek().is_some() {
            self.bands.push_back(TableBand::Rows(rows.by_ref().take(self.across).collect()));
        }
    }

    /// Frames of the columns, for all rows side by side.
    fn frames(&self, area: Frame) -> Vec<Frame> {
        let weights = vec![1; self.across];
        let fixed: Length = self.columns.iter().map(|column| Length::tenths(column.width)).sum();
        let mut frames = Vec::with_capacity(self.across * self.columns.len());
        for mut rest in area.columns(&weights) {
            let left = rest.width - fixed;
            for column in self.columns {
                let width = if column.width == 0 { left } else { Length::tenths(column.width) };
                let (frame, beside) = rest.split_left(width);
                frames.push(frame);
                rest = beside;
            }
        }
        frames
    }

    /// Draws title, heads and as many bands as fit, in an outline that fills the frame or ends with its content;
    /// returns the height used. Draws nothing when not even one band fits.
    pub(super) fn draw(&mut self, sheet: &mut Sheet<'x>, frame: Frame, fills: bool) -> Length {
        let mut body = frame.split_top(TITLE).1;
        let frames = self.frames(body);
        let mut fitting = Vec::new();
        let mut used = HEAD_HEIGHT + PADDING;
        while let Some(band) = self.bands.front() {
            let lines = BandLines::of(band, &frames, body.width);
            if used + lines.height > body.height {
                break;
            }
            used += lines.height;
            fitting.push(lines);
            self.bands.pop_front();
        }
        if fitting.is_empty() && !(fills && self.bands.is_empty()) {
            return Length::ZERO;
        }
        title(sheet, frame, self.title);
        self.title = self.continued;
        body.height = if fills { body.height } else { used };
        self.draw_frame(sheet, body, &frames);
        let mut y = body.y + HEAD_HEIGHT + PADDING / 2;
        let mut parted_from = body.y;
        let last = fitting.len().saturating_sub(1);
        for (place, lines) in fitting.into_iter().enumerate() {
            if lines.heading {
                self.part(sheet, &frames, parted_from, y);
                parted_from = y + lines.height;
            }
            let (height, parted) = (lines.height, lines.parted && place < last);
            lines.draw(sheet, y, self.columns, &frames, body);
            y += height;
            if parted {
                let (from, to) = ((body.x, y), (body.right(), y));
                sheet.marks.push(SheetMark::Rule { from, to, thickness: STROKE / 2, dashed: true });
            }
        }
        self.part(sheet, &frames, parted_from, body.bottom());
        TITLE + body.height
    }

    fn draw_frame(&self, sheet: &mut Sheet<'x>, body: Frame, frames: &[Frame]) {
        sheet.outline(body, STROKE);
        sheet.across(body.x, body.y + HEAD_HEIGHT, body.width, STROKE / 2);
        for (frame, column) in frames.iter().zip(self.columns.iter().cycle()) {
            let room = Frame { x: frame.x + PADDING, width: frame.width - PADDING * 2, ..body };
            sheet.line(Frame { y: body.y + Length::tenths(3), ..room }, HEAD.aligned(column.align), column.head);
        }
    }

    /// Draws lines between the rows side by side.
    fn part(&self, sheet: &mut Sheet<'x>, frames: &[Frame], from: Length, to: Length) {
        for frame in frames.iter().step_by(self.columns.len().max(1)).skip(1).filter(|_| to > from) {
            sheet.down(frame.x, from, to - from, STROKE);
        }
    }

    /// Height of the whole table.
    fn height(&self, width: Length) -> Length {
        let frames = self.frames(Frame { width, ..Frame::default() });
        let bands = self.bands.iter().map(|band| BandLines::of(band, &frames, width).height).sum::<Length>();
        TITLE + HEAD_HEIGHT + PADDING + bands
    }
}

/// Lines of a band.
struct BandLines<'x> {
    /// Column, type and lines of each cell.
    cells: Vec<(usize, TextStyle, Vec<Cow<'x, str>>)>,
    heading: bool,
    parted: bool,
    height: Length,
}

impl<'x> BandLines<'x> {
    fn of(band: &TableBand<'x>, frames: &[Frame], width: Length) -> BandLines<'x> {
        match band {
            TableBand::Heading(words) => {
                let style = TextStyle::new(Typeface::SerifBold, 60);
                let line = text::shortened(words, style.face, style.size, width - PADDING * 2);
                let cells = vec![(0, style, vec![line.into()])];
                BandLines { cells, heading: true, parted: false, height: TYPE.leading() }
            }
            TableBand::Rows(rows) => {
                let texts = rows.iter().flatten().enumerate();
                let cells: Vec<_> = texts
                    .filter_map(|(place, text)| {
                        let room = frames.get(place)?.width - PADDING * 2;
                        let (style, lines) = broken(text, room);
                        Some((place, style, lines))
                    })
                    .collect();
                let most = cells.iter().map(|(_, _, lines)| lines.len()).max().unwrap_or(1).max(1);
                let height = TYPE.leading().times(most) + PADDING / 4;
                BandLines { cells, heading: false, parted: most > 1, height }
            }
        }
    }

    fn draw(self, sheet: &mut Sheet<'x>, y: Length, columns: &[TableColumn], frames: &[Frame], body: Frame) {
        for (place, style, lines) in self.cells {
            let column = if self.heading { None } else { columns.get(place % columns.len().max(1)) };
            let of = if self.heading { Some(&body) } else { frames.get(place) };
            let (Some(of), align) = (of, column.map_or(TextAlign::Left, |column| column.align)) else { continue };
            // smaller type keeps the base line of its row
            let y = y + TYPE.face.ascent(TYPE.size) - style.face.ascent(style.size);
            let room = Frame::new(of.x + PADDING, y, of.width - PADDING * 2, body.bottom() - y);
            sheet.lines(room, style.aligned(align), lines);
        }
    }
}

/// A text on one line if that is legible, else on as many as it needs.
fn broken<'x>(content: &Cow<'x, str>, width: Length) -> (TextStyle, Vec<Cow<'x, str>>) {
    if let Some(size) = text::fitting(content, TYPE.face, width, TYPE.size, SMALL.size) {
        return (TextStyle { size, ..TYPE }, vec![content.clone()]);
    }
    let (mut lines, rest) = text::cut(content, SMALL, width, MOST_LINES);
    if let Some(last) = lines.last_mut().filter(|_| !rest.is_empty()) {
        *last = text::shortened(&format!("{last}..."), SMALL.face, SMALL.size, width);
    }
    (SMALL, lines.into_iter().map(Cow::Owned).collect())
}

impl FlowText {
    /// Draws as many lines as fit; returns the height used.
    pub(super) fn draw(&mut self, sheet: &mut Sheet<'_>, frame: Frame, fills: bool) -> Length {
        let body = frame.split_top(TITLE).1;
        let room = body.inside(PADDING);
        let fitting = room.height.fits(TYPE.leading());
        if fitting == 0 || (self.text.is_empty() && !fills) {
            return Length::ZERO;
        }
        title(sheet, frame, self.title);
        self.title = self.continued;
        let (lines, rest) = text::cut(&self.text, TYPE, room.width, fitting);
        self.text = rest;
        let used = sheet.lines(room, TYPE, lines);
        let height = if fills { body.height } else { used + PADDING * 2 };
        sheet.outline(Frame { height, ..body }, STROKE);
        TITLE + height
    }

    fn height(&self, width: Length) -> Length {
        let lines = text::lines(&self.text, TYPE.face, TYPE.size, width - PADDING * 2).len();
        (TITLE + TYPE.leading().times(lines) + PADDING * 2).max(self.least)
    }
}

impl<'x> Flow<'x> {
    /// Continues on a further sheet; returns the height used.
    pub(super) fn draw_on(&mut self, sheet: &mut Sheet<'x>, frame: Frame) -> Length {
        match self {
            Flow::Table(table) => table.draw(sheet, frame, false),
            Flow::Words(words) => words.draw(sheet, frame, false),
        }
    }

    /// True when everything is drawn.
    pub(super) fn is_done(&self) -> bool {
        match self {
            Flow::Table(table) => table.bands.is_empty(),
            Flow::Words(words) => words.text.is_empty(),
        }
    }

    fn height(&self, width: Length) -> Length {
        match self {
            Flow::Table(table) => table.height(width),
            Flow::Words(words) => words.height(width),
        }
    }

    /// Least height in which it may begin.
    fn least(&self) -> Length {
        match self {
            Flow::Table(_) => TITLE + HEAD_HEIGHT + PADDING + TYPE.leading() * 2,
            Flow::Words(words) => words.least,
        }
    }
}

/// Draws flows one below the other until the frame is filled. The last flow takes the height it needs, as far as the
/// least height of the first allows; returns the rest.
pub(super) fn draw_flows<'x>(sheet: &mut Sheet<'x>, frame: Frame, mut flows: Vec<Flow<'x>>) -> Vec<Flow<'x>> {
    let wanted: Vec<Length> = flows.iter().map(|flow| flow.height(frame.width)).collect();
    let mut room = frame;
    let count = flows.len();
    for (place, flow) in flows.iter_mut().enumerate() {
        let behind: Length = wanted.iter().skip(place + 1).copied().sum();
        let (own, all) = (wanted.get(place).copied().unwrap_or_default(), room.height);
        let height = match place + 1 == count {
            true => all,
            false => (all - behind).max(own.min(all / 2)),
        };
        // a flow that cannot begin here moves to the next sheet as a whole
        let height = if height < flow.least() { Length::ZERO } else { height };
        let (top, below) = room.split_top(height);
        let used = match flow {
            Flow::Table(table) => table.draw(sheet, top, true),
            Flow::Words(words) => words.draw(sheet, top, true),
        };
        room = if used == Length::ZERO { room } else { below };
    }
    flows.retain(|flow| !flow.is_done());
    flows
}
