//! First sheet of a DACTE for cargo: parties, cargo, price, documents.
//!
//! Law: MOC CT-e 4.00, Anexo II, in the order of its model.

use super::dacte_block::{DacteBlock, price, route};
use super::flow::Flow;
use super::party::PartyBoxes;
use super::{DacteContext, SheetBlocks, documents, modal, observations, tax};
use crate::form::grid::{Grid, GridCell};
use crate::form::stored::StoredElement;
use crate::form::value;
use fiscal::value::amount;
use rust_decimal::Decimal;

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
