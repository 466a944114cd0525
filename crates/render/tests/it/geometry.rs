//! No text leaves its room or the sheet, no two texts overlap, and no line crosses one.

use crate::documents::{case, golden, longest, replaced, with_items};
use render::form::nfe::danfe::sheets;
use render::form::nfe::receipt;
use render::form::{self, DanfeLayout, Dfe, ParsedDocument, PrintOptions, ReceiptPaper};
use render::paper::{Frame, Length, Sheet, SheetMark, TextLine, TextRotation};

/// Tolerance of a glyph's box over an edge: the width of the line drawn there.
const TOLERANCE: Length = Length::new(300);

pub(crate) fn judged(name: &str, sheets: &[Sheet<'_>]) {
    for (place, sheet) in sheets.iter().enumerate() {
        let page = place + 1;
        let paper = Frame::new(Length::ZERO, Length::ZERO, sheet.width, sheet.height);
        let level: Vec<&TextLine<'_>> = sheet.texts().filter(|line| line.rotation != TextRotation::Rising).collect();
        for line in &level {
            let ink = line.ink().inside(TOLERANCE);
            assert!(line.room.holds(&ink), "{name}, folha {page}: {:?} leaves {:?}: {ink:?}", line.text, line.room);
            assert!(paper.holds(&ink), "{name}, folha {page}: {:?} leaves the sheet", line.text);
        }
        for stroke in strokes(sheet) {
            let struck = level.iter().find(|line| line.ink().inside(TOLERANCE).overlaps(&stroke));
            assert!(struck.is_none(), "{name}, folha {page}: a line is drawn through {:?}", struck.unwrap().text);
        }
        let mut by_height: Vec<(Frame, &TextLine<'_>)> =
            level.into_iter().map(|line| (line.ink().inside(TOLERANCE), line)).collect();
        by_height.sort_by_key(|(ink, _)| ink.y);
        for (index, (ink, line)) in by_height.iter().enumerate() {
            let near = by_height[index + 1..].iter().take_while(|(other, _)| other.y < ink.bottom());
            for (other, with) in near {
                assert!(!ink.overlaps(other), "{name}, folha {page}: {:?} lies on {:?}", line.text, with.text);
            }
        }
    }
}

/// Every drawn line: strokes, and the four sides of outlines.
fn strokes(sheet: &Sheet<'_>) -> Vec<Frame> {
    let thin = Length::new(1);
    let between = |from: (Length, Length), to: (Length, Length)| {
        Frame::new(from.0, from.1, (to.0 - from.0).max(thin), (to.1 - from.1).max(thin))
    };
    let of = |mark: &SheetMark<'_>| match mark {
        SheetMark::Rule { from, to, .. } => vec![between(*from, *to)],
        SheetMark::Outline { frame, .. } => {
            let (left, top, right, bottom) = (frame.x, frame.y, frame.right(), frame.bottom());
            vec![
                between((left, top), (right, top)),
                between((left, bottom), (right, bottom)),
                between((left, top), (left, bottom)),
                between((right, top), (right, bottom)),
            ]
        }
        _ => Vec::new(),
    };
    sheet.drawn().flat_map(of).collect()
}

fn receipts(name: &str, xml: &str) {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap();
    for paper in [ReceiptPaper::Wide, ReceiptPaper::Narrow] {
        let sheets = receipt::sheets(note, &PrintOptions { paper, ..PrintOptions::default() }).unwrap();
        judged(&format!("{name} {paper:?}"), &sheets);
    }
}

fn labels(name: &str, xml: &str) {
    let labelled = replaced(xml, "tpImp", "3");
    for presence in ["1", "2"] {
        let xml = replaced(&labelled, "indPres", presence);
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let options = PrintOptions::default();
        let sheets = form::sheets(Dfe::of(&root).unwrap(), &options).unwrap();
        judged(&format!("{name} label {presence}"), &sheets);
    }
}

fn all_ways(name: &str, xml: &str) {
    receipts(name, xml);
    if xml.contains("<mod>55</mod>") {
        labels(name, xml);
    }
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap();
    for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
        for landscape in [false, true] {
            let options = PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
            let sheets = sheets(note, &options).unwrap();
            judged(&format!("{name} {layout:?} {landscape}"), &sheets);
            each_item_once(name, note, &sheets);
        }
    }
}

/// Every sheet shows its number, and the code of every item is printed once per item.
fn each_item_once(name: &str, note: Dfe<'_>, sheets: &[Sheet<'_>]) {
    for (place, sheet) in sheets.iter().enumerate() {
        let folio = format!("FOLHA {}/{}", place + 1, sheets.len());
        assert!(sheet.texts().any(|line| line.text == folio.as_str()), "{name}: {folio}");
    }
    let said: String = sheets.iter().flat_map(Sheet::texts).map(|line| line.text.replace(' ', "")).collect();
    for det in note.all("", "det") {
        let name_of = det.text_at("prod/xProd").unwrap().replace(' ', "");
        assert!(said.contains(&name_of[..name_of.len().min(12)]), "{name}: {name_of}");
    }
}

#[test]
fn every_golden_case_stands_in_its_frames() {
    for (name, xml) in golden() {
        all_ways(&name, &xml);
    }
}

#[test]
fn any_number_of_items_stands_in_its_frames() {
    let base = case("cobranca");
    for count in [1, 12, 13, 30, 200, 990] {
        all_ways(&format!("{count} items"), &with_items(&base, count));
    }
}

#[test]
fn the_longest_texts_stand_in_their_frames() {
    for (name, xml) in golden() {
        for (letter, spaced) in [('W', false), ('Ç', true), ('i', true)] {
            all_ways(&format!("{name} of {letter}"), &longest(&xml, letter, spaced));
        }
    }
}
