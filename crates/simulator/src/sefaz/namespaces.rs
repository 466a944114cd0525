//! Defects of a text that its tree does not show: prefixes, namespace declarations and blanks between tags.

use memchr::{memchr, memchr2};

const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";

/// Defects of the text of a payload.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TextDefects {
    /// An element has a prefix.
    pub(super) prefixed: bool,
    /// A declaration other than the default of the family, and of the signature on `Signature`.
    pub(super) foreign: bool,
    /// Blanks or line breaks between tags.
    pub(super) blanks: bool,
}

/// Scans a well-formed payload.
pub(super) fn scan(payload: &[u8], namespace: &str) -> TextDefects {
    let mut found = TextDefects::default();
    let mut rest = payload;
    while let Some(open) = memchr(b'<', rest) {
        let (between, from) = rest.split_at(open);
        found.blanks |= open > 0 && between.iter().all(u8::is_ascii_whitespace);
        let end = tag_end(from);
        let (tag, after) = from.split_at(end);
        examine(tag, namespace, &mut found);
        rest = after;
    }
    found
}

/// Position after the `>` that ends the markup; a `>` may be part of an attribute value, a comment or CDATA.
fn tag_end(from: &[u8]) -> usize {
    let closing: &[u8] = if from.starts_with(b"<!--") {
        b"-->"
    } else if from.starts_with(b"<![CDATA[") {
        b"]]>"
    } else {
        // Fast path: nearly every tag is a name and nothing else.
        let first = memchr(b'>', from).map_or(from.len(), |end| end + 1);
        if memchr2(b'"', b'\'', from.get(..first).unwrap_or_default()).is_none() {
            return first;
        }
        let mut quote = None;
        let end = from.iter().position(|byte| match (quote, byte) {
            (Some(open), byte) if open == *byte => {
                quote = None;
                false
            }
            (None, b'"' | b'\'') => {
                quote = Some(*byte);
                false
            }
            (None, b'>') => true,
            _ => false,
        });
        return end.map_or(from.len(), |end| end + 1);
    };
    from.windows(closing.len()).position(|window| window == closing).map_or(from.len(), |end| end + closing.len())
}

fn examine(tag: &[u8], namespace: &str, found: &mut TextDefects) {
    let name_end = tag.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>').unwrap_or(tag.len());
    let name = tag.get(1..name_end).unwrap_or_default();
    if name.first().is_none_or(|first| matches!(first, b'!' | b'?')) {
        return;
    }
    found.prefixed |= name.contains(&b':');
    if name_end + 1 >= tag.len() {
        return;
    }
    let attributes = String::from_utf8_lossy(tag.get(name_end..).unwrap_or_default()).into_owned();
    for declaration in attributes.split("xmlns").skip(1) {
        let value = declaration.split(['"', '\'']).nth(1).unwrap_or("");
        let expected = if name == b"Signature" { DSIG } else { namespace };
        found.foreign |= !declaration.trim_start().starts_with('=') || value != expected;
    }
}

#[cfg(test)]
mod tests {
    use super::super::NFE;
    use super::*;

    fn found(payload: &str) -> TextDefects {
        scan(payload.as_bytes(), NFE)
    }

    #[test]
    fn the_default_namespaces_alone_are_right() {
        let payload =
            format!("<NFe xmlns=\"{NFE}\"><a x=\"1 > 0\">b c</a><Signature xmlns=\"{DSIG}\"><x/></Signature></NFe>");
        assert_eq!(found(&payload), TextDefects::default());
    }

    #[test]
    fn prefixes_foreign_namespaces_and_blanks_are_told_apart() {
        let prefixed = found(&format!("<n:NFe xmlns:n=\"{NFE}\"></n:NFe>"));
        assert!(prefixed.prefixed);
        let unused =
            found(&format!("<NFe xmlns=\"{NFE}\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"></NFe>"));
        assert_eq!(unused, TextDefects { foreign: true, ..TextDefects::default() });
        assert_eq!(
            found(&format!("<NFe xmlns=\"{NFE}\">\n<a>b</a></NFe>")),
            TextDefects { blanks: true, ..TextDefects::default() }
        );
        assert!(found(&format!("<NFe xmlns=\"{NFE}\"><a>b</a> </NFe>")).blanks);
    }
}
