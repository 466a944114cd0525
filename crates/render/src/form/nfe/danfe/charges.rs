//! Charges to the receiver: the invoice with its instalments, or the payments when the note has none.
//!
//! Law: MOC 7.0, Anexo II, 3.1 (fatura, or a summary of the payment in its place); NT 2026.010, model.

use super::DanfeContext;
use crate::form::grid::{Grid, GridCell};
use crate::form::nfe::payment;
use crate::form::stored::StoredElement;
use crate::form::value;

/// Instalments in one row of the block, and their width; the last of a full row takes the rest.
fn in_a_row(context: &DanfeContext<'_>) -> (usize, i32) {
    if context.landscape { (7, 379) } else { (5, 399) }
}

/// Payments in one row: their names are long.
const PAYMENTS: usize = 3;

/// The block; `None` without contents, or without room for it.
pub(super) fn block<'x>(context: &DanfeContext<'x>) -> Option<Grid<'x>> {
    if !context.bounds.invoice {
        return None;
    }
    if context.note.group("cobr").is_some() { invoice(context) } else { payments(context) }
}

/// Invoice and first instalments.
fn invoice<'x>(context: &DanfeContext<'x>) -> Option<Grid<'x>> {
    let (note, (in_a_row, width)) = (context.note, in_a_row(context));
    let mut rows = Vec::new();
    if note.group("cobr/fat").is_some() {
        rows.push(vec![
            GridCell::text("NÚMERO", note.text("cobr/fat/nFat")),
            GridCell::money("VALOR ORIGINAL", note.text("cobr/fat/vOrig")),
            GridCell::money("VALOR DO DESCONTO", note.text("cobr/fat/vDesc")),
            GridCell::money("VALOR LÍQUIDO", note.text("cobr/fat/vLiq")),
        ]);
    }
    let instalments = note.all("cobr", "dup").take(in_a_row * context.bounds.rows);
    let cells = instalments.map(|dup| GridCell::text("Nº / VENCIMENTO / VALOR", instalment(dup)).centred().wide(width));
    rows.extend(rows_of(cells.collect(), in_a_row));
    (!rows.is_empty()).then_some(Grid { title: "FATURA / DUPLICATAS", rows })
}

/// Means and amounts, with the change at the end.
fn payments<'x>(context: &DanfeContext<'x>) -> Option<Grid<'x>> {
    let width = if context.landscape { 850 } else { 660 };
    let paid = payment::all(context.note).take(shown_payments(context));
    let mut cells: Vec<GridCell<'_>> =
        paid.map(|paid| GridCell::text("FORMA DE PAGAMENTO / VALOR", paid.words())).collect();
    let change = payment::change(context.note);
    if !change.is_empty() {
        cells.push(GridCell::money("TROCO", change));
    }
    let cells: Vec<GridCell<'_>> = cells.into_iter().map(|cell| cell.wide(width)).collect();
    let rows = rows_of(cells, PAYMENTS);
    (!rows.is_empty()).then_some(Grid { title: "PAGAMENTO", rows })
}

/// Number of payments with a cell; the change takes one cell.
fn shown_payments(context: &DanfeContext<'_>) -> usize {
    let change = usize::from(!payment::change(context.note).is_empty());
    (context.bounds.rows * PAYMENTS).saturating_sub(change)
}

/// Splits cells into rows and fills the last one up.
fn rows_of(cells: Vec<GridCell<'_>>, in_a_row: usize) -> Vec<Vec<GridCell<'_>>> {
    let mut cells = cells.into_iter().peekable();
    let mut rows = Vec::new();
    while cells.peek().is_some() {
        let mut row: Vec<GridCell<'_>> = cells.by_ref().take(in_a_row).collect();
        if row.len() < in_a_row {
            row.push(GridCell::text("", ""));
        }
        rows.push(row);
    }
    rows
}

fn instalment(dup: StoredElement<'_>) -> String {
    let at = |tag: &str| dup.text_at(tag).unwrap_or_default();
    format!("{}  {}  {}", at("nDup"), value::date(at("dVenc")), value::amount(at("vDup")))
}

/// Charges without a cell, for the complementary information. A note with an invoice lists its payments there too,
/// unless nothing was paid.
pub(super) fn without_cell(context: &DanfeContext<'_>) -> Vec<String> {
    let (note, bounds) = (context.note, context.bounds);
    let invoiced = note.group("cobr").is_some();
    let mut said = Vec::new();
    if invoiced && !bounds.invoice && note.group("cobr/fat").is_some() {
        let at = |tag: &str| note.text(&format!("cobr/fat/{tag}"));
        let amounts = [("valor original", "vOrig"), ("desconto", "vDesc"), ("valor líquido", "vLiq")];
        let told = amounts.iter().filter(|(_, tag)| !at(tag).is_empty());
        let told: Vec<String> = told.map(|(name, tag)| format!("{name} {}", value::amount(at(tag)))).collect();
        said.push(format!("FATURA: {} {}", at("nFat"), told.join(", ")));
    }
    let rest: Vec<String> = note.all("cobr", "dup").skip(in_a_row(context).0 * bounds.rows).map(instalment).collect();
    if !rest.is_empty() {
        let title = if bounds.rows == 0 { "DUPLICATAS" } else { "DEMAIS DUPLICATAS" };
        said.push(format!("{title}: {}", rest.join("; ")));
    }
    let in_block = if invoiced || !bounds.invoice { 0 } else { shown_payments(context) };
    let mut paid: Vec<String> = payment::all(note).skip(in_block).map(|paid| paid.words()).collect();
    let change = payment::change(note);
    if in_block == 0 && !change.is_empty() {
        paid.push(format!("troco: {}", value::amount(change)));
    }
    if !paid.is_empty() {
        let title = if in_block == 0 { "PAGAMENTO" } else { "DEMAIS PAGAMENTOS" };
        said.push(format!("{title}: {}", paid.join("; ")));
    }
    said
}
