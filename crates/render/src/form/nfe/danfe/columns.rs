//! Columns of the table of items, and their contents.
//!
//! Law: MOC 7.0, Anexo II, 3.1.7; NT 2026.010, 4.3 (stacked taxes; the effective rate when a reduction exists).

use super::column_lines::ColumnLines;
use super::item::{DanfeItem, ItemTax};
use crate::form::value;
use crate::paper::{Frame, Length, TextAlign};

pub(super) struct ItemColumn {
    /// Lines of the head.
    pub(super) head: &'static [&'static str],
    /// Tenths of a millimetre; 0 takes the rest.
    pub(super) width: i32,
    pub(super) content: ColumnContent,
}

/// Content of a column.
pub(super) enum ColumnContent {
    /// `cProd`.
    Code,
    /// Description with everything that has no column.
    Description,
    /// Lines of figures.
    Figures(FigureWriter),
}

/// Writes the figures of an item in a column.
type FigureWriter = for<'x> fn(&DanfeItem<'x>, &mut ColumnLines<'_, 'x>);

/// Frames of the columns.
pub(super) fn frames(area: Frame, columns: &[ItemColumn]) -> Vec<Frame> {
    let fixed: Length = columns.iter().map(|column| Length::tenths(column.width)).sum();
    let mut rest = area;
    columns
        .iter()
        .map(|column| {
            let width = if column.width == 0 { area.width - fixed } else { Length::tenths(column.width) };
            let (frame, beside) = rest.split_left(width);
            rest = beside;
            frame
        })
        .collect()
}

const fn figures(head: &'static [&'static str], width: i32, of: FigureWriter) -> ItemColumn {
    ItemColumn { head, width, content: ColumnContent::Figures(of) }
}

/// Columns of notes before NT 2026.010.
pub(super) const CLASSIC: &[ItemColumn] = &[
    ItemColumn { head: &["CÓDIGO"], width: 165, content: ColumnContent::Code },
    ItemColumn { head: &["DESCRIÇÃO DO PRODUTO / SERVIÇO"], width: 0, content: ColumnContent::Description },
    figures(&["NCM/SH"], 120, |item, lines| lines.left(item.prod("NCM"))),
    figures(&["O/CST", "O/CSOSN"], 85, |item, lines| lines.left(situation(item))),
    figures(&["CFOP"], 75, |item, lines| lines.left(item.prod("CFOP"))),
    figures(&["UN"], 75, |item, lines| lines.left(item.prod("uCom"))),
    figures(&["QUANT."], 120, |item, lines| lines.right(value::quantity(item.prod("qCom"), 0))),
    figures(&["VALOR", "UNIT."], 130, |item, lines| lines.right(value::quantity(item.prod("vUnCom"), 2))),
    figures(&["VALOR", "TOTAL"], 135, |item, lines| lines.right(value::amount(item.prod("vProd")))),
    figures(&["VALOR", "DESC."], 105, |item, lines| lines.right(value::amount(item.prod("vDesc")))),
    figures(&["B. CÁLC.", "ICMS"], 130, |item, lines| lines.right(value::amount(item.icms("vBC")))),
    figures(&["VALOR", "ICMS"], 115, |item, lines| lines.right(value::amount(item.icms("vICMS")))),
    figures(&["VALOR", "IPI"], 105, |item, lines| lines.right(value::amount(item.ipi("vIPI")))),
    figures(&["ALÍQ.", "ICMS"], 75, |item, lines| lines.right(plain_rate(item.icms("pICMS")))),
    figures(&["ALÍQ.", "IPI"], 75, |item, lines| lines.right(plain_rate(item.ipi("pIPI")))),
];

/// Columns of notes from NT 2026.010 on.
pub(super) const REFORM: &[ItemColumn] = &[
    ItemColumn { head: &["CÓDIGO"], width: 152, content: ColumnContent::Code },
    ItemColumn { head: &["DESCRIÇÃO DO PRODUTO / SERVIÇO"], width: 0, content: ColumnContent::Description },
    figures(&["CST / CFOP", "CSOSN / CFOP"], 130, codes),
    figures(&["QTD / UN"], 120, quantities),
    figures(&["VLR UNIT"], 125, prices),
    figures(&["VLR TOTAL"], 130, |item, lines| lines.right(value::amount(item.prod("vProd")))),
    figures(&["BASES DE CÁLCULO"], 240, bases),
    figures(&["ALÍQUOTAS"], 320, |item, lines| stacked(item, lines, RATES, |tax| value::rate(tax.rate))),
    figures(&["VALOR DOS TRIBUTOS"], 355, |item, lines| stacked(item, lines, VALUES, |tax| value::amount(tax.value))),
];

/// Origin with CST or CSOSN.
fn situation(item: &DanfeItem<'_>) -> String {
    [item.icms("orig"), item.icms("CST"), item.icms("CSOSN")].concat()
}

fn plain_rate(text: &str) -> String {
    if text.is_empty() { String::new() } else { value::quantity(text, 2) }
}

fn codes<'x>(item: &DanfeItem<'x>, lines: &mut ColumnLines<'_, 'x>) {
    let code = situation(item);
    if !code.is_empty() {
        let label = if item.icms("CSOSN").is_empty() { "CST " } else { "CSOSN " };
        lines.left([label, &code].concat());
    }
    lines.left(["CFOP ", item.prod("CFOP")].concat());
}

/// True when the tributable unit or quantity differs from the commercial one.
fn differs(item: &DanfeItem<'_>) -> bool {
    item.prod("uCom") != item.prod("uTrib") || item.prod("qCom") != item.prod("qTrib")
}

fn quantities<'x>(item: &DanfeItem<'x>, lines: &mut ColumnLines<'_, 'x>) {
    let tags = [("qCom", "uCom"), ("qTrib", "uTrib")];
    for (quantity, unit) in tags.into_iter().take(if differs(item) { 2 } else { 1 }) {
        lines.right(value::quantity(item.prod(quantity), 0));
        lines.right(item.prod(unit));
    }
}

fn prices<'x>(item: &DanfeItem<'x>, lines: &mut ColumnLines<'_, 'x>) {
    lines.right(value::quantity(item.prod("vUnCom"), 2));
    if differs(item) {
        // beside the tributable quantity
        lines.next();
        lines.right(value::quantity(item.prod("vUnTrib"), 2));
    }
}

fn bases<'x>(item: &DanfeItem<'x>, lines: &mut ColumnLines<'_, 'x>) {
    for (label, base) in item.taxes.iter().filter_map(|tax| tax.base).filter(|(_, base)| !base.is_empty()) {
        lines.add_text((0, 36), TextAlign::Left, label);
        lines.add_text((36, 100), TextAlign::Right, value::amount(base));
        lines.next();
    }
}

/// Edges of a column's halves, in hundredths of its width: ends of label and figure of the left half, start and
/// division of the right half. Every label keeps its six points (MOC 7.0, Anexo II, 3.7.7).
struct ColumnHalves {
    label: i32,
    figure: i32,
    right: i32,
    right_figure: i32,
}

const RATES: ColumnHalves = ColumnHalves { label: 29, figure: 56, right: 59, right_figure: 73 };
const VALUES: ColumnHalves = ColumnHalves { label: 27, figure: 56, right: 58, right_figure: 71 };

/// Two halves without gaps: ICMS, IBS of the state, IBS of the city; CBS, IPI, IS (NT 2026.010, model).
fn stacked<'x>(
    item: &DanfeItem<'x>,
    lines: &mut ColumnLines<'_, 'x>,
    halves: ColumnHalves,
    figure: fn(&ItemTax<'_>) -> String,
) {
    let (left, right): (Vec<_>, Vec<_>) =
        item.taxes.iter().partition(|tax| tax.label == "ICMS" || tax.label.starts_with("IBS"));
    for line in 0..left.len().max(right.len()) {
        if let Some(tax) = left.get(line) {
            lines.add_text((0, halves.label), TextAlign::Left, tax.label);
            lines.add_text((halves.label, halves.figure), TextAlign::Right, figure(tax));
        }
        if let Some(tax) = right.get(line) {
            lines.add_text((halves.right, halves.right_figure), TextAlign::Left, tax.label);
            lines.add_text((halves.right_figure, 100), TextAlign::Right, figure(tax));
        }
        lines.next();
    }
}
