//! Sheets into the bytes of a PDF/A-2b file. Same sheets, same bytes: no clock, no chance.
//!
//! Law: ISO 32000-1 (PDF 1.7), ISO 19005-2 (PDF/A-2, level B). Must not know: what the marks mean.

mod archive;
mod content;
mod font;
pub mod picture;

use crate::paper::{Length, Sheet};
use font::Used;
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref};
use picture::Picture;

/// Objects a face takes: itself, descendant, descriptor, file, map to letters.
const PER_FACE: i32 = 5;

/// Writes the sheets. `title` stands in the reader's window; pictures are those the sheets name by place.
pub fn write(title: &str, sheets: &[Sheet<'_>], pictures: &[Picture]) -> Vec<u8> {
    let mut used = Used::default();
    let contents: Vec<Vec<u8>> = sheets.iter().map(|sheet| compressed(&content::write(sheet, &mut used))).collect();
    let mut ids = Ids { next: 1 };
    let (catalog, tree, metadata, profile) = (ids.take(1), ids.take(1), ids.take(1), ids.take(1));
    let faces: Vec<_> = used.faces().map(|face| (face, ids.take(PER_FACE))).collect();
    let images: Vec<Ref> = pictures.iter().map(|_| ids.take(2)).collect();
    let pages: Vec<(Ref, Ref)> = contents.iter().map(|_| (ids.take(1), ids.take(1))).collect();
    let bytes = contents.iter().map(Vec::len).sum::<usize>();
    let mut pdf = Pdf::with_capacity(bytes + 100_000);
    pdf.set_binary_marker(b"\xe2\xe3\xcf\xd3");
    archive::write(&mut pdf, title, &contents, archive::Refs { catalog, tree, metadata, profile });
    pdf.pages(tree).kids(pages.iter().map(|page| page.0)).count(i32::try_from(pages.len()).unwrap_or(i32::MAX));
    for ((sheet, content), (page_id, content_id)) in sheets.iter().zip(&contents).zip(&pages) {
        let mut page = pdf.page(*page_id);
        let origin = number(Length::ZERO);
        page.parent(tree).media_box(Rect::new(origin, origin, number(sheet.width), number(sheet.height)));
        page.contents(*content_id);
        let mut resources = page.resources();
        let mut fonts = resources.fonts();
        for (face, id) in &faces {
            fonts.pair(Name(format!("F{}", *face as usize).as_bytes()), *id);
        }
        fonts.finish();
        if !images.is_empty() {
            let mut objects = resources.x_objects();
            for (place, id) in images.iter().enumerate() {
                objects.pair(Name(format!("P{place}").as_bytes()), *id);
            }
        }
        resources.finish();
        page.finish();
        pdf.stream(*content_id, content).filter(Filter::FlateDecode);
    }
    for (face, id) in faces {
        used.write(&mut pdf, face, id);
    }
    for (picture, id) in pictures.iter().zip(images) {
        picture.write(&mut pdf, id);
    }
    pdf.finish()
}

/// Gives numbers to objects.
struct Ids {
    next: i32,
}

impl Ids {
    fn take(&mut self, count: i32) -> Ref {
        let first = self.next;
        self.next += count;
        Ref::new(first)
    }
}

/// pdf-writer takes binary fractions for the few numbers outside of content streams.
#[expect(clippy::float_arithmetic, reason = "sizes on paper, no money; the only place where one is made")]
fn number(length: Length) -> f32 {
    length.thousandths() as f32 / 1000.0
}

/// Quick compression: twice as fast as the best for a tenth more bytes.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 1)
}
