//! The columns of the table of items, and what each says of an item.
//!
//! Law: MOC 7.0, Anexo II, 3.1.7; NT 2026.010, 4.3 (stacked taxes; the effective rate when a reduction exists).

use super::items::Entry;
use crate::form::value;
use crate::paper::{Align, Frame, Length};
use fiscal::xml::Element;

/// A column.
pub(super) struct Column {
    /// Lines of its head.
    pub(super) head: &'static [&'static str],
    /// Tenths of a millimetre; 0 takes what is left.
    pub(super) width: i32,
    pub(super) content: Content,
}

/// What a column says.
pub(super) enum Content {
    /// `cProd`.
    Code,
    /// Description with everything that has no column.
    Description,
    /// Lines of figures.
    Figures(fn(&Element) -> Vec<Vec<Entry<'_>>>),
}

/// Where the columns stand.
pub(super) fn frames(area: Frame, columns: &[Column]) -> Vec<Frame> {
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

const fn figures(head: &'static [&'static str], width: i32, of: fn(&Element) -> Vec<Vec<Entry<'_>>>) -> Column {
    Column { head, width, content: Content::Figures(of) }
}

/// Of the notes before NT 2026.010.
pub(super) const CLASSIC: &[Column] = &[
    Column { head: &["CÓDIGO"], width: 165, content: Content::Code },
    Column { head: &["DESCRIÇÃO DO PRODUTO / SERVIÇO"], width: 0, content: Content::Description },
    figures(&["NCM/SH"], 120, |det| left(at(det, "prod/NCM"))),
    figures(&["O/CST", "O/CSOSN"], 85, |det| left(situation(det))),
    figures(&["CFOP"], 75, |det| left(at(det, "prod/CFOP"))),
    figures(&["UN"], 75, |det| left(at(det, "prod/uCom"))),
    figures(&["QUANT."], 120, |det| right(value::quantity(at(det, "prod/qCom"), 0))),
    figures(&["VALOR", "UNIT."], 130, |det| right(value::quantity(at(det, "prod/vUnCom"), 2))),
    figures(&["VALOR", "TOTAL"], 135, |det| right(value::amount(at(det, "prod/vProd")))),
    figures(&["VALOR", "DESC."], 105, |det| right(value::amount(at(det, "prod/vDesc")))),
    figures(&["B. CÁLC.", "ICMS"], 130, |det| right(value::amount(icms(det, "vBC")))),
    figures(&["VALOR", "ICMS"], 115, |det| right(value::amount(icms(det, "vICMS")))),
    figures(&["VALOR", "IPI"], 105, |det| right(value::amount(at(det, "imposto/IPI/IPITrib/vIPI")))),
    figures(&["ALÍQ.", "ICMS"], 75, |det| right(plain_rate(icms(det, "pICMS")))),
    figures(&["ALÍQ.", "IPI"], 75, |det| right(plain_rate(at(det, "imposto/IPI/IPITrib/pIPI")))),
];

/// Of the notes from NT 2026.010 on.
pub(super) const REFORM: &[Column] = &[
    Column { head: &["CÓDIGO"], width: 152, content: Content::Code },
    Column { head: &["DESCRIÇÃO DO PRODUTO / SERVIÇO"], width: 0, content: Content::Description },
    figures(&["CST / CFOP", "CSOSN / CFOP"], 130, codes),
    figures(&["QTD / UN"], 120, quantities),
    figures(&["VLR UNIT"], 125, prices),
    figures(&["VLR TOTAL"], 130, |det| right(value::amount(at(det, "prod/vProd")))),
    figures(&["BASES DE CÁLCULO"], 240, bases),
    figures(&["ALÍQUOTAS"], 320, |det| stacked(det, RATES, |tax| value::rate(tax.rate))),
    figures(&["VALOR DOS TRIBUTOS"], 355, |det| stacked(det, VALUES, |tax| value::amount(tax.value))),
];

fn at<'x>(det: &'x Element, path: &str) -> &'x str {
    det.text_at(path).unwrap_or_default()
}

/// The one group below `ICMS`.
fn icms_group(det: &Element) -> Option<&Element> {
    det.at("imposto/ICMS")?.children().next()
}

fn icms<'x>(det: &'x Element, tag: &str) -> &'x str {
    icms_group(det).and_then(|group| group.text_at(tag)).unwrap_or_default()
}

/// Origin with CST or CSOSN.
fn situation(det: &Element) -> String {
    let code = [icms(det, "CST"), icms(det, "CSOSN")].concat();
    format!("{}{code}", icms(det, "orig"))
}

fn plain_rate(text: &str) -> String {
    if text.is_empty() { String::new() } else { value::quantity(text, 2) }
}

fn left<'x>(text: impl Into<std::borrow::Cow<'x, str>>) -> Vec<Vec<Entry<'x>>> {
    vec![vec![Entry::whole(Align::Left, text)]]
}

fn right<'x>(text: String) -> Vec<Vec<Entry<'x>>> {
    vec![vec![Entry::whole(Align::Right, text)]]
}

fn labelled<'x>(label: &'static str, text: String) -> Vec<Entry<'x>> {
    vec![
        Entry { span: (0, 36), align: Align::Left, text: label.into() },
        Entry { span: (36, 100), align: Align::Right, text: text.into() },
    ]
}

fn codes(det: &Element) -> Vec<Vec<Entry<'_>>> {
    let mut lines = Vec::new();
    let code = situation(det);
    if !code.is_empty() {
        let label = if icms(det, "CSOSN").is_empty() { "CST" } else { "CSOSN" };
        lines.push(vec![Entry::whole(Align::Left, format!("{label} {code}"))]);
    }
    lines.push(vec![Entry::whole(Align::Left, format!("CFOP {}", at(det, "prod/CFOP")))]);
    lines
}

/// Whether the tributable unit says something else than the commercial one.
fn differs(det: &Element) -> bool {
    at(det, "prod/uCom") != at(det, "prod/uTrib") || at(det, "prod/qCom") != at(det, "prod/qTrib")
}

fn quantities(det: &Element) -> Vec<Vec<Entry<'_>>> {
    let mut tags = vec![("prod/qCom", "prod/uCom")];
    if differs(det) {
        tags.push(("prod/qTrib", "prod/uTrib"));
    }
    tags.iter()
        .flat_map(|(quantity, unit)| {
            let number = Entry::whole(Align::Right, value::quantity(at(det, quantity), 0));
            [vec![number], vec![Entry::whole(Align::Right, at(det, unit))]]
        })
        .collect()
}

fn prices(det: &Element) -> Vec<Vec<Entry<'_>>> {
    let mut lines = right(value::quantity(at(det, "prod/vUnCom"), 2));
    if differs(det) {
        // beside the tributable quantity
        lines.push(Vec::new());
        lines.extend(right(value::quantity(at(det, "prod/vUnTrib"), 2)));
    }
    lines
}

/// One tax of an item.
struct Tax<'x> {
    label: &'static str,
    base: Option<(&'static str, &'x str)>,
    rate: &'x str,
    value: &'x str,
}

/// The taxes whose group the item has, in reading order: ICMS, CBS, IBS of the state, IPI, IBS of the city, IS.
fn taxes(det: &Element) -> Vec<Tax<'_>> {
    const IBS: &str = "imposto/IBSCBS/gIBSCBS/";
    let new = |path: &str| at(det, &format!("{IBS}{path}"));
    let effective = |group: &str, rate: &str| {
        let reduced = new(&format!("{group}/gRed/pAliqEfet"));
        if reduced.is_empty() { new(&format!("{group}/{rate}")) } else { reduced }
    };
    let ipi = |tag: &str| at(det, &format!("imposto/IPI/IPITrib/{tag}"));
    let is = |tag: &str| at(det, &format!("imposto/IS/{tag}"));
    let all = [
        Tax {
            label: "ICMS",
            base: Some(("ICMS", icms(det, "vBC"))),
            rate: icms(det, "pICMS"),
            value: icms(det, "vICMS"),
        },
        Tax { label: "CBS", base: None, rate: effective("gCBS", "pCBS"), value: new("gCBS/vCBS") },
        Tax {
            label: "IBS UF",
            base: Some(("IBS/CBS", new("vBC"))),
            rate: effective("gIBSUF", "pIBSUF"),
            value: new("gIBSUF/vIBSUF"),
        },
        Tax { label: "IPI", base: Some(("IPI", ipi("vBC"))), rate: ipi("pIPI"), value: ipi("vIPI") },
        Tax { label: "IBS MUN", base: None, rate: effective("gIBSMun", "pIBSMun"), value: new("gIBSMun/vIBSMun") },
        Tax { label: "IS", base: Some(("IS", is("vBCIS"))), rate: is("pIS"), value: is("vIS") },
    ];
    all.into_iter().filter(|tax| !tax.value.is_empty()).collect()
}

fn bases(det: &Element) -> Vec<Vec<Entry<'_>>> {
    let told = taxes(det).into_iter().filter_map(|tax| tax.base).filter(|(_, base)| !base.is_empty());
    told.map(|(label, base)| labelled(label, value::amount(base))).collect()
}

/// Where label and figure of the left half end, where those of the right half begin and part: hundredths of a column, so that every label
/// has its six points (MOC 7.0, Anexo II, 3.7.7).
struct Halves {
    label: i32,
    figure: i32,
    right: i32,
    right_figure: i32,
}

const RATES: Halves = Halves { label: 29, figure: 56, right: 59, right_figure: 73 };
const VALUES: Halves = Halves { label: 27, figure: 56, right: 58, right_figure: 71 };

/// Two halves, each closed up by itself: ICMS, IBS of the state, IBS of the city; CBS, IPI, IS (NT 2026.010, model).
fn stacked<'x>(det: &'x Element, halves: Halves, figure: fn(&Tax<'_>) -> String) -> Vec<Vec<Entry<'x>>> {
    let (left, right): (Vec<_>, Vec<_>) =
        taxes(det).into_iter().partition(|tax| tax.label == "ICMS" || tax.label.starts_with("IBS"));
    let part = |tax: Option<&Tax<'_>>, from: i32, middle: i32, to: i32| {
        let told = tax.map(|tax| (tax.label, figure(tax)));
        told.into_iter().flat_map(move |(label, figure)| {
            [
                Entry { span: (from, middle), align: Align::Left, text: label.into() },
                Entry { span: (middle, to), align: Align::Right, text: figure.into() },
            ]
        })
    };
    (0..left.len().max(right.len()))
        .map(|line| {
            let first = part(left.get(line), 0, halves.label, halves.figure);
            first.chain(part(right.get(line), halves.right, halves.right_figure, 100)).collect()
        })
        .collect()
}
