//! Free text in the official types: composed letters, no edge blanks, no doubled blanks, no control characters, nothing
//! above U+00FF (MOC 7.0, visão geral, general rules of XML; type `TString`).

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;

/// A text that can be written, and the loss it took.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CleanText<'a> {
    pub(super) text: Cow<'a, str>,
    /// True when characters were removed, or letters replaced by the nearest.
    pub(super) lost: bool,
}

impl CleanText<'_> {
    pub(super) fn into_owned(self) -> CleanText<'static> {
        CleanText { text: Cow::Owned(self.text.into_owned()), lost: self.lost }
    }
}

/// Cleans a text for writers without a layout. Returns the text and `true` if characters were lost.
pub fn clean_text(text: &str) -> (Cow<'_, str>, bool) {
    let CleanText { text, lost } = clean(text);
    (text, lost)
}

/// Message about lost characters.
pub const LOST_CHARACTERS: &str = "Há caracteres que o documento fiscal não aceita: foram trocados pela letra mais próxima ou, sem equivalente, removidos.";

/// True when a text is clean and has nothing to escape, so that it can be written unchanged; false for some rare
/// letters that are clean. Long texts are scanned without a branch per byte, which the compiler vectorises: a third of
/// the time, but slower for short texts.
#[inline]
pub(super) fn is_official(text: &str) -> bool {
    const LONG: usize = 16;
    let text = text.as_bytes();
    let doubled = |(before, byte): (&u8, &u8)| (*before == b' ') & (*byte == b' ');
    let ([first, rest @ ..], [.., last]) = (text, text) else { return false };
    let inside = if text.len() < LONG {
        text.iter().all(|byte| PLAIN[usize::from(*byte)]) && !text.iter().zip(rest).any(doubled)
    } else {
        text.iter().zip(rest).fold(is_plain(*first), |good, pair| good & is_plain(*pair.1) & !doubled(pair))
    };
    inside && *first != b' ' && *last != b' '
}

/// `is_plain` of each byte.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 255 {
        plain[byte as usize] = is_plain(byte);
        byte += 1;
    }
    plain
};

/// True for a blank, or a byte of ASCII and of À to ÿ in UTF-8 that needs no escape.
#[inline]
const fn is_plain(byte: u8) -> bool {
    (byte >= b' ') & (byte != 0x7F) & (byte != b'&') & (byte | 2 != b'>') & ((byte < 0xC0) | (byte == 0xC3))
}

/// Cleans a text. Most texts need no change and are not copied.
#[inline]
pub(super) fn clean(text: &str) -> CleanText<'_> {
    if is_clean(text.as_bytes()) {
        return CleanText { text: Cow::Borrowed(text), lost: false };
    }
    rewrite(text)
}

/// True for printable Latin-1 without blanks at the edges or side by side. In UTF-8 such bytes begin with C2 or C3.
#[inline]
fn is_clean(text: &[u8]) -> bool {
    let mut before = b' ';
    for &byte in text {
        let taken = match byte {
            b'!'..=b'~' | 0xA1..=0xBF | 0xC2 | 0xC3 => true,
            b' ' => before != b' ',
            0x80..=0xA0 => before == 0xC3,
            _ => false,
        };
        if !taken {
            return false;
        }
        before = byte;
    }
    before != b' '
}

#[cold]
fn rewrite(text: &str) -> CleanText<'_> {
    let mut clean = String::with_capacity(text.len());
    let mut lost = false;
    // some systems send letter and accent as two characters; Latin-1 has them as one
    for character in text.nfc() {
        match character {
            '\u{21}'..='\u{7e}' | '\u{a1}'..='\u{ff}' => clean.push(character),
            _ if is_blank(character) => push_blank(&mut clean),
            _ if character.is_control() => {
                push_blank(&mut clean);
                lost = true;
            }
            other => match mark(other) {
                Some(latin) => clean.push_str(latin),
                None => {
                    clean.push_str(letter(other).unwrap_or_default());
                    lost = true;
                }
            },
        }
    }
    let trimmed = clean.trim_matches(' ');
    let text = if trimmed.len() == clean.len() { clean } else { trimmed.to_owned() };
    CleanText { text: Cow::Owned(text), lost }
}

/// Cleans a text that keeps its lines and allows every character of XML: one kind of line end, no blanks at the edges.
pub(super) fn lines(text: &str) -> CleanText<'_> {
    let is_lost = |character: char| {
        (character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
            || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    let trimmed = text.trim();
    let lost = trimmed.contains(is_lost);
    if !lost && !trimmed.contains('\r') {
        return CleanText { text: Cow::Borrowed(trimmed), lost };
    }
    let unix = trimmed.replace("\r\n", "\n").replace('\r', "\n").replace(is_lost, "");
    CleanText { text: Cow::Owned(unix.trim().to_owned()), lost }
}

/// True for characters that separate words or lines.
fn is_blank(character: char) -> bool {
    matches!(
        character,
        '\t' | '\n' | '\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}'
    )
}

fn push_blank(clean: &mut String) {
    if !clean.ends_with(' ') {
        clean.push(' ');
    }
}

/// Replaces a mark that Latin-1 lacks by an equivalent.
fn mark(character: char) -> Option<&'static str> {
    row(MARKS, character)
}

/// Replaces a letter that Latin-1 lacks by the nearest.
fn letter(character: char) -> Option<&'static str> {
    row(LETTERS, character)
}

fn row(table: &[(&str, &'static str)], character: char) -> Option<&'static str> {
    table.iter().find(|(characters, _)| characters.contains(character)).map(|(_, latin)| *latin)
}

const MARKS: &[(&str, &str)] = &[
    ("–—‐‑‒―−", "-"),
    ("‘’‚‛′", "'"),
    ("“”„‟″", "\""),
    ("…", "..."),
    ("•‣∙●", "·"),
    ("€", "EUR"),
    ("™", "(TM)"),
    ("№", "No"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("×✕", "x"),
    ("⁄∕", "/"),
];

const LETTERS: &[(&str, &str)] = &[
    ("ﬁ", "fi"),
    ("ﬂ", "fl"),
    ("ĀĂĄ", "A"),
    ("āăą", "a"),
    ("ĆĈĊČ", "C"),
    ("ćĉċč", "c"),
    ("ĎĐ", "D"),
    ("ďđ", "d"),
    ("ĒĔĖĘĚẼ", "E"),
    ("ēĕėęěẽ", "e"),
    ("ĜĞĠĢ", "G"),
    ("ĝğġģ", "g"),
    ("ĤĦ", "H"),
    ("ĥħ", "h"),
    ("ĨĪĬĮİ", "I"),
    ("ĩīĭįı", "i"),
    ("ĹĻĽĿŁ", "L"),
    ("ĺļľŀł", "l"),
    ("ŃŅŇ", "N"),
    ("ńņň", "n"),
    ("ŌŎŐ", "O"),
    ("ōŏő", "o"),
    ("Œ", "OE"),
    ("œ", "oe"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞŠ", "S"),
    ("śŝşš", "s"),
    ("ŢŤŦ", "T"),
    ("ţťŧ", "t"),
    ("ŨŪŬŮŰŲ", "U"),
    ("ũūŭůűų", "u"),
    ("ŴŶŸ", "Y"),
    ("ŷ", "y"),
    ("ŹŻŽ", "Z"),
    ("źżž", "z"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_any_character_stays() {
        for (text, expected, lost) in [
            ("a – b\nc", "a – b\nc", false),
            (" a\r\nb\rc\n", "a\nb\nc", false),
            ("a\u{0}b\u{ffff}", "ab", true),
            ("\u{0} ", "", true),
        ] {
            let clean = lines(text);
            assert_eq!((&*clean.text, clean.lost), (expected, lost), "{text:?}");
        }
    }

    fn check(text: &str, expected: &str, lost: bool) {
        let clean = clean(text);
        assert_eq!((&*clean.text, clean.lost), (expected, lost), "{text:?}");
        assert!(!is_official(text) || text == expected, "{text:?}");
    }

    #[test]
    fn leaves_clean_text_alone() {
        assert!(matches!(clean("CAFE & ACUCAR"), CleanText { text: Cow::Borrowed(_), lost: false }));
        assert!(matches!(clean("Café & Açúcar ½ kg À¿"), CleanText { text: Cow::Borrowed(_), lost: false }));
    }

    #[test]
    fn knows_what_can_be_written_as_it_came() {
        for text in ["Caderno universitário 96 folhas", "~!", "ÀÿÃ", "A", "a b c d e f g h i"] {
            assert!(is_official(text), "{text:?}");
        }
        for text in ["", " a", "a ", "a  b", "a&b", "a<b", "a>b", "a\tb", "a\u{7f}", "a\u{80}", "a\u{a0}b", "€", "🎂"]
        {
            assert!(!is_official(text), "{text:?}");
        }
    }

    #[test]
    fn joins_lines_and_blanks() {
        check("  a \t b\r\nc  ", "a b c", false);
        check("a\u{a0}\u{a0}b", "a b", false);
        check("a\u{85}b", "a b", false);
        check("   ", "", false);
    }

    #[test]
    fn puts_letter_and_accent_together() {
        check("cafe\u{301} ac\u{327}u\u{301}car", "café açúcar", false);
        check("JOA\u{303}O", "JOÃO", false);
    }

    #[test]
    fn writes_marks_as_latin_has_them() {
        check("10–20 “kg” €5…", "10-20 \"kg\" EUR5...", false);
    }

    #[test]
    fn says_when_letters_change_or_characters_go() {
        check("Žižka", "Zizka", true);
        check("bolo 🎂 grande", "bolo grande", true);
        check("茶", "", true);
        check("x\u{301}", "x", true);
        for unseen in ["\u{0}", "\u{b}", "\u{7f}", "\u{80}\u{9f}"] {
            check(&format!("a{unseen}b"), "a b", true);
        }
        for unseen in ["\u{200b}", "\u{feff}", "\u{fe0f}", "\u{ad6}"] {
            check(&format!("a{unseen}b"), "ab", true);
        }
    }
}
