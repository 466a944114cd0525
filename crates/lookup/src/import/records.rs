//! Streaming reader of the records of a delimited file (RFC 4180 with any separator): quotes, doubled quotes, line ends
//! inside quotes.

use std::io::{self, BufRead, Read as _};

/// Character encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextEncoding {
    /// ISO-8859-1: each byte is its own code point.
    Latin1,
    Utf8,
}

/// Reads records one by one and knows the position where each ends.
pub(super) struct RecordReader<R> {
    input: R,
    separator: u8,
    letters: TextEncoding,
    position: i64,
    record: Vec<u8>,
}

/// Largest record in bytes: a longer one has lost its closing quote.
const LONGEST: usize = 1 << 20;

impl<R: BufRead> RecordReader<R> {
    /// `position` is where the input already stands.
    pub(super) fn new(input: R, separator: u8, letters: TextEncoding, position: i64) -> RecordReader<R> {
        RecordReader { input, separator, letters, position, record: Vec::new() }
    }

    /// Position where the last record ends.
    pub(super) fn position(&self) -> i64 {
        self.position
    }

    /// Fields of the next record; `None` at the end. Skips empty lines.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<String>>> {
        loop {
            self.record.clear();
            let mut open = false;
            loop {
                let before = self.record.len();
                // Bounds the read of a line without an end.
                let room = (LONGEST + 1).saturating_sub(before);
                let read = (&mut self.input).take(room as u64).read_until(b'\n', &mut self.record)?;
                self.position += i64::try_from(read).unwrap_or_default();
                // Only the new bytes are scanned: an unclosed quote must not cost quadratic time.
                let new = self.record.get(before..).unwrap_or_default();
                open ^= new.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
                if self.record.len() > LONGEST {
                    return Err(io::Error::other("um registro não fecha suas aspas, ou é uma linha de mais de 1 MB"));
                }
                if read == 0 || !open {
                    break;
                }
            }
            if self.record.is_empty() {
                return Ok(None);
            }
            while matches!(self.record.last(), Some(b'\n' | b'\r')) {
                self.record.pop();
            }
            if !self.record.is_empty() {
                return Ok(Some(self.fields()));
            }
        }
    }

    fn fields(&self) -> Vec<String> {
        let mut fields = Vec::new();
        let mut field = Vec::new();
        let mut quoted = false;
        let mut bytes = self.record.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' if quoted && bytes.peek() == Some(&b'"') => {
                    field.push(b'"');
                    bytes.next();
                }
                b'"' => quoted = !quoted,
                separator if separator == self.separator && !quoted => {
                    fields.push(self.text(&field));
                    field.clear();
                }
                other => field.push(other),
            }
        }
        fields.push(self.text(&field));
        fields
    }

    fn text(&self, bytes: &[u8]) -> String {
        let text = match self.letters {
            TextEncoding::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
            TextEncoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        };
        super::printable(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_line_ends_and_letters_are_read() {
        let input: &[u8] = b"\"12\";\"S\xc3O \"\"X\"\" ; y\";\"\"\r\n\r\n\"a\nb\0\";c;\n";
        let mut records = RecordReader::new(input, b';', TextEncoding::Latin1, 0);
        assert_eq!(records.next().unwrap().unwrap(), ["12", "SÃO \"X\" ; y", ""]);
        assert_eq!(records.position(), 25);
        assert_eq!(records.next().unwrap().unwrap(), ["ab", "c", ""]);
        assert_eq!(records.next().unwrap(), None);
        let mut again = RecordReader::new(&input[25..], b';', TextEncoding::Latin1, 25);
        assert_eq!(again.next().unwrap().unwrap()[1], "c");
        assert_eq!(usize::try_from(again.position()).unwrap(), input.len());
    }

    #[test]
    fn a_quote_that_never_closes_is_not_read_into_memory_for_ever() {
        let endless = format!("\"{}", "x\n".repeat(LONGEST));
        assert!(RecordReader::new(endless.as_bytes(), b';', TextEncoding::Utf8, 0).next().is_err());
        // A line without an end is refused too.
        let endless = io::BufReader::new(io::repeat(b'x'));
        assert!(RecordReader::new(endless, b';', TextEncoding::Utf8, 0).next().is_err());
    }
}
