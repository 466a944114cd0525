//! Parts of a font file that the crate reads. It supports the four embedded files only and refuses other formats.
//!
//! Law: OpenType 1.9 (table directory, head, hhea, hmtx, OS/2, cmap format 4).
//! Must not know: letters of documents, sizes, PDF.

/// A table of a font file.
pub(crate) fn table<'f>(file: &'f [u8], tag: &[u8; 4]) -> Option<&'f [u8]> {
    let entries = file.get(12..12 + 16 * usize::from(word(file, 4)?))?;
    let entry = entries.chunks_exact(16).find(|entry| entry.starts_with(tag))?;
    let (offset, length) = (long(entry, 8)?, long(entry, 12)?);
    file.get(offset..offset.checked_add(length)?)
}

pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

pub(crate) fn signed(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?).into())
}

pub(crate) fn long(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?)).ok()
}

/// Width of a glyph; the last glyphs of a font may share one width.
pub(crate) fn advance(hhea: &[u8], hmtx: &[u8], glyph: u16) -> Option<u16> {
    let last = word(hhea, 34)?.checked_sub(1)?;
    word(hmtx, usize::from(glyph.min(last)) * 4)
}

/// Map from letters to glyphs: the segments of format 4, for Unicode up to U+FFFF.
pub(crate) struct GlyphMap<'f> {
    segments: &'f [u8],
    count: usize,
}

impl<'f> GlyphMap<'f> {
    pub(crate) fn read(file: &'f [u8]) -> Option<GlyphMap<'f>> {
        const WINDOWS_UNICODE: [u8; 4] = [0, 3, 0, 1];
        let cmap = table(file, b"cmap")?;
        let encodings = cmap.get(4..4 + 8 * usize::from(word(cmap, 2)?))?;
        let encoding = encodings.chunks_exact(8).find(|encoding| encoding.starts_with(&WINDOWS_UNICODE))?;
        let segments = cmap.get(long(encoding, 4)?..)?;
        (word(segments, 0)? == 4).then_some(GlyphMap { segments, count: usize::from(word(segments, 6)?) / 2 })
    }

    /// Glyph of a letter.
    pub(crate) fn glyph(&self, letter: u32) -> Option<u16> {
        let letter = u16::try_from(letter).ok()?;
        // four lists of one word a segment: ends (followed by a zero word), beginnings, differences, offsets
        let of = |list: usize, segment: usize| {
            let gap = if list == 0 { 0 } else { 2 };
            14 + gap + 2 * (list * self.count + segment)
        };
        let at = |list: usize, segment: usize| word(self.segments, of(list, segment));
        let segment = (0..self.count).find(|segment| at(0, *segment).is_some_and(|end| end >= letter))?;
        let (first, difference, offset) = (at(1, segment)?, at(2, segment)?, at(3, segment)?);
        let within = letter.checked_sub(first)?;
        let glyph = match offset {
            0 => letter.wrapping_add(difference),
            // counted from the position of the offset itself
            _ => match word(self.segments, of(3, segment) + usize::from(offset) + usize::from(within) * 2)? {
                0 => 0,
                listed => listed.wrapping_add(difference),
            },
        };
        (glyph != 0).then_some(glyph)
    }
}
