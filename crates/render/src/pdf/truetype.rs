//! A font file reduced to some of its glyphs, without the hinting instructions for old screens: a third of the bytes.
//!
//! Law: OpenType 1.9 (table directory, head, hhea, hmtx, loca, maxp, glyf); ISO 32000-1, 9.9 (the tables that a PDF
//! needs).
//! Must not know: letters.

use crate::opentype::{advance, long, table, word};

/// Required tables of a font file.
struct FontTables<'f> {
    head: &'f [u8],
    hhea: &'f [u8],
    hmtx: &'f [u8],
    maxp: &'f [u8],
    loca: &'f [u8],
    glyf: &'f [u8],
}

/// Flags of a composite glyph's part.
const WORDS: u16 = 0x0001;
const SCALE: u16 = 0x0008;
const MORE: u16 = 0x0020;
const SCALES: u16 = 0x0040;
const MATRIX: u16 = 0x0080;
const INSTRUCTIONS: u16 = 0x0100;

/// A font file in which glyph 0 is the original's and glyph `n + 1` is `glyphs[n]`; `None` for a file that is no
/// TrueType font.
pub(super) fn cut(file: &[u8], glyphs: &[u16]) -> Option<Vec<u8>> {
    let font = FontTables::read(file)?;
    let mut kept: Vec<u16> = [&[0], glyphs].concat();
    let (mut loca, mut glyf, mut hmtx) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    // parts of composite glyphs are appended during the loop
    while let Some(glyph) = kept.get(next).copied() {
        loca.extend(u32::try_from(glyf.len()).ok()?.to_be_bytes());
        glyf.extend(outline(font.outline(glyph)?, &mut kept)?);
        glyf.resize(glyf.len().next_multiple_of(4), 0);
        hmtx.extend(font.metrics(glyph)?);
        next += 1;
    }
    loca.extend(u32::try_from(glyf.len()).ok()?.to_be_bytes());
    let count = u16::try_from(kept.len()).ok()?.to_be_bytes();
    let mut head = font.head.to_vec();
    // no check sum yet, long offsets
    head.get_mut(8..12)?.fill(0);
    head.get_mut(50..52)?.copy_from_slice(&[0, 1]);
    let mut hhea = font.hhea.to_vec();
    hhea.get_mut(34..36)?.copy_from_slice(&count);
    let mut maxp = font.maxp.to_vec();
    maxp.get_mut(4..6)?.copy_from_slice(&count);
    // twilight points, storage, functions, definitions, stack, instructions
    maxp.get_mut(16..28)?.fill(0);
    Some(assembled(&[
        (b"glyf", glyf),
        (b"head", head),
        (b"hhea", hhea),
        (b"hmtx", hmtx),
        (b"loca", loca),
        (b"maxp", maxp),
    ]))
}

impl<'f> FontTables<'f> {
    fn read(file: &'f [u8]) -> Option<FontTables<'f>> {
        Some(FontTables {
            head: table(file, b"head")?,
            hhea: table(file, b"hhea")?,
            hmtx: table(file, b"hmtx")?,
            maxp: table(file, b"maxp")?,
            loca: table(file, b"loca")?,
            glyf: table(file, b"glyf")?,
        })
    }

    fn outline(&self, glyph: u16) -> Option<&'f [u8]> {
        let place = usize::from(glyph);
        let (from, to) = match word(self.head, 50)? {
            0 => (usize::from(word(self.loca, place * 2)?) * 2, usize::from(word(self.loca, place * 2 + 2)?) * 2),
            _ => (long(self.loca, place * 4)?, long(self.loca, place * 4 + 4)?),
        };
        self.glyf.get(from..to)
    }

    /// Advance and left bearing; the last glyphs of a font may share one advance.
    fn metrics(&self, glyph: u16) -> Option<[u8; 4]> {
        let (place, full) = (usize::from(glyph), usize::from(word(self.hhea, 34)?));
        let bearing = if place < full { place * 4 + 2 } else { full * 4 + (place - full) * 2 };
        let [[a, b], [c, d]] = [advance(self.hhea, self.hmtx, glyph)?, word(self.hmtx, bearing)?].map(u16::to_be_bytes);
        Some([a, b, c, d])
    }
}

/// A glyph without instructions. The parts of a composite glyph get new numbers and are appended to `kept`.
fn outline(glyph: &[u8], kept: &mut Vec<u16>) -> Option<Vec<u8>> {
    if glyph.is_empty() {
        return Some(Vec::new());
    }
    let contours = word(glyph, 0)?;
    if contours < 0x8000 {
        let ends = 10 + usize::from(contours) * 2;
        let instructions = usize::from(word(glyph, ends)?);
        return Some([glyph.get(..ends)?, &[0, 0], glyph.get(ends + 2 + instructions..)?].concat());
    }
    let mut out = glyph.get(..10)?.to_vec();
    let mut at = 10;
    loop {
        let (flags, part) = (word(glyph, at)?, word(glyph, at + 2)?);
        let arguments = if flags & WORDS != 0 { 4 } else { 2 };
        let scale = match flags {
            _ if flags & SCALE != 0 => 2,
            _ if flags & SCALES != 0 => 4,
            _ if flags & MATRIX != 0 => 8,
            _ => 0,
        };
        let number = kept.iter().position(|known| *known == part).unwrap_or_else(|| {
            kept.push(part);
            kept.len() - 1
        });
        out.extend((flags & !INSTRUCTIONS).to_be_bytes());
        out.extend(u16::try_from(number).ok()?.to_be_bytes());
        out.extend(glyph.get(at + 4..at + 4 + arguments + scale)?);
        at += 4 + arguments + scale;
        if flags & MORE == 0 {
            return Some(out);
        }
    }
}

/// Directory and tables, each on a multiple of four bytes, with the file's check sum in `head`.
fn assembled(tables: &[(&[u8; 4], Vec<u8>); 6]) -> Vec<u8> {
    // 6 tables: the largest power of two is 4
    let mut out = [0x0001_0000_u32.to_be_bytes().as_slice(), &[0, 6, 0, 64, 0, 2, 0, 32]].concat();
    let start = out.len() + tables.len() * 16;
    let number = |number: usize| u32::try_from(number).unwrap_or_default().to_be_bytes();
    let (mut data, mut check) = (Vec::new(), 0);
    for (tag, table) in tables {
        if *tag == b"head" {
            check = start + data.len() + 8;
        }
        let entry = [tag.as_slice(), &sum(table).to_be_bytes(), &number(start + data.len()), &number(table.len())];
        out.extend(entry.concat());
        data.extend(table);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    out.extend(data);
    let adjustment = 0xB1B0_AFBA_u32.wrapping_sub(sum(&out));
    if let Some(place) = out.get_mut(check..check + 4) {
        place.copy_from_slice(&adjustment.to_be_bytes());
    }
    out
}

fn sum(table: &[u8]) -> u32 {
    let mut sum = 0_u32;
    for chunk in table.chunks(4) {
        let mut padded = [0; 4];
        padded[..chunk.len()].copy_from_slice(chunk);
        sum = sum.wrapping_add(u32::from_be_bytes(padded));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{cut, sum};
    use crate::paper::Typeface;
    use skrifa::instance::{LocationRef, Size};
    use skrifa::outline::{DrawSettings, OutlinePen};
    use skrifa::{FontRef, GlyphId, MetadataProvider};

    /// Drawing operations as text.
    #[derive(Default)]
    struct Drawn(String);

    impl OutlinePen for Drawn {
        fn move_to(&mut self, x: f32, y: f32) {
            self.0 += &format!("M{x} {y}");
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.0 += &format!("L{x} {y}");
        }
        fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
            self.0 += &format!("Q{a} {b} {x} {y}");
        }
        fn curve_to(&mut self, a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) {
            self.0 += &format!("C{a} {b} {c} {d} {x} {y}");
        }
        fn close(&mut self) {
            self.0 += "Z";
        }
    }

    fn drawn(font: &FontRef<'_>, glyph: u16) -> (String, Option<f32>) {
        let glyph = GlyphId::from(glyph);
        let mut pen = Drawn::default();
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        font.outline_glyphs().get(glyph).unwrap().draw(settings, &mut pen).unwrap();
        (pen.0, font.glyph_metrics(Size::unscaled(), LocationRef::default()).advance_width(glyph))
    }

    #[test]
    fn every_glyph_is_drawn_as_before() {
        for face in Typeface::ALL {
            let whole = FontRef::new(face.data()).unwrap();
            let letters = ('!'..='~').chain('¡'..='ſ');
            let glyphs: Vec<u16> = letters.filter_map(|letter| face.holds(letter)).map(|glyph| glyph.id).collect();
            let file = cut(face.data(), &glyphs).unwrap();
            assert!(file.len() * 12 < face.data().len(), "{face:?}: {}", file.len());
            assert_eq!(sum(&file), 0xB1B0_AFBA, "{face:?}");
            let less = FontRef::new(&file).unwrap();
            assert_eq!(drawn(&less, 0), drawn(&whole, 0));
            let mut accents = 0;
            for (glyph, number) in glyphs.iter().zip(1..) {
                let (outline, advance) = drawn(&less, number);
                assert_eq!(
                    (&outline, advance),
                    (&drawn(&whole, *glyph).0, drawn(&whole, *glyph).1),
                    "{face:?} {glyph}"
                );
                accents += usize::from(outline.matches('Z').count() > 2);
            }
            assert!(accents > 40, "{face:?}: {accents}");
        }
    }

    #[test]
    fn what_is_no_font_is_refused() {
        let file = Typeface::Serif.data();
        assert!(cut(b"", &[]).is_none() && cut(b"no font at all, but long enough", &[1]).is_none());
        assert!(cut(&file[..file.len() / 2], &[1]).is_none() && cut(file, &[u16::MAX]).is_none());
    }
}
