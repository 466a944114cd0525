//! Blocks of a fixed height on the first sheet of a DACTE; of both models those of the route and of the price.
//!
//! Law: MOC CT-e 4.00, Anexo II.

use super::flow::{Flow, FlowTable, HEAD_HEIGHT, TYPE, TableColumn};
use super::party::{self, TransportParty};
use super::{DacteContext, observations};
use crate::form::grid::{Grid, GridCell, PADDING, STROKE, TITLE, draw_row, title};
use crate::form::value;
use crate::paper::{Frame, Length, Sheet, TextAlign};
use std::collections::VecDeque;

/// A block of a fixed height.
pub(super) enum DacteBlock<'x> {
    Grid(Grid<'x>),
    /// Parties side by side.
    Parties(Vec<TransportParty<'x>>),
    /// A party as wide as the form.
    Wide(TransportParty<'x>),
    Price(PriceBlock<'x>),
    /// Boxes of the emitter and of the tax office.
    Exclusive(observations::ReservedBoxes),
}

/// Price of the transport: components and total.
pub(super) struct PriceBlock<'x> {
    components: FlowTable<'x>,
    total: &'x str,
    due: &'x str,
    landscape: bool,
}

impl<'x> DacteBlock<'x> {
    pub(super) fn height(&self) -> Length {
        match self {
            // the first sheet of a DACTE holds its blocks whatever their content
            DacteBlock::Grid(grid) => grid.least_height(),
            DacteBlock::Parties(_) => party::HEIGHT,
            DacteBlock::Wide(_) => party::WIDE_HEIGHT,
            DacteBlock::Price(price) => price.height(),
            DacteBlock::Exclusive(_) => observations::EXCLUSIVE,
        }
    }

    /// Draws the block; returns the part that did not fit.
    pub(super) fn draw(self, sheet: &mut Sheet<'x>, frame: Frame) -> Option<Flow<'x>> {
        match self {
            DacteBlock::Grid(grid) => grid.draw_least(sheet, frame),
            DacteBlock::Parties(parties) => {
                let frames = frame.columns(&vec![1; parties.len()]);
                frames.into_iter().zip(parties).for_each(|(frame, party)| party.draw(sheet, frame));
            }
            DacteBlock::Wide(party) => party.draw_wide(sheet, frame),
            DacteBlock::Price(price) => return price.draw(sheet, frame),
            DacteBlock::Exclusive(words) => words.draw(sheet, frame),
        }
        None
    }
}

/// Origin and destination; a service of valuables may omit both.
pub(super) fn route<'x>(context: &DacteContext<'x>) -> Grid<'x> {
    let place = |tags: [&str; 3]| {
        let told = tags.map(|tag| if tag.is_empty() { "" } else { context.cte.text(tag) });
        told.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - ")
    };
    let row = vec![
        GridCell::text("INÍCIO DA PRESTAÇÃO", place(["ide/UFIni", "", "ide/xMunIni"])),
        GridCell::text("TÉRMINO DA PRESTAÇÃO", place(["ide/UFFim", "ide/cMunFim", "ide/xMunFim"])),
    ];
    Grid { title: "", rows: vec![row] }
}

const COMPONENTS: &[TableColumn] = &[
    TableColumn { head: "NOME", width: 0, align: TextAlign::Left },
    TableColumn { head: "VALOR", width: 220, align: TextAlign::Right },
];

/// Rows of components on the first sheet.
const PORTRAIT_ROWS: usize = 4;
const LANDSCAPE_ROWS: usize = 2;

pub(super) fn price<'x>(context: &DacteContext<'x>) -> DacteBlock<'x> {
    let cte = context.cte;
    let mut components = FlowTable {
        title: "COMPONENTES DO VALOR DA PRESTAÇÃO DO SERVIÇO",
        continued: "COMPONENTES DO VALOR DA PRESTAÇÃO DO SERVIÇO (CONTINUAÇÃO)",
        columns: COMPONENTS,
        across: if context.landscape { 4 } else { 3 },
        bands: VecDeque::new(),
    };
    components.extend(cte.all("vPrest", "Comp").map(|comp| {
        let at = |tag: &str| comp.text_at(tag).unwrap_or_default();
        vec![at("xNome").into(), value::amount(at("vComp")).into()]
    }));
    let (total, due) = (cte.text("vPrest/vTPrest"), cte.text("vPrest/vRec"));
    DacteBlock::Price(PriceBlock { components, total, due, landscape: context.landscape })
}

impl<'x> PriceBlock<'x> {
    fn height(&self) -> Length {
        let rows = if self.landscape { LANDSCAPE_ROWS } else { PORTRAIT_ROWS };
        TITLE + HEAD_HEIGHT + PADDING + (TYPE.leading() + PADDING / 4).times(rows)
    }

    fn draw(mut self, sheet: &mut Sheet<'x>, frame: Frame) -> Option<Flow<'x>> {
        let sums = Length::mm(if self.landscape { 96 } else { 50 });
        let (table, beside) = frame.split_left(frame.width - sums);
        let labels = ["VALOR TOTAL DA PRESTAÇÃO DO SERVIÇO", "VALOR A RECEBER"];
        let cells =
            labels.into_iter().zip([self.total, self.due]).map(|(label, sum)| GridCell::money(label, sum).bold());
        let (_, beside) = beside.split_top(TITLE);
        if self.components.draw(sheet, table, true) == Length::ZERO {
            title(sheet, table, self.components.title);
            sheet.outline(table.split_top(TITLE).1, STROKE);
        }
        if self.landscape {
            draw_row(sheet, beside, cells.collect());
        } else {
            let (top, below) = beside.split_top(beside.height / 2);
            cells.zip([top, below]).for_each(|(cell, frame)| draw_row(sheet, frame, vec![cell]));
        }
        (!self.components.bands.is_empty()).then_some(Flow::Table(self.components))
    }
}
