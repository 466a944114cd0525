//! Printing any stored bytes ends with a form or an error: no panic, no endless loop, no unbounded growth.

use crate::documents::{golden, transports};
use render::form::nfe::{danfe, receipt};
use render::form::{self, DanfeLayout, Dfe, ParsedDocument, PrintOptions, StoredElement, event};

/// A small seeded generator: equal documents in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }
}

const CASES: usize = 10_000;
/// More sheets than these small documents can fill.
const MOST_SHEETS: usize = 400;

fn mutated(xml: &str, draw: &mut Draw) -> String {
    let mut letters: Vec<char> = xml.chars().collect();
    for _ in 0..=draw.below(4) {
        let at = draw.below(letters.len());
        match draw.below(6) {
            // a content of another kind, or none
            0 => change_content(
                &mut letters,
                at,
                ["", "-", "0", "999999999999999.99", "\u{1F600}漢字", "a b c"][draw.below(6)],
            ),
            // a very long one
            1 => change_content(&mut letters, at, &"comprido ".repeat(draw.below(700))),
            2 => change_content(&mut letters, at, &"W".repeat(draw.below(3000))),
            // an element removed, or repeated
            3 => cut_element(&mut letters, at),
            4 => {
                let to = (at + draw.below(200)).min(letters.len());
                letters.drain(at..to);
            }
            _ => letters[at] = ['<', '>', '&', '"', '\u{0}', 'é', '\u{FFFD}'][draw.below(7)],
        }
        if letters.is_empty() {
            break;
        }
    }
    letters.into_iter().collect()
}

/// Replaces the text at a position.
fn change_content(letters: &mut Vec<char>, at: usize, content: &str) {
    let Some(from) = (0..=at).rev().find(|place| letters[*place] == '>') else { return };
    let Some(to) = (from..letters.len()).find(|place| letters[*place] == '<') else { return };
    letters.splice(from + 1..to, content.chars());
}

/// Removes the smallest element that begins after a position.
fn cut_element(letters: &mut Vec<char>, at: usize) {
    let text: String = letters[at..].iter().collect();
    let Some(start) = text.find('<') else { return };
    let name: String = text[start + 1..].chars().take_while(|letter| letter.is_alphanumeric()).collect();
    let close = format!("</{name}>");
    let Some(end) = text[start..].find(&close) else { return };
    let before = text[..start].chars().count();
    let length = text[start..start + end + close.len()].chars().count();
    letters.drain(at + before..at + before + length);
}

/// Checks that this parser gives the tree of the strict parser.
fn same(strict: &fiscal::xml::Element, own: StoredElement<'_>) {
    assert_eq!(strict.name, *own.name());
    if strict.children().next().is_none() {
        assert_eq!(strict.text(), own.text());
    }
    for (key, value) in strict.attributes.iter().filter(|(key, _)| !key.starts_with('{')) {
        assert_eq!(own.attribute(key).as_deref(), Some(value.as_str()));
    }
    let children: Vec<StoredElement<'_>> = own.children().collect();
    assert_eq!(strict.children().count(), children.len());
    strict.children().zip(children).for_each(|(strict, own)| same(strict, own));
}

fn printed(xml: &[u8], number: usize) -> bool {
    let layout = Some(if number.is_multiple_of(2) { DanfeLayout::Classic } else { DanfeLayout::Reform });
    let options = PrintOptions { layout, landscape: Some(number % 4 > 1), ..PrintOptions::default() };
    if number.is_multiple_of(25) {
        let _ = form::pdf(xml, &options);
        let _ = form::escpos(xml, &options);
    }
    let strict = fiscal::xml::read(xml);
    let Ok(root) = ParsedDocument::read(xml) else {
        assert!(strict.is_err(), "read strictly, and not here");
        return false;
    };
    if let (Ok(strict), Some(root)) = (&strict, root.root()) {
        same(strict, root);
    }
    let _ = event::sheets(&root, Some(&root));
    let Ok(note) = Dfe::of(&root) else { return false };
    let forms = [form::sheets(note, &options), danfe::sheets(note, &options), receipt::sheets(note, &options)];
    for sheets in forms.into_iter().flatten() {
        assert!(sheets.len() <= MOST_SHEETS, "{}", sheets.len());
    }
    true
}

#[test]
fn ten_thousand_mutated_documents_end_well() {
    let documents = [golden(), transports()].concat();
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    let mut read = 0;
    for number in 0..CASES {
        let (_, xml) = &documents[draw.below(documents.len())];
        read += usize::from(printed(mutated(xml, &mut draw).as_bytes(), number));
    }
    // the mutations leave most documents readable, so that the test is meaningful
    assert!(read > CASES / 3, "{read}");
}

#[test]
fn bytes_of_any_kind_end_well() {
    let mut draw = Draw(77);
    for number in 0..500 {
        let bytes: Vec<u8> = (0..draw.below(400)).map(|_| u8::try_from(draw.below(256)).unwrap()).collect();
        assert!(!printed(&bytes, number));
    }
}

#[test]
fn the_same_document_is_the_same_bytes() {
    let (_, xml) = &golden()[0];
    let options = PrintOptions::default();
    assert_eq!(form::pdf(xml.as_bytes(), &options).unwrap(), form::pdf(xml.as_bytes(), &options).unwrap());
}
