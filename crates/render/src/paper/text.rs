//! Line breaking, and the choice of a size that fits.

use super::{Length, TextStyle, Typeface, scale};
use std::ops::Range;

/// Cuts a text into lines no wider than `width`: at blanks, inside a word only when it is wider than a line, and then
/// behind a bar or a like sign. Line feeds and `|` bars of the caller are kept; every letter except the blanks at a
/// break is in exactly one line.
pub fn lines(text: &str, face: Typeface, size: Length, width: Length) -> Vec<&str> {
    text.split('\n').flat_map(|paragraph| broken(paragraph, face, size, width)).collect()
}

/// At most `most` lines, and the text after them.
pub fn cut(content: &str, style: TextStyle, width: Length, most: usize) -> (Vec<String>, String) {
    let lines = lines(content, style.face, style.size, width);
    if lines.len() <= most {
        return (lines.into_iter().map(str::to_owned).collect(), String::new());
    }
    // lines are slices of the content: the rest begins at the end of the last line kept
    let end = most.checked_sub(1).and_then(|last| lines.get(last));
    let end = end.map_or(0, |last| last.as_ptr().addr() - content.as_ptr().addr() + last.len());
    let kept = lines.iter().take(most).map(|line| (*line).to_owned()).collect();
    (kept, content[end..].trim_start().to_owned())
}

fn broken(text: &str, face: Typeface, size: Length, width: Length) -> Vec<&str> {
    let limit = units(width, size, face);
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let taken = first_line(rest, face, limit);
        lines.push(rest[..taken.start].trim_end());
        rest = rest[taken.end..].trim_start();
    }
    lines
}

/// End of the first line and start of the next.
fn first_line(text: &str, face: Typeface, limit: i64) -> Range<usize> {
    let mut used = 0;
    let mut blank = None;
    for (at, letter) in text.char_indices() {
        used += i64::from(face.glyph(letter).advance);
        if letter == ' ' {
            blank = Some(at);
        }
        if used > limit && at > 0 {
            let end = blank.unwrap_or_else(|| joint(text.as_bytes(), at));
            return end..end;
        }
    }
    text.len()..text.len()
}

/// Position to cut a word that is longer than a line: behind a bar, else behind another sign (a Web address, a code)
/// unless the line would be short; else at the end of the line. All these signs are one byte, so the position lies
/// between two letters.
pub(crate) fn joint(word: &[u8], most: usize) -> usize {
    let head = word.get(..most).unwrap_or(word);
    let behind = |signs: &[u8]| {
        let place = head.iter().rposition(|letter| signs.contains(letter)).map(|place| place + 1);
        place.filter(|place| *place > most / 2)
    };
    behind(b"/").or_else(|| behind(b".,;:-_?&=|")).unwrap_or(most)
}

/// Width in units of the face, at a size.
fn units(width: Length, size: Length, face: Typeface) -> i64 {
    i64::from(width.thousandths()) * i64::from(face.measures().units) / i64::from(size.thousandths().max(1))
}

/// Largest size, from `most` down to `least` by half points, in which the text fits one line; `None` when not even the
/// least does.
pub fn fitting(text: &str, face: Typeface, width: Length, most: Length, least: Length) -> Option<Length> {
    let (units, mut size) = (face.units(text), most);
    while size >= least {
        if scale(units, size, face.measures().units) <= width {
            return Some(size);
        }
        size -= Length::decipoints(5);
    }
    None
}

/// As much of a text as fits, with `…` when it was shortened.
pub fn shortened(text: &str, face: Typeface, size: Length, width: Length) -> String {
    if face.width(text, size) <= width {
        return text.to_owned();
    }
    let room = width - face.width("...", size);
    let limit = units(room, size, face);
    let end = first_break(text, face, limit);
    format!("{}...", text[..end].trim_end())
}

fn first_break(text: &str, face: Typeface, limit: i64) -> usize {
    let mut used = 0;
    for (at, letter) in text.char_indices() {
        used += i64::from(face.glyph(letter).advance);
        if used > limit {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Length = Length::decipoints(60);

    #[test]
    fn breaks_at_blanks_and_within_words_that_are_too_long() {
        let width = Typeface::Serif.width("0123456789", SIZE);
        let text = "uma nota curta 01234567890123456789012 fim";
        let found = lines(text, Typeface::Serif, SIZE, width);
        assert!(found.iter().all(|line| Typeface::Serif.width(line, SIZE) <= width), "{found:?}");
        let joined: String = found.concat();
        assert_eq!(joined.replace(' ', ""), text.replace(' ', ""));
        assert_eq!(found.last(), Some(&"012 fim"));
    }

    #[test]
    fn an_address_breaks_between_its_parts() {
        let address = "https://www.nfce.fazenda.sp.gov.br/NFCeConsultaPublica";
        let width = Typeface::Serif.width("https://www.nfce.fazenda.sp.gov.br/NFCeConsu", SIZE);
        let found = lines(address, Typeface::Serif, SIZE, width);
        assert_eq!(found, ["https://www.nfce.fazenda.sp.gov.br/", "NFCeConsultaPublica"]);
        assert_eq!(joint(b"0123456789", 8), 8);
        assert_eq!(joint("RUA,NÚMERO".as_bytes(), 8), 8);
        assert_eq!(joint(b"CODIGO-123456", 10), 7);
    }

    #[test]
    fn a_letter_wider_than_the_line_stands_alone() {
        assert_eq!(lines("WW", Typeface::Serif, SIZE, Length::new(1)), ["W", "W"]);
        assert_eq!(lines("", Typeface::Serif, SIZE, Length::mm(10)), Vec::<&str>::new());
        assert_eq!(lines("a\n b ", Typeface::Serif, SIZE, Length::mm(10)), ["a", "b"]);
    }

    #[test]
    fn finds_the_size_that_fits() {
        let width = Typeface::Serif.width("RAZAO SOCIAL", Length::decipoints(80));
        let most = Length::decipoints(100);
        assert_eq!(fitting("RAZAO SOCIAL", Typeface::Serif, width, most, SIZE), Some(Length::decipoints(80)));
        assert_eq!(fitting("RAZAO SOCIAL LTDA DO BRASIL", Typeface::Serif, width, most, SIZE), None);
    }
}
