//! The typefaces in the file: only the glyphs that were used, with their widths and what they stand for, so that text can be
//! searched and copied.
//!
//! Law: ISO 32000-1, 9.7 (composite fonts) and 9.10 (extraction); ISO 19005-2, 6.2.11 (embedded, with consistent widths).

use super::{compressed, number};
use crate::paper::{Face, Length, scale};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;

/// The glyphs a file uses, by face.
#[derive(Default)]
pub(super) struct Used {
    faces: [Glyphs; 4],
}

#[derive(Default)]
struct Glyphs {
    /// New numbers, in order of first use.
    numbers: GlyphRemapper,
    /// Letter and width of each new number, from 1.
    letters: Vec<(char, u16)>,
    /// New number by letter, for the letters that documents have.
    known: Vec<Option<u16>>,
}

/// Letters that are looked up quickly.
const QUICK: usize = 256;

impl Used {
    /// The number of a letter's glyph in the file.
    pub(super) fn glyph(&mut self, face: Face, letter: char) -> u16 {
        let glyphs = &mut self.faces[face as usize];
        let place = usize::try_from(u32::from(letter)).unwrap_or(usize::MAX);
        if let Some(Some(number)) = glyphs.known.get(place) {
            return *number;
        }
        let glyph = face.glyph(letter);
        let number = glyphs.numbers.remap(glyph.id);
        if usize::from(number) > glyphs.letters.len() {
            glyphs.letters.push((letter, glyph.advance));
        }
        if place < QUICK {
            glyphs.known.resize(QUICK, None);
            glyphs.known[place] = Some(number);
        }
        number
    }

    /// The faces that were used.
    pub(super) fn faces(&self) -> impl Iterator<Item = Face> {
        Face::ALL.into_iter().filter(|face| !self.faces[*face as usize].letters.is_empty())
    }

    /// Writes a face under `id`; the five objects after it are its parts. A face that cannot be cut is embedded whole.
    pub(super) fn write(&self, pdf: &mut Pdf, face: Face, id: Ref) {
        let glyphs = &self.faces[face as usize];
        let [cid, descriptor, file, cmap] = [1, 2, 3, 4].map(|step| Ref::new(id.get() + step));
        let name = format!("{}+{}", tag(&glyphs.letters), face.name());
        let name = Name(name.as_bytes());
        let info = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
        let mut font = pdf.type0_font(id);
        font.base_font(name).encoding_predefined(Name(b"Identity-H")).descendant_font(cid).to_unicode(cmap);
        font.finish();
        let measures = face.measures();
        let thousandths = |units: i32| number(scale(units.into(), Length::new(1_000_000), measures.units));
        let mut font = pdf.cid_font(cid);
        font.subtype(CidFontType::Type2).base_font(name).system_info(info).font_descriptor(descriptor);
        font.cid_to_gid_map_predefined(Name(b"Identity")).default_width(number(Length::ZERO));
        let widths = glyphs.letters.iter().map(|(_, advance)| thousandths(i32::from(*advance)));
        font.widths().consecutive(1, widths);
        font.finish();
        let [left, bottom, right, top] = measures.bounds.map(thousandths);
        let mut described = pdf.font_descriptor(descriptor);
        described.name(name).flags(FontFlags::SYMBOLIC).bbox(Rect::new(left, bottom, right, top));
        described.italic_angle(number(Length::ZERO)).ascent(thousandths(measures.ascent));
        described.descent(thousandths(measures.descent)).cap_height(thousandths(measures.capital));
        described.stem_v(number(Length::new(80_000))).font_file2(file);
        described.finish();
        let cut = subsetter::subset(face.data(), 0, &glyphs.numbers).unwrap_or_else(|_| face.data().to_vec());
        let packed = compressed(&cut);
        let mut stream = pdf.stream(file, &packed);
        stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), i32::try_from(cut.len()).unwrap_or(i32::MAX));
        stream.finish();
        let mut unicode = UnicodeCmap::new(Name(b"Carimbo"), info);
        for ((letter, _), number) in glyphs.letters.iter().zip(1_u16..) {
            unicode.pair(number, *letter);
        }
        let unicode = compressed(unicode.finish().as_slice());
        pdf.cmap(cmap, &unicode).filter(Filter::FlateDecode);
    }
}

/// Six letters that name a subset (ISO 32000-1, 9.6.4), made from its letters.
fn tag(letters: &[(char, u16)]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (letter, _) in letters {
        hash = (hash ^ u64::from(u32::from(*letter))).wrapping_mul(0x0100_0000_01b3);
    }
    (0..6).map(|place| char::from(b'A' + u8::try_from((hash >> (place * 8)) % 26).unwrap_or_default())).collect()
}
