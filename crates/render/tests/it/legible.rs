//! No text is smaller than MOC 7.0, Anexo II, 3.7 allows: heads of the table and titles 5 points, everything else 6.
//! Golden documents have texts of ordinary length; texts at the layout's limit are shrunk rather than cut.

use crate::documents::{golden, replaced};
use render::form::{self, DanfeLayout, Dfe, ParsedDocument, PrintOptions};
use render::paper::{Length, TextRotation};

const SIX: Length = Length::decipoints(60);
const FIVE: Length = Length::decipoints(50);

fn heads() -> Vec<&'static str> {
    "CÓDIGO|DESCRIÇÃO DO PRODUTO / SERVIÇO|NCM/SH|O/CST|O/CSOSN|CFOP|UN|QUANT.|VALOR|UNIT.|TOTAL|DESC.|B. CÁLC.|ICMS|IPI|ALÍQ.|\
     CST / CFOP|CSOSN / CFOP|QTD / UN|VLR UNIT|VLR TOTAL|BASES DE CÁLCULO|ALÍQUOTAS|VALOR DOS TRIBUTOS"
        .split('|')
        .collect()
}

fn judged(name: &str, xml: &str, options: &PrintOptions, small: &mut Vec<String>) {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let sheets = form::sheets(Dfe::of(&root).unwrap(), options).unwrap();
    let heads = heads();
    for line in sheets.iter().flat_map(render::paper::Sheet::texts).filter(|line| line.rotation == TextRotation::Level)
    {
        let least = if heads.contains(&line.text.as_ref()) { FIVE } else { SIX };
        if line.size < least {
            small.push(format!("{name} {:?} {:?}: {:?} {:?}", options.layout, options.landscape, line.text, line.size));
        }
    }
}

#[test]
fn no_text_of_an_ordinary_note_is_too_small_to_be_legal() {
    let mut small = Vec::new();
    for (name, xml) in golden() {
        let xml = replaced(&xml, "tpImp", "1");
        for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
            for landscape in [false, true] {
                let options =
                    PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
                judged(&name, &xml, &options, &mut small);
            }
        }
        if xml.contains("<mod>55</mod>") {
            judged(&format!("{name} label"), &replaced(&xml, "tpImp", "3"), &PrintOptions::default(), &mut small);
        }
    }
    assert!(small.is_empty(), "{} too small:\n{}", small.len(), small.join("\n"));
}

/// The longest address of the layout: street, number and complement of sixty letters each.
#[test]
fn a_content_longer_than_its_cell_takes_lines_of_legal_size() {
    let (_, xml) =
        golden().into_iter().find(|(_, xml)| xml.contains("<mod>55</mod>") && xml.contains("<enderDest>")).unwrap();
    let at = xml.find("<enderDest>").unwrap();
    let (before, address) = xml.split_at(at);
    let sixty = "AVENIDA DOS MUNICÍPIOS MUITO COMPRIDOS DO INTERIOR PAULISTA 9";
    let address = replaced(address, "xLgr", sixty);
    let long = [before, &replaced(&address, "nro", sixty)].concat();
    let mut small = Vec::new();
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        for landscape in [false, true] {
            let options = PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
            judged("long", &long, &options, &mut small);
            let root = ParsedDocument::read(long.as_bytes()).unwrap();
            let sheets = form::sheets(Dfe::of(&root).unwrap(), &options).unwrap();
            let printed: Vec<&str> = sheets[0].texts().map(|line| line.text.as_ref()).collect();
            let printed = printed.join(" ");
            assert!(printed.matches("PAULISTA 9").count() >= 2, "{printed}");
        }
    }
    assert!(small.is_empty(), "{} too small:\n{}", small.len(), small.join("\n"));
}
