//! First sheet of a DACTE for cargo: parties, cargo, price, documents.
//!
//! Law: MOC CT-e 4.00, Anexo II, in the order of its model.

use super::flow::{Flow, FlowTable, HEAD_HEIGHT, TYPE, TableColumn};
use super::party::{self, PartyBoxes, TransportParty};
use super::{DacteContext, SheetBlocks, documents, modal, observations, tax};
use crate::form::grid::{Grid, GridCell, PADDING, STROKE, TITLE, draw_row, title};
use crate::form::stored::StoredElement;
use crate::form::value;
use crate::paper::{Frame, Length, Sheet, TextAlign};
use fiscal::value::amount;
use rust_decimal::Decimal;
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

/// Everything below the head.
pub(super) fn body<'x>(context: &DacteContext<'x>) -> SheetBlocks<'x> {
    let mut above = vec![DacteBlock::Grid(route(context))];
    let PartyBoxes { rows, payer } = PartyBoxes::of(context);
    above.extend(rows.into_iter().map(DacteBlock::Parties));
    above.extend(payer.map(DacteBlock::Wide));
    above.push(DacteBlock::Grid(cargo(context)));
    above.push(price(context));
    above.extend(tax::grids(context).into_iter().map(DacteBlock::Grid));
    let mut below: Vec<DacteBlock<'x>> = flow_of_cargo(context).map(DacteBlock::Grid).into_iter().collect();
    below.extend(modal::grid(context).map(DacteBlock::Grid));
    let (exclusive, rest) = observations::exclusive(context);
    below.push(DacteBlock::Exclusive(exclusive));
    let flows = vec![Flow::Table(documents::table(context)), Flow::Words(observations::observations(context, &rest))];
    let after = documents::vehicles(context).map(Flow::Table).into_iter().collect();
    SheetBlocks { above, flows, below, after }
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

/// Cargo and its quantities: two rows, one on the wide and low sheet. A complement has no cargo, and its cells stay
/// empty.
fn cargo<'x>(context: &DacteContext<'x>) -> Grid<'x> {
    let cte = context.cte;
    let at = |tag: &str| cte.text(&format!("infCTeNorm/infCarga/{tag}"));
    let quantities = CargoQuantities::of(cte.all("infCTeNorm/infCarga", "infQ"));
    let others = std::iter::once(at("xOutCat")).chain(quantities.others.iter().map(String::as_str));
    let others = others.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    let mut goods = vec![
        GridCell::text("PRODUTO PREDOMINANTE", at("proPred")),
        GridCell::text("OUTRAS CARACTERÍSTICAS DA CARGA", others),
        GridCell::money("VALOR TOTAL DA CARGA", at("vCarga")).wide(if context.landscape { 350 } else { 400 }),
    ];
    let figures = [
        ("PESO BRUTO (KG)", quantities.gross),
        ("PESO BASE CÁLC. (KG)", quantities.base),
        ("PESO AFERIDO (KG)", quantities.measured),
        ("CUBAGEM (M3)", quantities.volume),
        ("QTDE. VOLUMES (UNID)", quantities.units),
    ];
    let figures = figures.map(|(label, told)| GridCell::text(label, told.join(" / ")).right());
    let rows = if context.landscape {
        goods.extend(figures.map(|cell| cell.wide(300)));
        vec![goods]
    } else {
        vec![goods, figures.into()]
    };
    Grid { title: "", rows }
}

/// Quantities of cargo by column.
#[derive(Default)]
struct CargoQuantities {
    gross: Vec<String>,
    base: Vec<String>,
    measured: Vec<String>,
    volume: Vec<String>,
    units: Vec<String>,
    /// Litres and British thermal units, which have no column.
    others: Vec<String>,
}

impl CargoQuantities {
    fn of<'x>(all: impl Iterator<Item = StoredElement<'x>>) -> CargoQuantities {
        let mut told = CargoQuantities::default();
        let mut unnamed = Vec::new();
        for infQ in all {
            let at = |tag: &str| infQ.text_at(tag).unwrap_or_default();
            unnamed.extend(told.add(at("cUnid"), at("tpMed"), at("qCarga")));
        }
        // a weight without kind is gross where no other is, whatever the order
        for weight in unnamed {
            let column = if told.gross.is_empty() { &mut told.gross } else { &mut told.measured };
            column.push(weight);
        }
        told
    }

    /// Adds a quantity to its column; returns a weight whose description names none.
    fn add(&mut self, cUnid: &str, tpMed: &str, qCarga: &str) -> Option<String> {
        let told = value::quantity(qCarga, 3);
        match cUnid {
            "00" => self.volume.push(told),
            "01" => return self.weigh(tpMed, told),
            "02" => return self.weigh(tpMed, value::quantity(&kilograms(qCarga), 3)),
            "03" => self.units.push(told),
            "04" => self.others.push(format!("{tpMed}: {told} L")),
            "05" => self.others.push(format!("{tpMed}: {told} MMBTU")),
            _ => self.others.push(format!("{tpMed}: {told}")),
        }
        None
    }

    /// Adds a weight by its description; a net weight has no column.
    fn weigh(&mut self, tpMed: &str, kilograms: String) -> Option<String> {
        let words = tpMed.to_uppercase();
        match () {
            () if words.contains("BRUTO") => self.gross.push(kilograms),
            () if words.contains("BASE") || words.contains("CUBADO") => self.base.push(kilograms),
            () if words.contains("AFERIDO") => self.measured.push(kilograms),
            () if words.contains("LIQUID") || words.contains("LÍQUID") => {
                self.others.push(format!("{tpMed}: {kilograms} KG"));
            }
            () => return Some(kilograms),
        }
        None
    }
}

/// Tonnes in kilograms; a text that is no number is returned unchanged.
fn kilograms(tonnes: &str) -> String {
    let number = amount(tonnes).and_then(|tonnes| tonnes.checked_mul(Decimal::ONE_THOUSAND));
    number.map_or_else(|| tonnes.to_owned(), |kilograms| kilograms.to_string())
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

/// Flow of the cargo, when the document states it.
fn flow_of_cargo<'x>(context: &DacteContext<'x>) -> Option<Grid<'x>> {
    let cte = context.cte;
    cte.group("compl/fluxo")?;
    let passed = cte.all("compl/fluxo", "pass").filter_map(|pass| pass.text_at("xPass"));
    let row = vec![
        GridCell::text("SIGLA OU CÓD. DA ORIGEM", cte.text("compl/fluxo/xOrig")),
        GridCell::text("SIGLA OU CÓD. DAS PASSAGENS", passed.collect::<Vec<_>>().join(" - ")),
        GridCell::text("SIGLA OU CÓD. DO DESTINO", cte.text("compl/fluxo/xDest")),
        GridCell::text("ROTA", cte.text("compl/fluxo/xRota")).wide(300),
    ];
    Some(Grid { title: "PREVISÃO DO FLUXO DA CARGA", rows: vec![row] })
}
