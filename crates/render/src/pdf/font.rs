//! Typefaces in the file: reduced to a set of glyphs, with widths and a map to letters, so that text can be searched
//! and copied. A subset is made once per process and is equal in every form.
//!
//! Law: ISO 32000-1, 9.7 (composite fonts) and 9.10 (extraction); ISO 19005-2, 6.2.11 (embedded, with consistent
//! widths).

use super::compressor::StreamCompressor;
use super::letters::{self, LetterSet};
use super::{number, truetype};
use crate::paper::{Length, Typeface, scale};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// Set of letters that a file uses, by face.
#[derive(Default)]
pub(super) struct UsedLetters {
    sets: [Option<LetterSet>; 4],
}

impl UsedLetters {
    /// Adds the letters of a set.
    pub(super) fn add(&mut self, face: Typeface, set: LetterSet) {
        let known = &mut self.sets[face as usize];
        *known = (*known).max(Some(set));
    }

    /// Subsets of the faces used.
    pub(super) fn cuts(&self) -> impl Iterator<Item = (Typeface, &'static FontSubset)> {
        Typeface::ALL.into_iter().filter_map(|face| Some((face, FontSubset::of(face, self.sets[face as usize]?))))
    }
}

/// A face reduced to a set.
pub(super) struct FontSubset {
    name: String,
    /// Widths of its glyphs from the first on.
    widths: Vec<Length>,
    /// Font file, compressed.
    file: Vec<u8>,
    /// Length of the font file before compression.
    length: usize,
    /// Map from codes to glyphs, compressed.
    encoding: Vec<u8>,
    /// Map from codes to letters, compressed.
    unicode: Vec<u8>,
}

const INFO: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

impl FontSubset {
    /// Number of its objects: font, descendant, descriptor, file, map to glyphs, map to letters.
    pub(super) const OBJECTS: i32 = 6;

    fn of(face: Typeface, set: LetterSet) -> &'static FontSubset {
        static CUTS: [[OnceLock<FontSubset>; 3]; 4] = [const { [const { OnceLock::new() }; 3] }; 4];
        CUTS[face as usize][set as usize].get_or_init(|| FontSubset::make(face, set))
    }

    /// Makes a subset. A face that fails would print nothing; a test proves that the four work.
    fn make(face: Typeface, set: LetterSet) -> FontSubset {
        let found = letters::letters(set).into_iter().filter_map(|letter| Some((letter, face.holds(letter)?)));
        let (letters, glyphs): (Vec<char>, Vec<_>) = found.unzip();
        let ids: Vec<u16> = glyphs.iter().map(|glyph| glyph.id).collect();
        let file = truetype::cut(face.data(), &ids).unwrap_or_default();
        // whole numbers: PDF/A allows a difference of one
        let units = face.measures().units;
        let width = |advance: u16| Length::new((i32::from(advance) * 1000 + units / 2) / units * 1000);
        let widths = glyphs.iter().map(|glyph| width(glyph.advance)).collect();
        let mut packer = StreamCompressor::best();
        FontSubset {
            name: format!("{}+{}", tag(&letters), face.name()),
            widths,
            length: file.len(),
            file: packer.pack(&file),
            encoding: packer.pack(encoding(&letters).as_bytes()),
            unicode: packer.pack(unicode(&letters).as_bytes()),
        }
    }

    /// Writes the face under `id` and its parts under the five following ids.
    pub(super) fn write(&self, pdf: &mut Pdf, face: Typeface, id: Ref) {
        let [cid, descriptor, file, encoding, unicode] = [1, 2, 3, 4, 5].map(|step| Ref::new(id.get() + step));
        let name = Name(self.name.as_bytes());
        let mut font = pdf.type0_font(id);
        font.base_font(name).encoding_cmap(encoding).descendant_font(cid).to_unicode(unicode);
        font.finish();
        let mut font = pdf.cid_font(cid);
        font.subtype(CidFontType::Type2).base_font(name).system_info(INFO).font_descriptor(descriptor);
        font.cid_to_gid_map_predefined(Name(b"Identity")).default_width(number(Length::ZERO));
        font.widths().consecutive(1, self.widths.iter().copied().map(number));
        font.finish();
        let measures = face.measures();
        let units = |units: i32| number(thousandths(face, units));
        let [left, bottom, right, top] = measures.bounds.map(units);
        let mut described = pdf.font_descriptor(descriptor);
        described.name(name).flags(FontFlags::SYMBOLIC).bbox(Rect::new(left, bottom, right, top));
        described.italic_angle(number(Length::ZERO)).ascent(units(measures.ascent));
        described.descent(units(measures.descent)).cap_height(units(measures.capital));
        described.stem_v(number(Length::new(80_000))).font_file2(file);
        described.finish();
        let mut stream = pdf.stream(file, &self.file);
        stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), i32::try_from(self.length).unwrap_or(i32::MAX));
        stream.finish();
        let mut cmap = pdf.cmap(encoding, &self.encoding);
        cmap.name(Name(ENCODING.as_bytes())).system_info(INFO).pair(Name(b"WMode"), 0);
        cmap.filter(Filter::FlateDecode);
        cmap.finish();
        pdf.stream(unicode, &self.unicode).filter(Filter::FlateDecode);
    }
}

/// Units of a face as thousandths of the size of type.
fn thousandths(face: Typeface, units: i32) -> Length {
    scale(units.into(), Length::new(1_000_000), face.measures().units)
}

const ENCODING: &str = "Carimbo-H";

/// CMap from codes to glyphs, which are in the order of their letters.
fn encoding(letters: &[char]) -> String {
    cmap(ENCODING, 1, letters, "cidrange", |_, place| (place + 1).to_string())
}

/// CMap from codes to letters.
fn unicode(letters: &[char]) -> String {
    cmap("Carimbo-Unicode", 2, letters, "bfrange", |letter, _| format!("<{:04X}>", u32::from(letter)))
}

fn cmap(name: &str, kind: u8, letters: &[char], of: &str, target: impl Fn(char, usize) -> String) -> String {
    let runs = letters::runs(letters);
    let doubles = runs.iter().any(|(first, ..)| letters::code(*first).1);
    let spaces =
        if doubles { "2 begincodespacerange\n<00> <FE>\n<FF00> <FFFF>" } else { "1 begincodespacerange\n<00> <FE>" };
    let mut out = format!(
        "%!PS-Adobe-3.0 Resource-CMap\n/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
         /CIDSystemInfo 3 dict dup begin /Registry (Adobe) def /Ordering (Identity) def /Supplement 0 def end def\n\
         /CMapName /{name} def\n/CMapType {kind} def\n/WMode 0 def\n{spaces}\nendcodespacerange\n{} begin{of}\n",
        runs.len()
    );
    for (first, place, count) in runs {
        let (code, double) = letters::code(first);
        let (width, last) = (if double { 4 } else { 2 }, code + count - 1);
        let _ = writeln!(out, "<{code:0width$X}> <{last:0width$X}> {}", target(first, place));
    }
    let _ = write!(out, "end{of}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend");
    out
}

/// Six letters that name a subset (ISO 32000-1, 9.6.4), derived from its letters.
fn tag(letters: &[char]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for letter in letters {
        hash = (hash ^ u64::from(u32::from(*letter))).wrapping_mul(0x0100_0000_01b3);
    }
    (0..6).map(|place| char::from(b'A' + u8::try_from((hash >> (place * 8)) % 26).unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_sets_are_in_every_face() {
        for face in Typeface::ALL {
            for set in [LetterSet::Capitals, LetterSet::Portuguese] {
                let cut = FontSubset::of(face, set);
                assert_eq!(cut.widths.len(), letters::letters(set).len(), "{face:?} {set:?}");
                assert!(cut.length > 5000 && cut.file.len() < 9000, "{face:?} {set:?}: {}", cut.file.len());
            }
            assert!(FontSubset::of(face, LetterSet::Whole).widths.len() > 250, "{face:?}");
        }
    }
}
