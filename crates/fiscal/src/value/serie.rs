//! A series: up to three digits for documents with an access key, five for a DPS, five digits or letters for an RPS.

use std::fmt;

/// Most letters of any series.
const MOST: usize = 5;

/// A series in its document's form: one to five digits or capital letters, digits without leading zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Serie {
    letters: [u8; MOST],
    len: u8,
}

/// The text is no series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a série tem de 1 a 5 letras ou algarismos")]
pub struct InvalidSerie;

impl Serie {
    /// Reads a series: `001` is `1`, `ab` is `AB`.
    pub fn parse(text: &str) -> Result<Serie, InvalidSerie> {
        let text = text.trim();
        let digits = text.bytes().all(|letter| letter.is_ascii_digit());
        let text = match text.trim_start_matches('0') {
            "" if digits && !text.is_empty() => "0",
            stripped if digits => stripped,
            _ => text,
        };
        if text.is_empty() || text.len() > MOST || !text.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
            return Err(InvalidSerie);
        }
        let mut letters = [0; MOST];
        letters[..text.len()].copy_from_slice(text.to_ascii_uppercase().as_bytes());
        Ok(Serie { letters, len: u8::try_from(text.len()).map_err(|_| InvalidSerie)? })
    }

    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.letters[..usize::from(self.len)]).unwrap_or_default()
    }

    /// The number, for a series of digits.
    pub fn number(&self) -> Option<u32> {
        self.as_str().parse().ok()
    }

    /// The number in an access key: 0 to 999.
    pub fn in_key(&self) -> Option<u16> {
        self.number().and_then(|number| u16::try_from(number).ok()).filter(|number| *number <= 999)
    }
}

impl From<u16> for Serie {
    fn from(number: u16) -> Serie {
        let mut letters = [0; MOST];
        let mut left = number;
        let mut at = MOST;
        loop {
            at -= 1;
            letters[at] = b'0' + u8::try_from(left % 10).unwrap_or(0);
            left /= 10;
            if left == 0 {
                break;
            }
        }
        letters.rotate_left(at);
        Serie { letters, len: u8::try_from(MOST - at).unwrap_or(0) }
    }
}

impl fmt::Display for Serie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Serie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Serie({})", self.as_str())
    }
}

super::text_serde!(Serie);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_no_leading_zeros_and_a_word_is_in_capitals() {
        for (text, written, number, in_key) in [
            ("1", "1", Some(1), Some(1)),
            ("001", "1", Some(1), Some(1)),
            ("000", "0", Some(0), Some(0)),
            (" 999 ", "999", Some(999), Some(999)),
            ("00070000", "70000", Some(70000), None),
            ("1000", "1000", Some(1000), None),
            ("nf1", "NF1", None, None),
            ("0A", "0A", None, None),
        ] {
            let serie = Serie::parse(text).unwrap();
            assert_eq!((serie.as_str(), serie.number(), serie.in_key()), (written, number, in_key), "{text}");
        }
        for text in ["", " ", "ABCDEF", "123456", "1-2", "é"] {
            assert_eq!(Serie::parse(text), Err(InvalidSerie), "{text}");
        }
    }

    #[test]
    fn a_number_and_its_text_are_one() {
        for number in [0, 1, 9, 10, 99, 100, 920, 999, 1000, 65_535_u16] {
            assert_eq!(Serie::from(number), Serie::parse(&number.to_string()).unwrap());
        }
    }
}
