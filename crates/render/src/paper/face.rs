//! Typefaces and their metrics. Liberation (SIL OFL 1.1) has the metrics of Times New Roman and Arial.
//!
//! Law: MOC 7.0, Anexo II, 3.7 (Times New Roman or Courier New).
//! Must not know: PDF.

use super::Length;
use crate::opentype::{GlyphMap, advance, signed, table, word};
use std::sync::LazyLock;

/// A typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Typeface {
    /// Liberation Serif.
    Serif,
    /// Liberation Serif Bold.
    SerifBold,
    /// Liberation Sans.
    Sans,
    /// Liberation Sans Bold.
    SansBold,
}

/// A letter of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// Index in the font file.
    pub id: u16,
    /// Width in units of the face.
    pub advance: u16,
}

/// Metrics of a face in its own units.
#[derive(Clone, Copy, Debug)]
pub struct FaceMetrics {
    /// Units per size of type.
    pub units: i32,
    /// Height above the base line.
    pub ascent: i32,
    /// Depth below the base line, negative.
    pub descent: i32,
    /// Height of a capital letter.
    pub capital: i32,
    /// Box that holds every glyph: left, bottom, right, top.
    pub bounds: [i32; 4],
}

/// Data of a face, read once.
struct LoadedFace {
    measures: FaceMetrics,
    /// Letters up to U+017F, then the signs. An NF-e has none beyond U+00FF, an NFS-e may have any.
    letters: Vec<Option<Glyph>>,
    /// Widths of the letters, those missing in the face included.
    advances: Vec<u16>,
    /// Replacement of letters missing in the face.
    missing: Glyph,
}

const LETTERS: u32 = 0x180;
/// Signs beyond U+017F that word processors insert.
pub(crate) const SIGNS: [char; 10] = ['–', '—', '‘', '’', '“', '”', '•', '…', '€', '™'];

/// Index of a letter in the list of a face; past the end for an unlisted letter.
fn place(letter: char) -> usize {
    let number = u32::from(letter);
    if number < LETTERS {
        return usize::try_from(number).unwrap_or(usize::MAX);
    }
    let sign = SIGNS.iter().position(|sign| *sign == letter);
    sign.map_or(usize::MAX, |sign| place('\u{17f}') + 1 + sign)
}

impl Typeface {
    pub const ALL: [Typeface; 4] = [Typeface::Serif, Typeface::SerifBold, Typeface::Sans, Typeface::SansBold];

    /// Font file.
    pub fn data(self) -> &'static [u8] {
        match self {
            Typeface::Serif => include_bytes!("../../assets/fonts/LiberationSerif-Regular.ttf"),
            Typeface::SerifBold => include_bytes!("../../assets/fonts/LiberationSerif-Bold.ttf"),
            Typeface::Sans => include_bytes!("../../assets/fonts/LiberationSans-Regular.ttf"),
            Typeface::SansBold => include_bytes!("../../assets/fonts/LiberationSans-Bold.ttf"),
        }
    }

    /// PostScript name.
    pub fn name(self) -> &'static str {
        match self {
            Typeface::Serif => "LiberationSerif",
            Typeface::SerifBold => "LiberationSerif-Bold",
            Typeface::Sans => "LiberationSans",
            Typeface::SansBold => "LiberationSans-Bold",
        }
    }

    /// Metrics of the face.
    pub fn measures(self) -> FaceMetrics {
        self.loaded().measures
    }

    /// Glyph of a letter; `?` for one missing in the face.
    pub fn glyph(self, letter: char) -> Glyph {
        self.holds(letter).unwrap_or(self.loaded().missing)
    }

    /// Glyph of a letter that the face has.
    pub fn holds(self, letter: char) -> Option<Glyph> {
        self.loaded().letters.get(place(letter)).copied().flatten()
    }

    /// Width of a text in a size of type.
    pub fn width(self, text: &str, size: Length) -> Length {
        scale(self.units(text), size, self.measures().units)
    }

    /// Width of a text in units of the face.
    pub(super) fn units(self, text: &str) -> i64 {
        let loaded = self.loaded();
        let advance = |letter: char| loaded.advances.get(place(letter)).copied().unwrap_or(loaded.missing.advance);
        text.chars().map(|letter| i64::from(advance(letter))).sum()
    }

    /// Height from the base line to the top of the letters.
    pub fn ascent(self, size: Length) -> Length {
        let measures = self.measures();
        scale(measures.ascent.into(), size, measures.units)
    }

    /// Depth from the base line to the bottom of the letters.
    pub fn descent(self, size: Length) -> Length {
        let measures = self.measures();
        scale((-measures.descent).into(), size, measures.units)
    }

    fn loaded(self) -> &'static LoadedFace {
        static LOADED: [LazyLock<LoadedFace>; 4] = [
            LazyLock::new(|| LoadedFace::read(Typeface::Serif)),
            LazyLock::new(|| LoadedFace::read(Typeface::SerifBold)),
            LazyLock::new(|| LoadedFace::read(Typeface::Sans)),
            LazyLock::new(|| LoadedFace::read(Typeface::SansBold)),
        ];
        &LOADED[self as usize]
    }
}

/// Units of a face as a length.
pub(crate) fn scale(units: i64, size: Length, per_size: i32) -> Length {
    let thousandths = units * i64::from(size.thousandths()) / i64::from(per_size.max(1));
    Length::new(i32::try_from(thousandths).unwrap_or(i32::MAX))
}

impl LoadedFace {
    /// Reads a face. An unreadable font would have no widths; a test proves that the four are readable.
    fn read(face: Typeface) -> LoadedFace {
        let missing = Glyph { id: 0, advance: 0 };
        let measures = FaceMetrics { units: 1, ascent: 0, descent: 0, capital: 0, bounds: [0; 4] };
        LoadedFace::of(face.data()).unwrap_or(LoadedFace {
            measures,
            letters: Vec::new(),
            advances: Vec::new(),
            missing,
        })
    }

    fn of(file: &[u8]) -> Option<LoadedFace> {
        let [head, hhea, hmtx, os2] = [b"head", b"hhea", b"hmtx", b"OS/2"].map(|tag| table(file, tag));
        let (head, hhea, hmtx, os2) = (head?, hhea?, hmtx?, os2?);
        let map = GlyphMap::read(file)?;
        let glyph = |letter: u32| {
            let id = map.glyph(letter)?;
            Some(Glyph { id, advance: advance(hhea, hmtx, id)? })
        };
        let letters: Vec<Option<Glyph>> = (0..LETTERS).chain(SIGNS.map(u32::from)).map(glyph).collect();
        let missing = glyph(u32::from('?'))?;
        let measures = FaceMetrics {
            units: word(head, 18)?.into(),
            ascent: signed(hhea, 4)?,
            descent: signed(hhea, 6)?,
            capital: signed(os2, 88)?,
            bounds: [signed(head, 36)?, signed(head, 38)?, signed(head, 40)?, signed(head, 42)?],
        };
        let advances = letters.iter().map(|letter| letter.unwrap_or(missing).advance).collect();
        Some(LoadedFace { measures, letters, advances, missing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_has_every_letter_a_document_may_have() {
        for face in Typeface::ALL {
            let question = face.glyph('?');
            assert!(question.id != 0 && question.advance > 0, "{face:?}");
            for letter in
                ('!'..='~').chain('¡'..='ÿ').chain(SIGNS).filter(|letter| *letter != '?' && *letter != '\u{ad}')
            {
                assert_ne!(face.glyph(letter).id, question.id, "{face:?} {letter:?}");
            }
            assert_eq!(face.glyph('漢'), question);
        }
    }

    #[test]
    fn measures_like_its_twin() {
        // Times New Roman: 1024 of 2048 for a digit
        assert_eq!(Typeface::Serif.width("12", Length::decipoints(100)), Length::decipoints(100));
        assert!(
            Typeface::SerifBold.width("AÇÃO", Length::decipoints(100))
                > Typeface::Serif.width("AÇÃO", Length::decipoints(100))
        );
    }

    #[test]
    fn a_face_is_read_as_others_read_it() {
        use skrifa::instance::{LocationRef, Size};
        use skrifa::{FontRef, MetadataProvider};
        for face in Typeface::ALL {
            let font = FontRef::new(face.data()).unwrap();
            let general = font.metrics(Size::unscaled(), LocationRef::default());
            let bounds = general.bounds.unwrap();
            let FaceMetrics { units, ascent, descent, capital, bounds: [left, bottom, right, top] } = face.measures();
            assert_eq!(
                [ascent as f32, descent as f32, capital as f32],
                [general.ascent, general.descent, general.cap_height.unwrap()]
            );
            assert_eq!(units, i32::from(general.units_per_em));
            assert_eq!(
                [left as f32, bottom as f32, right as f32, top as f32],
                [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max]
            );
            let (charmap, widths) = (font.charmap(), font.glyph_metrics(Size::unscaled(), LocationRef::default()));
            let (map, [hhea, hmtx]) =
                (GlyphMap::read(face.data()).unwrap(), [b"hhea", b"hmtx"].map(|tag| table(face.data(), tag).unwrap()));
            let mut found = 0;
            for letter in 0..=0xffff_u32 {
                let theirs = charmap.map(letter).filter(|glyph| glyph.to_u32() != 0);
                assert_eq!(map.glyph(letter).map(u32::from), theirs.map(|glyph| glyph.to_u32()), "{face:?} {letter:x}");
                if let Some(glyph) = theirs {
                    let ours = advance(hhea, hmtx, u16::try_from(glyph.to_u32()).unwrap()).unwrap();
                    assert_eq!(Some(f32::from(ours)), widths.advance_width(glyph), "{face:?} {letter:x}");
                    found += 1;
                }
            }
            assert!(found > 2_000, "{face:?}: {found}");
        }
    }
}
