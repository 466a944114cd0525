//! First sheet of a CT-e OS: user or payer, service, insurance.
//!
//! Law: MOC CT-e 4.00, Anexo II, section 4.

use super::dacte_block::{DacteBlock, price, route};
use super::flow::Flow;
use super::{DacteContext, SheetBlocks, documents, insurance, modal, observations, party, tax};
use crate::form::grid::{Grid, GridCell};
use crate::form::value;

/// Everything below the head.
pub(super) fn body<'x>(context: &DacteContext<'x>) -> SheetBlocks<'x> {
    let mut above = vec![DacteBlock::Grid(route(context))];
    if context.cte.group("toma").is_some() {
        above.push(DacteBlock::Wide(party::user(context)));
    }
    above.push(DacteBlock::Grid(provided(context)));
    above.push(price(context));
    above.extend(tax::grids(context).into_iter().map(DacteBlock::Grid));
    let mut below: Vec<DacteBlock<'x>> = insurance::grid(context).map(DacteBlock::Grid).into_iter().collect();
    below.extend(modal::service(context).map(DacteBlock::Grid));
    let (exclusive, rest) = observations::exclusive(context);
    below.push(DacteBlock::Exclusive(exclusive));
    let referred = Some(documents::references_table(context)).filter(|table| !table.bands.is_empty());
    let mut flows: Vec<Flow<'x>> = referred.map(Flow::Table).into_iter().collect();
    flows.push(Flow::Words(observations::observations(context, &rest)));
    SheetBlocks { above, flows, below, after: Vec::new() }
}

fn provided<'x>(context: &DacteContext<'x>) -> Grid<'x> {
    let at = |path: &str| context.cte.text(&format!("infCTeNorm/infServico/{path}"));
    let row = vec![
        GridCell::text("QUANTIDADE", value::quantity(at("infQ/qCarga"), 0)).right().wide(400),
        GridCell::text("DESCRIÇÃO DO SERVIÇO PRESTADO", at("xDescServ")),
    ];
    Grid { title: "INFORMAÇÕES DA PRESTAÇÃO DO SERVIÇO", rows: vec![row] }
}
