//! The DANFE of an NF-e, portrait or landscape, on as many sheets as it needs. Sheets are counted before the first is
//! drawn.
//!
//! Law: MOC 7.0, Anexo II; NT 2026.010 for notes issued from 2026-12-01 on.

mod blocks;
mod charges;
mod column_lines;
mod columns;
mod context;
mod describe;
mod extra;
mod header;
mod item;
mod items;

pub(super) use extra::situation;

use crate::form::dfe::{Dfe, FormError};
use crate::form::grid::{TITLE, title};
use crate::form::options::{DanfeLayout, PrintOptions};
use crate::form::status_mark::StatusMark;
use crate::form::value;
use crate::paper::{self, Frame, Length, Sheet};
use columns::ItemColumn;
use context::{BlockLimits, DanfeContext};
use items::{ItemRows, RowSlice};
use std::sync::Arc;

/// First moment of NT 2026.010, in Brasília (by `dhEmi`, so that a reprint does not change).
const REFORM_FROM: &str = "2026-12-01T00:00:00-03:00";
const MARGIN: Length = Length::mm(5);
const SHORT: Length = Length::mm(210);
const LONG: Length = Length::mm(297);

/// The sheets of the form.
pub fn sheets<'x>(note: Dfe<'x>, options: &'x PrintOptions) -> Result<Vec<Sheet<'x>>, FormError> {
    let new = value::instant(note.text("ide/dhEmi")) >= value::instant(REFORM_FROM);
    let by_date = || if new { DanfeLayout::Reform } else { DanfeLayout::Classic };
    let landscape = options.landscape.unwrap_or_else(|| note.text("ide/tpImp") == "2");
    let context = DanfeContext {
        note,
        reform: options.layout.unwrap_or_else(by_date) == DanfeLayout::Reform,
        landscape,
        logo: options.logo.as_ref().map(|logo| (logo.width, logo.height)),
        epec: options.epec.as_ref(),
        bounds: BlockLimits::LADDER[0],
    };
    DanfePlan::plan(context, StatusMark::of(note, options)).draw()
}

/// Plan of a form: the contents of each sheet.
struct DanfePlan<'x> {
    context: DanfeContext<'x>,
    /// Drawn across every sheet.
    mark: Option<StatusMark>,
    /// Height of the head, which every sheet has.
    head: Length,
    orientation: SheetOrientation,
    columns: &'static [ItemColumn],
    /// Heights of the blocks between the header and the items, by sheet: nearly always all are on the first.
    blocks: Vec<Vec<Length>>,
    rows: ItemRows<'x>,
    slices: Vec<Vec<RowSlice>>,
    words: extra::ExtraText,
    /// Sheets with the rest of the complementary information alone, after those of the items.
    extra_sheets: usize,
}

/// Orientation of the paper.
#[derive(Clone, Copy)]
struct SheetOrientation {
    landscape: bool,
}

impl SheetOrientation {
    fn sheet<'x>(self) -> Sheet<'x> {
        if self.landscape { Sheet::new(LONG, SHORT) } else { Sheet::new(SHORT, LONG) }
    }

    /// Room of a sheet within the margins.
    fn whole(self) -> Frame {
        let sheet = self.sheet();
        Frame::new(Length::ZERO, Length::ZERO, sheet.width, sheet.height).inside(MARGIN)
    }

    /// Room of a sheet within the margins, without the stub.
    fn body(self, page: usize) -> Frame {
        let stub = header::STUB + header::TEAR;
        match (page, self.landscape) {
            (0, true) => self.whole().split_left(stub).1,
            (0, false) => self.whole().split_top(stub).1,
            _ => self.whole(),
        }
    }
}

impl<'x> DanfePlan<'x> {
    fn plan(context: DanfeContext<'x>, mark: Option<StatusMark>) -> DanfePlan<'x> {
        let orientation = SheetOrientation { landscape: context.landscape };
        let columns = if context.reform { columns::REFORM } else { columns::CLASSIC };
        let mut form = DanfePlan {
            context,
            mark,
            head: header::HEIGHT + blocks::identification(&context).height(orientation.body(0).width),
            orientation,
            columns,
            blocks: vec![Vec::new()],
            rows: ItemRows::default(),
            slices: Vec::new(),
            words: extra::ExtraText::default(),
            extra_sheets: 0,
        };
        // lines are cut for the first sheet, which is the narrower one of a landscape form
        form.rows = items::rows(&context, &columns::frames(form.items_area(0), columns), columns);
        form.distribute_blocks();
        form.slices = items::distribute(&form.rows, &|page| form.items_area(page).height - items::HEAD_HEIGHT);
        form.extra_sheets = form.sheets_of_rest();
        form
    }

    /// Chooses the most generous block limits that leave room for items on the first sheet. A block without room even
    /// so moves to the next sheet.
    fn distribute_blocks(&mut self) {
        let least = items::HEAD_HEIGHT + self.rows.least();
        // the first sheet of a landscape form is the narrower one
        let width = self.orientation.body(0).width;
        for bounds in BlockLimits::LADDER {
            self.context.bounds = bounds;
            let heights = blocks::first_sheet(&self.context).iter().map(|grid| grid.height(width)).sum::<Length>();
            if self.items_area(0).height >= least + heights {
                break;
            }
        }
        for height in blocks::first_sheet(&self.context).iter().map(|grid| grid.height(width)) {
            let page = self.blocks.len() - 1;
            if self.items_area(page).height < least + height && !(page > 0 && self.blocks[page].is_empty()) {
                self.blocks.push(Vec::new());
            }
            if let Some(sheet) = self.blocks.last_mut() {
                sheet.push(height);
            }
        }
        self.words = extra::words(&self.context, self.orientation.body(0).width);
    }

    /// Room of the table on a sheet, heads of its columns included.
    fn items_area(&self, page: usize) -> Frame {
        let mut top = self.head + TITLE;
        let mut bottom = Length::ZERO;
        top += self.blocks.get(page).into_iter().flatten().copied().sum::<Length>();
        if page == 0 {
            bottom = extra::height(&self.context);
        }
        let rest = self.orientation.body(page).split_top(top).1;
        Frame { height: (rest.height - bottom).max(items::HEAD_HEIGHT), ..rest }
    }

    /// Room for the texts below the last items.
    fn below_items(&self) -> Option<Frame> {
        let last = self.slices.len() - 1;
        if last == 0 {
            return None;
        }
        let area = self.items_area(last);
        let table = items::HEAD_HEIGHT + items::used(self.slices.last()?);
        let rest = area.split_top(table).1;
        (rest.height > TITLE + extra::TYPE.leading() * 3).then_some(rest)
    }

    /// Number of sheets with the rest of the texts, after those of the items.
    fn sheets_of_rest(&self) -> usize {
        let mut rest = self.words.rest.clone();
        let mut scratch = Sheet::new(Length::ZERO, Length::ZERO);
        if let Some(room) = self.below_items() {
            rest = extra::draw_rest(&mut scratch, room, &rest);
        }
        let mut count = 0;
        while !rest.is_empty() && count < MOST_SHEETS {
            rest = extra::draw_rest(&mut scratch, self.rest_area(), &rest);
            count += 1;
        }
        count
    }

    /// Room of the texts on a sheet of their own.
    fn rest_area(&self) -> Frame {
        self.orientation.body(1).split_top(self.head).1
    }

    fn draw(mut self) -> Result<Vec<Sheet<'x>>, FormError> {
        let pages = self.slices.len() + self.extra_sheets;
        let mut rest = std::mem::take(&mut self.words.rest);
        let mut sheets = Vec::with_capacity(pages);
        let mut grids = blocks::first_sheet(&self.context).into_iter();
        let mut commons = SharedHeads::default();
        for page in 0..pages {
            let last = page + 1 == self.slices.len();
            let room = self.below_items().filter(|_| last && !rest.is_empty());
            let area = self.items_area(page);
            // the table ends where the texts continue below it
            let area = Frame { height: room.map_or(area.height, |room| room.y - area.y), ..area };
            let has_table = page < self.slices.len();
            // frame of a sheet that holds nothing but the table
            let common_table = page > 0 && has_table && area == self.items_area(usize::MAX);
            let (mut sheet, folio) = self.begin(page, common_table.then_some(area), &mut commons);
            header::draw_folio(&mut sheet, folio, page + 1, pages);
            let mut below = self.orientation.body(page).split_top(self.head).1;
            let blocks = self.blocks.get(page).map_or(0, Vec::len);
            for grid in grids.by_ref().take(blocks) {
                let (frame, next) = below.split_top(grid.height(self.orientation.body(0).width));
                grid.draw(&mut sheet, frame);
                below = next;
            }
            // marks follow the reading order, which machines use
            if has_table && !common_table {
                self.draw_table(&mut sheet, area);
            }
            let slices = self.slices.get(page);
            items::draw(&mut sheet, area, self.columns, &mut self.rows, slices.map_or(&[], Vec::as_slice));
            if page == 0 {
                self.draw_words(&mut sheet)?;
            }
            if let Some(room) = room.or(slices.is_none().then_some(below)) {
                rest = extra::draw_rest(&mut sheet, room, &rest);
            }
            sheets.push(sheet);
        }
        Ok(sheets)
    }

    /// Begins a sheet with its head; returns the room of its number. Common contents are drawn once, with the frame of
    /// a table that fills the sheet.
    fn begin(&self, page: usize, table: Option<Frame>, commons: &mut SharedHeads<'x>) -> (Sheet<'x>, Frame) {
        let mut sheet = self.orientation.sheet();
        if page == 0 {
            let folio = self.draw_head(&mut sheet, 0);
            return (sheet, folio);
        }
        let kept = if table.is_some() { &mut commons.with_table } else { &mut commons.plain };
        let (under, folio) = kept.get_or_insert_with(|| {
            let mut common = self.orientation.sheet();
            let folio = self.draw_head(&mut common, page);
            if let Some(area) = table {
                self.draw_table(&mut common, area);
            }
            (Arc::new(common.marks), folio)
        });
        sheet.under = Some(Arc::clone(under));
        (sheet, *folio)
    }

    /// Draws the mark, the stub of the first sheet, header and identification; returns the room of the sheet's number.
    fn draw_head(&self, sheet: &mut Sheet<'x>, page: usize) -> Frame {
        if let Some(mark) = &self.mark {
            mark.draw(sheet);
        }
        let whole = self.orientation.whole();
        match (page, self.orientation.landscape) {
            (0, true) => header::draw_strip(sheet, Frame { width: header::STUB, ..whole }, &self.context),
            (0, false) => header::draw_stub(sheet, Frame { height: header::STUB, ..whole }, &self.context),
            _ => {}
        }
        let (frame, below) = self.orientation.body(page).split_top(header::HEIGHT);
        let folio = header::draw(sheet, frame, &self.context);
        blocks::identification(&self.context).draw(sheet, below);
        folio
    }

    /// Draws the box of texts at the end of the first sheet.
    fn draw_words(&self, sheet: &mut Sheet<'x>) -> Result<(), FormError> {
        let body = self.orientation.body(0);
        let height = extra::height(&self.context);
        let frame = Frame { y: body.bottom() - height, height, ..body };
        extra::draw(sheet, frame, &self.context, &self.words)
    }

    fn draw_table(&self, sheet: &mut Sheet<'x>, area: Frame) {
        let heading = Frame { y: area.y - TITLE, height: TITLE, ..area };
        title(sheet, heading, "DADOS DOS PRODUTOS / SERVIÇOS");
        items::draw_frame(sheet, area, self.columns);
    }
}

/// Common contents of the sheets after the first, with the room of their numbers.
#[derive(Default)]
struct SharedHeads<'x> {
    plain: Option<(Arc<Vec<paper::SheetMark<'x>>>, Frame)>,
    /// With a table right below the head.
    with_table: Option<(Arc<Vec<paper::SheetMark<'x>>>, Frame)>,
}

/// Most sheets; no legal note comes near it.
const MOST_SHEETS: usize = 2000;
