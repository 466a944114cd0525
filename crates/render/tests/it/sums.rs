//! The printed amounts from the products to the total sum up to the total, on every form of every golden case.

use crate::documents::{golden, replaced};
use render::form::nfe::sum;
use render::form::{self, DanfeLayout, Dfe, ParsedDocument, PrintOptions, ReceiptPaper};
use render::paper::{Sheet, TextLine};

/// Cents of a printed amount.
fn cents(text: &str) -> i64 {
    let digits: String = text.chars().filter(|letter| letter.is_ascii_digit() || *letter == '-').collect();
    digits.parse().unwrap_or_else(|_| panic!("{text:?} is no amount"))
}

/// Amounts at the right of labels that end with `R$`, in their order.
fn pairs(sheets: &[Sheet<'_>]) -> Vec<(String, i64)> {
    let mut found = Vec::new();
    for sheet in sheets {
        for label in sheet.texts().filter(|line| line.text.ends_with(" R$") && !line.text.starts_with("VALOR PAGO")) {
            let beside = |line: &&TextLine<'_>| line.room.y == label.room.y && line.at.0 > label.at.0;
            let amount = sheet.texts().find(beside).unwrap_or_else(|| panic!("nothing beside {:?}", label.text));
            found.push((label.text.to_string(), cents(&amount.text)));
        }
    }
    found
}

fn adds_up(name: &str, sheets: &[Sheet<'_>], total: &str) {
    let pairs = pairs(sheets);
    let place = pairs.iter().position(|(label, _)| label == total).unwrap_or_else(|| panic!("{name}: {pairs:?}"));
    let sum: i64 = pairs[..place].iter().map(|(_, amount)| amount).sum();
    assert_eq!(sum, pairs[place].1, "{name}: {pairs:?}");
}

#[test]
fn what_is_printed_on_labels_and_receipts_adds_up_to_the_total() {
    for (name, xml) in golden() {
        let label = replaced(&xml, "tpImp", "3");
        let receipt = replaced(&xml, "tpImp", "6");
        for (xml, total) in [(label, "VALOR TOTAL DA NOTA R$"), (receipt, "Valor a pagar R$")] {
            let total = if xml.contains("<mod>65</mod>") { "Valor a pagar R$" } else { total };
            for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
                let options = PrintOptions { paper, ..PrintOptions::default() };
                let root = ParsedDocument::read(xml.as_bytes()).unwrap();
                let sheets = form::sheets(Dfe::of(&root).unwrap(), &options).unwrap();
                adds_up(&format!("{name} {paper:?}"), &sheets, total);
            }
        }
    }
}

/// Cells whose amounts make the total, by layout where they differ.
const CELLS: &[&str] = &[
    "VALOR TOTAL DOS PRODUTOS",
    "TOTAL DOS PRODUTOS",
    "VALOR DO FRETE",
    "VALOR DO SEGURO",
    "OUTRAS DESPESAS",
    "OUTRAS DESPESAS ACESSÓRIAS",
    "V. IMP. IMPORTAÇÃO",
    "VALOR DO II",
    "VALOR DO IPI",
    "VALOR DO ICMS ST",
    "VALOR DO FCP RETIDO POR ST",
    "VALOR DO ICMS MONOF. POR RETENÇÃO",
    "VALOR TOTAL DOS SERVIÇOS",
];
/// Amounts printed as text, for lack of a cell.
const WORDS: &[(&str, i64)] = &[
    ("IPI DEVOLVIDO: ", 1),
    ("ICMS MONOFÁSICO RETIDO: ", 1),
    ("ICMS DESONERADO DEDUZIDO: ", 1),
    ("PIS ST: ", 1),
    ("COFINS ST: ", 1),
];

fn cell(sheet: &Sheet<'_>, label: &str) -> i64 {
    let Some(label) = sheet.texts().find(|line| line.text == label) else { return 0 };
    let below = |line: &&TextLine<'_>| {
        line.room.x == label.room.x && line.room.width == label.room.width && line.room.y > label.room.y
    };
    let nearest = sheet.texts().filter(below).min_by_key(|line| line.room.y);
    nearest
        .filter(|line| line.text.ends_with(|letter: char| letter.is_ascii_digit()))
        .map_or(0, |line| cents(&line.text))
}

#[test]
fn what_is_printed_on_a4_adds_up_to_the_total() {
    for (name, xml) in golden().into_iter().filter(|(_, xml)| xml.contains("<mod>55</mod>")) {
        let xml = replaced(&xml, "tpImp", "1");
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let note = Dfe::of(&root).unwrap();
        // a vehicle invoiced directly shows an ICMS-ST outside of its total; an import has no formula
        if sum::parts(note).iter().any(|part| part.label == "Demais valores") || name.starts_with("veiculo_direto") {
            continue;
        }
        for (layout, landscape) in
            [(DanfeLayout::Classic, false), (DanfeLayout::Reform, false), (DanfeLayout::Reform, true)]
        {
            let options = PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
            let sheets = form::sheets(note, &options).unwrap();
            let cells: i64 = CELLS.iter().map(|label| cell(&sheets[0], label)).sum();
            let said = |word: &str| {
                let lines = sheets.iter().flat_map(Sheet::texts);
                lines.filter_map(|line| line.text.strip_prefix(word).map(cents)).sum::<i64>()
            };
            // the retention of a single-phase tax has a cell in the new layout
            let words =
                WORDS.iter().filter(|(word, _)| layout == DanfeLayout::Classic || !word.starts_with("ICMS MONO"));
            let words: i64 = words.map(|(word, sign)| said(word) * sign).sum();
            let total = cell(&sheets[0], "VALOR TOTAL DA NOTA");
            assert_eq!(cells - cell(&sheets[0], "DESCONTO") + words, total, "{name} {layout:?} {landscape}");
        }
    }
}

#[test]
fn a_total_that_is_not_made_of_its_parts_is_no_golden_case() {
    for (name, xml) in golden() {
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let parts = sum::parts(Dfe::of(&root).unwrap());
        let import = xml.contains("<CFOP>3");
        let informed = name == "totais_informados";
        assert!(import || informed || parts.iter().all(|part| part.label != "Demais valores"), "{name}: {parts:?}");
    }
}
