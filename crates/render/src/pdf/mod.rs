//! Sheets as the bytes of a PDF/A-2b file. Equal sheets give equal bytes: no clock, no chance.
//!
//! Law: ISO 32000-1 (PDF 1.7), ISO 19005-2 (PDF/A-2, level B).
//! Must not know: the meaning of the marks.

mod archive;
mod compressor;
mod content;
mod font;
mod letters;
pub mod picture;
mod truetype;

use crate::paper::{Length, Sheet, SheetMark};
use compressor::StreamCompressor;
use font::{FontSubset, UsedLetters};
use pdf_writer::writers::Resources;
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Settings, XRefFilter};
use picture::Picture;
use std::sync::Arc;

/// Writes the sheets. `title` is shown in the reader's window; the sheets refer to `pictures` by index.
pub fn write(title: &str, sheets: &[Sheet<'_>], pictures: &[Picture]) -> Vec<u8> {
    let (mut packer, mut ids) = (StreamCompressor::fast(), ObjectIds { next: 1 });
    let drawn = PageStreams::of(sheets, &mut packer);
    let catalog = archive::ArchiveRefs {
        catalog: ids.allocate(1),
        tree: ids.allocate(1),
        information: ids.allocate(1),
        metadata: ids.allocate(1),
        profile: ids.allocate(1),
    };
    let tree = catalog.tree;
    let mut pdf = Pdf::with_settings_and_capacity(Settings { pretty: false }, drawn.bytes() + 60_000);
    pdf.set_binary_marker(b"\xe2\xe3\xcf\xd3");
    archive::write(&mut pdf, title, drawn.streams(), catalog);
    let mut named = NamedResources::default();
    for (face, cut) in drawn.used.cuts() {
        let id = ids.allocate(FontSubset::OBJECTS);
        cut.write(&mut pdf, face, id);
        named.fonts.push((format!("F{}", face as usize), id));
    }
    for (place, picture) in pictures.iter().enumerate() {
        let id = ids.allocate(1);
        picture.write(&mut pdf, id, &mut packer);
        named.objects.push((format!("P{place}"), id));
    }
    let resources = named.write(&mut pdf, ids.allocate(1));
    for (place, (sheet, stream)) in drawn.under.iter().enumerate() {
        let id = ids.allocate(1);
        let mut form = pdf.form_xobject(id, stream);
        form.filter(Filter::FlateDecode);
        form.bbox(paper(sheet)).pair(Name(b"Resources"), resources);
        named.objects.push((format!("S{place}"), id));
    }
    let resources = if drawn.under.is_empty() { resources } else { named.write(&mut pdf, ids.allocate(1)) };
    let pages: Vec<Ref> = drawn.pages.iter().map(|_| ids.allocate(2)).collect();
    pdf.pages(tree).kids(pages.iter().copied()).count(i32::try_from(pages.len()).unwrap_or(i32::MAX));
    for ((sheet, stream), id) in sheets.iter().zip(&drawn.pages).zip(pages) {
        let content = Ref::new(id.get() + 1);
        let mut page = pdf.page(id);
        page.parent(tree).media_box(paper(sheet)).contents(content).pair(Name(b"Resources"), resources);
        page.finish();
        pdf.stream(content, stream).filter(Filter::FlateDecode);
    }
    let packed = |table: &[u8]| (packer.pack(table), XRefFilter::Single(Filter::FlateDecode));
    pdf.finish_with_xref_stream_and_filter(ids.allocate(1), packed)
}

/// Sheets as compressed content streams.
struct PageStreams<'s> {
    /// Marks shared by sheets, each once, with a sheet that has them.
    under: Vec<(&'s Sheet<'s>, Vec<u8>)>,
    pages: Vec<Vec<u8>>,
    used: UsedLetters,
}

impl<'s> PageStreams<'s> {
    fn of(sheets: &'s [Sheet<'s>], packer: &mut StreamCompressor) -> PageStreams<'s> {
        let mut drawn =
            PageStreams { under: Vec::new(), pages: Vec::with_capacity(sheets.len()), used: UsedLetters::default() };
        for sheet in sheets {
            let mut stream = Vec::new();
            if let Some(under) = &sheet.under {
                stream.extend(format!("/S{} Do\n", drawn.under(sheet, under, packer)).into_bytes());
            }
            content::write(&mut stream, &sheet.marks, sheet.height, &mut drawn.used);
            drawn.pages.push(packer.pack(&stream));
        }
        drawn
    }

    /// Index of a sheet's shared marks.
    fn under(&mut self, sheet: &'s Sheet<'s>, under: &Arc<Vec<SheetMark<'s>>>, packer: &mut StreamCompressor) -> usize {
        let same =
            |(other, _): &(&Sheet<'s>, Vec<u8>)| other.under.as_ref().is_some_and(|other| Arc::ptr_eq(other, under));
        self.under.iter().position(same).unwrap_or_else(|| {
            let mut stream = Vec::new();
            content::write(&mut stream, under, sheet.height, &mut self.used);
            self.under.push((sheet, packer.pack(&stream)));
            self.under.len() - 1
        })
    }

    fn streams(&self) -> impl Iterator<Item = &[u8]> {
        self.under.iter().map(|(_, stream)| stream).chain(&self.pages).map(Vec::as_slice)
    }

    fn bytes(&self) -> usize {
        self.streams().map(|stream| stream.len() + 200).sum()
    }
}

/// Resources that content streams refer to by name.
#[derive(Default)]
struct NamedResources {
    fonts: Vec<(String, Ref)>,
    objects: Vec<(String, Ref)>,
}

impl NamedResources {
    /// Writes the names as an object.
    fn write(&self, pdf: &mut Pdf, id: Ref) -> Ref {
        let mut resources = pdf.indirect(id).start::<Resources<'_>>();
        resources.fonts().pairs(self.fonts.iter().map(|(name, id)| (Name(name.as_bytes()), *id)));
        if !self.objects.is_empty() {
            resources.x_objects().pairs(self.objects.iter().map(|(name, id)| (Name(name.as_bytes()), *id)));
        }
        id
    }
}

fn paper(sheet: &Sheet<'_>) -> Rect {
    let origin = number(Length::ZERO);
    Rect::new(origin, origin, number(sheet.width), number(sheet.height))
}

/// Allocates object numbers.
struct ObjectIds {
    next: i32,
}

impl ObjectIds {
    fn allocate(&mut self, count: i32) -> Ref {
        let first = self.next;
        self.next += count;
        Ref::new(first)
    }
}

/// Converts for pdf-writer, which takes binary fractions for the few numbers outside of content streams.
#[expect(clippy::float_arithmetic, reason = "sizes on paper, no money; the only place where one is made")]
fn number(length: Length) -> f32 {
    length.thousandths() as f32 / 1000.0
}
