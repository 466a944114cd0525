//! Free text as the official types take it: no edge blanks, no doubled blanks, no control characters, nothing above U+00FF
//! (MOC 7.0, visão geral, general rules of XML; type `TString`).

use super::format::Written;
use std::borrow::Cow;

/// A text that can be written, and what was lost on the way.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Clean<'a> {
    pub(super) text: Cow<'a, str>,
    /// Characters that have no counterpart and were dropped.
    pub(super) lost: bool,
}

impl<'a> From<Clean<'a>> for (Cow<'a, str>, Written) {
    fn from(clean: Clean<'a>) -> (Cow<'a, str>, Written) {
        (clean.text, if clean.lost { Written::Dropped } else { Written::Whole })
    }
}

impl Clean<'_> {
    /// The same, borrowing nothing.
    pub(super) fn into_owned(self) -> Clean<'static> {
        Clean { text: Cow::Owned(self.text.into_owned()), lost: self.lost }
    }
}

/// Cleans a text; most need nothing and are not copied.
#[inline]
pub(super) fn clean(text: &str) -> Clean<'_> {
    if is_clean(text.as_bytes()) {
        return Clean { text: Cow::Borrowed(text), lost: false };
    }
    rewrite(text)
}

/// Printable ASCII without blanks at the edges or side by side.
#[inline]
fn is_clean(text: &[u8]) -> bool {
    let mut before = b' ';
    for byte in text {
        let printable = (b'!'..=b'~').contains(byte) || (*byte == b' ' && before != b' ');
        if !printable {
            return false;
        }
        before = *byte;
    }
    before != b' '
}

#[cold]
fn rewrite(text: &str) -> Clean<'_> {
    let mut clean = String::with_capacity(text.len());
    let mut lost = false;
    for character in text.chars() {
        match character {
            '\u{0}'..='\u{20}'
            | '\u{7f}'..='\u{a0}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}' => {
                if !clean.ends_with(' ') {
                    clean.push(' ');
                }
            }
            '\u{21}'..='\u{ff}' => clean.push(character),
            other => match replacement(other) {
                Some(latin) => clean.push_str(latin),
                None => lost = true,
            },
        }
    }
    let trimmed = clean.trim_matches(' ');
    let text = if trimmed.len() == clean.len() { clean } else { trimmed.to_owned() };
    Clean { text: Cow::Owned(text), lost }
}

/// Nearest Latin-1 text of a character above U+00FF.
fn replacement(character: char) -> Option<&'static str> {
    if matches!(character, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}') {
        return Some("");
    }
    let row = LATIN.iter().find(|(characters, _)| characters.contains(character));
    row.map(|(_, latin)| *latin)
}

const LATIN: &[(&str, &str)] = &[
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

    fn check(text: &str, expected: &str, lost: bool) {
        let clean = clean(text);
        assert_eq!((&*clean.text, clean.lost), (expected, lost), "{text:?}");
    }

    #[test]
    fn leaves_clean_text_alone() {
        assert!(matches!(clean("CAFE & ACUCAR"), Clean { text: Cow::Borrowed(_), lost: false }));
        check("Café & Açúcar ½ kg", "Café & Açúcar ½ kg", false);
    }

    #[test]
    fn joins_lines_and_blanks() {
        check("  a \t b\r\nc  ", "a b c", false);
        check("a\u{a0}\u{a0}b", "a b", false);
        check("   ", "", false);
    }

    #[test]
    fn finds_the_nearest_latin_text_and_says_when_there_is_none() {
        check("10–20 “kg” €5… Žižka", "10-20 \"kg\" EUR5... Zizka", false);
        check("cafe\u{301}", "cafe", false);
        check("bolo 🎂 grande", "bolo grande", true);
        check("茶", "", true);
    }
}
