//! Writer of text that is already in canonical form, so that signing is one pass over final bytes.
//!
//! Law: Canonical XML 1.0 (W3C, 15 March 2001), 2.3. Must not know the content: tags come from the caller. `tests.rs`
//! compares it with an independent canonicaliser.

/// Writes canonical XML: no declaration, no self-closing tags, attributes in the given order (the caller sorts them),
/// text escaped as by C14N (`&amp; &lt; &gt; &#xD;`), attribute values likewise (`&amp; &lt; &quot; &#x9; &#xA;
/// &#xD;`).
#[derive(Debug, Default)]
pub struct CanonicalWriter {
    xml: String,
}

impl CanonicalWriter {
    /// A writer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> CanonicalWriter {
        CanonicalWriter { xml: String::with_capacity(capacity) }
    }

    /// `<name>`.
    #[inline]
    pub fn open(&mut self, name: &str) {
        self.xml.reserve(name.len() + 2);
        self.xml.push('<');
        self.xml.push_str(name);
        self.xml.push('>');
    }

    /// `<name a="…">`; namespace declarations first, then attributes sorted by name.
    pub fn open_with(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.xml.push('<');
        self.xml.push_str(name);
        for (key, value) in attributes {
            self.xml.push(' ');
            self.xml.push_str(key);
            self.xml.push_str("=\"");
            self.attribute_value(value);
            self.xml.push('"');
        }
        self.xml.push('>');
    }

    /// `</name>`.
    #[inline]
    pub fn close(&mut self, name: &str) {
        self.xml.reserve(name.len() + 3);
        self.xml.push_str("</");
        self.xml.push_str(name);
        self.xml.push('>');
    }

    /// `<name>text</name>`.
    #[inline]
    pub fn leaf(&mut self, name: &str, text: &str) {
        self.xml.reserve(2 * name.len() + text.len() + 5);
        self.xml.push('<');
        self.xml.push_str(name);
        self.xml.push('>');
        self.text(text);
        self.xml.push_str("</");
        self.xml.push_str(name);
        self.xml.push('>');
    }

    /// Character data of the open element, escaped.
    #[inline]
    pub fn text(&mut self, text: &str) {
        if is_plain(text.as_bytes()) {
            self.xml.push_str(text);
        } else {
            self.escaped_text(text);
        }
    }

    /// Appends canonical XML: cached tags, or a signed element.
    #[inline]
    pub fn raw(&mut self, xml: &str) {
        self.xml.push_str(xml);
    }

    /// A number, without leading zeros.
    pub fn number(&mut self, number: usize) {
        push_number(&mut self.xml, number);
    }

    /// Number of bytes written; the caller stores it as the start of an element.
    pub fn len(&self) -> usize {
        self.xml.len()
    }

    /// Removes the element that begins at `begun`, if it is empty.
    pub fn remove_if_empty(&mut self, begun: usize, name: &str) {
        let written = self.xml.get(begun..).unwrap_or("");
        let closed = written.strip_prefix('<').and_then(|rest| rest.strip_prefix(name)?.strip_prefix("></"));
        if closed.and_then(|rest| rest.strip_prefix(name)) == Some(">") {
            self.xml.truncate(begun);
        }
    }

    /// True when nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.xml.is_empty()
    }

    /// The written text.
    pub fn finish(self) -> String {
        self.xml
    }

    #[cold]
    fn escaped_text(&mut self, text: &str) {
        self.replacing(text, |byte| match byte {
            b'&' => Some("&amp;"),
            b'<' => Some("&lt;"),
            b'>' => Some("&gt;"),
            b'\r' => Some("&#xD;"),
            _ => None,
        });
    }

    fn attribute_value(&mut self, value: &str) {
        self.replacing(value, |byte| match byte {
            b'&' => Some("&amp;"),
            b'<' => Some("&lt;"),
            b'"' => Some("&quot;"),
            b'\t' => Some("&#x9;"),
            b'\n' => Some("&#xA;"),
            b'\r' => Some("&#xD;"),
            _ => None,
        });
    }

    /// Copies runs, and replacements from the table. Every replaced byte is ASCII, so the cuts are between characters.
    fn replacing(&mut self, text: &str, replacement: impl Fn(u8) -> Option<&'static str>) {
        let mut copied = 0;
        for (at, byte) in text.bytes().enumerate() {
            if let Some(entity) = replacement(byte) {
                self.xml.push_str(&text[copied..at]);
                self.xml.push_str(entity);
                copied = at + 1;
            }
        }
        self.xml.push_str(&text[copied..]);
    }
}

/// Writes a number, without leading zeros.
pub(crate) fn push_number(text: &mut String, number: usize) {
    const DIGITS: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(DIGITS[number % 10]);
}

/// True when no byte needs an escape in text. Eight bytes a step, because most texts are short and plain, and this scan
/// is a third of the cost of writing them.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    words.iter().all(|word| !has_special(u64::from_ne_bytes(*word)))
        && rest.iter().all(|byte| !matches!(byte, b'&' | b'<' | b'>' | b'\r'))
}

/// True when one of the eight bytes is special. `<` and `>` differ in one bit, so three comparisons cover four
/// characters.
#[inline]
const fn has_special(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let ampersand = word ^ (ONES * b'&' as u64);
    let angle = (word | (ONES * 0x02)) ^ (ONES * b'>' as u64);
    let carriage_return = word ^ (ONES * b'\r' as u64);
    // a byte is zero exactly when subtracting one borrows into a high bit that it did not have (false positives only
    // above a true one)
    let zero = (ampersand.wrapping_sub(ONES) & !ampersand)
        | (angle.wrapping_sub(ONES) & !angle)
        | (carriage_return.wrapping_sub(ONES) & !carriage_return);
    zero & HIGH != 0
}
