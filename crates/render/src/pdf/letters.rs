//! Encoding of letters in content streams: Latin-1 in its single byte, other letters in two. Letters belong to a few
//! sets, for each of which a face is reduced once, so that no form waits for its fonts.
//!
//! Law: ISO 32000-1, 7.3.4.2 (strings) and 9.7.5 (CMaps).
//! Must not know: fonts.

use crate::paper::SIGNS;

/// Sets of letters, each contained in the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LetterSet {
    /// Capitals, digits and signs: enough for most titles.
    Capitals,
    /// All letters of Portuguese.
    Portuguese,
    /// All letters supported.
    Whole,
}

/// End of the contiguous range of supported letters; some signs lie above it.
pub(super) const END: u32 = 0x180;
/// First letter with two bytes: this byte, then the lower one of its number.
const DOUBLE: u32 = 0xFF;
/// Second byte of the first sign; the letters take those before it.
const FIRST_SIGN: u32 = 0x80;
const CAPITALS: &str = "ÀÁÂÃÇÉÊÍÓÔÕÚÜª°º";
const SMALL: &str = "àáâãçéêíóôõúü";

/// Smallest set that contains a letter.
pub(super) fn set_of(letter: char) -> LetterSet {
    match letter {
        ' '..='`' | '{'..='~' => LetterSet::Capitals,
        'a'..='z' => LetterSet::Portuguese,
        _ if CAPITALS.contains(letter) => LetterSet::Capitals,
        _ if SMALL.contains(letter) => LetterSet::Portuguese,
        _ => LetterSet::Whole,
    }
}

/// Letters of a set in the order of their codes; a face may lack some.
pub(super) fn letters(set: LetterSet) -> Vec<char> {
    let (below, above): (Vec<char>, Vec<char>) = (u32::from(' ')..END)
        .filter_map(char::from_u32)
        .chain(SIGNS)
        .filter(|letter| !letter.is_control() && set_of(*letter) <= set)
        .partition(|letter| *letter != 'ÿ');
    // ÿ has the last code
    [below, above].concat()
}

/// Code of a letter, and `true` when it takes two bytes.
pub(super) fn code(letter: char) -> (u32, bool) {
    let number = u32::from(letter);
    match SIGNS.iter().zip(FIRST_SIGN..).find(|(sign, _)| number >= END && **sign == letter) {
        Some((_, code)) => (DOUBLE << 8 | code, true),
        None if number < DOUBLE => (number, false),
        None => (DOUBLE << 8 | number & 0xFF, true),
    }
}

/// True when each letter is its own byte and none is special in a literal string.
pub(super) fn reads_as_written(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'(' | b')' | b'\\'))
}

/// Writes a letter's code into a literal string.
pub(super) fn write(out: &mut Vec<u8>, letter: char) {
    let (code, double) = code(letter);
    let [.., upper, lower] = code.to_be_bytes();
    if double {
        out.push(upper);
    }
    match lower {
        b'(' | b')' | b'\\' => out.extend([b'\\', lower]),
        b'\r' => out.extend(b"\\r"),
        _ => out.push(lower),
    }
}

/// Runs of letters with consecutive codes and numbers: the first letter, its index, and the length.
pub(super) fn runs(letters: &[char]) -> Vec<(char, usize, u32)> {
    let mut runs: Vec<(char, usize, u32)> = Vec::new();
    for (place, letter) in letters.iter().enumerate() {
        match runs.last_mut() {
            Some((first, _, count)) if is_consecutive(*first, *count, *letter) => *count += 1,
            _ => runs.push((*letter, place, 1)),
        }
    }
    runs
}

fn is_consecutive(first: char, count: u32, letter: char) -> bool {
    u32::from(first) + count == u32::from(letter) && code(first).0 + count == code(letter).0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        text.chars().for_each(|letter| write(&mut out, letter));
        out
    }

    #[test]
    fn latin_letters_are_one_byte_and_none_ends_the_string() {
        assert_eq!(written("Aç"), [b'A', 0xE7]);
        assert_eq!(written("(a\\)"), b"\\(a\\\\\\)");
        assert_eq!(written("–™"), [0xFF, 0x80, 0xFF, 0x89]);
        assert_eq!(written("ÿāčĨ"), [0xFF, 0xFF, 0xFF, 0x01, 0xFF, b'\\', b'r', 0xFF, b'\\', b'(']);
    }

    #[test]
    fn what_reads_as_written_is_written_so() {
        for text in ["Caderno 1/2", "", "~ {x}", "a(b", "a)b", "a\\b", "à", "a\tb", "\u{7f}"] {
            assert_eq!(
                reads_as_written(text),
                written(text) == text.as_bytes() && !text.contains(char::is_control),
                "{text}"
            );
        }
    }

    #[test]
    fn no_two_letters_share_a_code() {
        for set in [LetterSet::Capitals, LetterSet::Portuguese, LetterSet::Whole] {
            let codes: Vec<u32> = letters(set).into_iter().map(|letter| code(letter).0).collect();
            assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{set:?}");
        }
        assert_eq!(letters(LetterSet::Whole).len(), 95 + 96 + 128 + 10);
    }

    #[test]
    fn portuguese_is_whole_in_its_set() {
        let text = "A rápida raposa não pôs às três; CORAÇÃO, ÀQUELE: {1} [2] ~3° Nº 2ª lingüiça ÊÔÕÍÚÉÂÁÓÜ";
        assert!(text.chars().all(|letter| set_of(letter) <= LetterSet::Portuguese));
        assert!("RAZÃO SOCIAL / Nº 1.234,50%".chars().all(|letter| set_of(letter) == LetterSet::Capitals));
        assert_eq!(set_of('Ñ'), LetterSet::Whole);
    }

    #[test]
    fn runs_hold_every_letter_once() {
        let letters = letters(LetterSet::Whole);
        let runs = runs(&letters);
        let signs =
            [('–', 318, 2), ('‘', 320, 2), ('“', 322, 2), ('•', 324, 1), ('…', 325, 1), ('€', 326, 1), ('™', 327, 1)];
        let letters = [(' ', 0, 95), ('\u{a0}', 95, 95), ('Ā', 190, 128)];
        assert_eq!(runs, [&letters[..], &signs, &[('ÿ', 328, 1)]].concat());
    }
}
