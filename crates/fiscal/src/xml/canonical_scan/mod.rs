//! Scan of canonical text that this service wrote, in one pass, into a flat document.
//!
//! Law: Canonical XML 1.0, 2.3, as written by `CanonicalWriter`: no declaration, comment, CDATA or abbreviated tag, no
//! reference but those of the escapes. Names with a prefix are never written. Anything else is refused, not guessed.
//! Accepted text gives the same elements as `read`, and both refuse a document that is too large with the same error;
//! the tests compare them.

use super::document::{FlatAttribute, FlatDocument, FlatPiece, count};
use super::name::is_same;
use super::read::{self, DEPTH, MalformedXml, NAME, PIECES, is_name, malformed};
use memchr::{memchr, memchr3};
use std::borrow::Cow;

#[cfg(test)]
mod tests;

impl<'x> FlatDocument<'x> {
    /// Scans canonical text.
    pub fn scan_canonical(xml: &'x str) -> Result<FlatDocument<'x>, MalformedXml> {
        read::refuse_characters(xml)?;
        if let Some(at) = memchr(b'\r', xml.as_bytes()) {
            return malformed(at, NOT_CANONICAL);
        }
        let pieces = Vec::with_capacity(xml.len() / BYTES_A_PIECE);
        let document = FlatDocument { pieces, attributes: Vec::new(), namespaces: Vec::new() };
        CanonicalScanner { xml, document, open: Vec::with_capacity(16), left: PIECES, closed: None, distance: 0 }.run()
    }
}

/// A document being scanned.
struct CanonicalScanner<'x> {
    xml: &'x str,
    document: FlatDocument<'x>,
    /// Indexes of the open elements, from the root to the innermost one.
    open: Vec<usize>,
    /// Number of further pieces allowed.
    left: usize,
    /// Index of the element that ended directly before.
    closed: Option<usize>,
    /// Distance between the last two neighbours of one name. The content of the second mostly has the names of the
    /// first.
    distance: usize,
}

impl<'x> CanonicalScanner<'x> {
    fn run(mut self) -> Result<FlatDocument<'x>, MalformedXml> {
        let bytes = self.xml.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            at = match (byte, bytes.get(at + 1)) {
                (b'<', Some(b'/')) => self.close(at)?,
                (b'<', _) => self.open(at)?,
                _ => self.text(at)?,
            };
        }
        match self.open.last().and_then(|open| self.document.pieces.get(*open)) {
            Some(open) => malformed(self.xml.len(), format!("falta o fechamento de <{}>", open.name)),
            None if self.document.pieces.is_empty() => malformed(self.xml.len(), "não há elemento raiz"),
            None => Ok(self.document),
        }
    }

    /// Reads a start tag. Returns its end.
    fn open(&mut self, at: usize) -> Result<usize, MalformedXml> {
        if self.open.len() >= DEPTH {
            return malformed(at, format!("mais de {DEPTH} níveis"));
        }
        if self.open.is_empty() && !self.document.pieces.is_empty() {
            return malformed(at, "há mais de um elemento raiz");
        }
        let name = match self.name_of_neighbour(at + 1) {
            Some(name) => name,
            None => self.name(at + 1)?,
        };
        self.update_distance(name);
        let around = self.open.last().and_then(|open| self.document.pieces.get(*open));
        let around = around.map(|around| around.namespace);
        let mut declared = None;
        let before = self.document.attributes.len();
        let mut end = at + 1 + name.len();
        while self.xml.as_bytes().get(end) == Some(&b' ') {
            end = self.attribute(end + 1, before, &mut declared)?;
        }
        if self.xml.as_bytes().get(end) != Some(&b'>') {
            return malformed(end, NOT_CANONICAL);
        }
        let namespace = match (declared, around) {
            (None, Some(around)) => around,
            (declared, around) => self.document.declare(declared.unwrap_or_default(), around),
        };
        self.consume_pieces(1 + self.document.attributes.len() - before, at)?;
        let attributes = count(before)..count(self.document.attributes.len());
        self.open.push(self.document.pieces.len());
        self.document.pieces.push(FlatPiece { name, text: None, size: 1, namespace, attributes });
        Ok(end + 1)
    }

    /// The name at the same position in the previous neighbour, if this element has it too; that one is checked
    /// already.
    fn name_of_neighbour(&self, from: usize) -> Option<&'x str> {
        let like = self.document.pieces.len().checked_sub(self.distance)?;
        let name = self.document.pieces.get(like)?.name;
        let end = from + name.len();
        let ends = matches!(self.xml.as_bytes().get(end), Some(b'>' | b' '));
        let same = ends && !name.is_empty() && self.xml.get(from..end).is_some_and(|own| is_same(own, name));
        same.then_some(name)
    }

    /// Updates `distance` when the new element has the name of the one that ended directly before.
    fn update_distance(&mut self, name: &str) {
        let before = self.closed.take();
        let alike = |began: &usize| self.document.pieces.get(*began).is_some_and(|piece| is_same(piece.name, name));
        if let Some(began) = before.filter(alike) {
            self.distance = self.document.pieces.len() - began;
        }
    }

    fn name(&self, from: usize) -> Result<&'x str, MalformedXml> {
        let rest = &self.xml.as_bytes()[from..];
        let length = rest.iter().position(|byte| matches!(byte, b'>' | b' ')).unwrap_or(rest.len());
        match self.xml.get(from..from + length) {
            Some(name) if length <= NAME && is_name(name) => Ok(name),
            _ => malformed(from, NOT_CANONICAL),
        }
    }

    /// Reads `name="value"`; refuses a name that occurs from `before` on. Returns its end.
    fn attribute(
        &mut self,
        from: usize,
        before: usize,
        namespace: &mut Option<&'x str>,
    ) -> Result<usize, MalformedXml> {
        let rest = &self.xml[from..];
        let Some((name, rest)) = rest.split_once("=\"").filter(|(name, _)| is_name(name)) else {
            return malformed(from, NOT_CANONICAL);
        };
        let Some((value, _)) = rest.split_once('"').filter(|(value, _)| !value.contains('<')) else {
            return malformed(from, NOT_CANONICAL);
        };
        let end = from + name.len() + value.len() + 3;
        match (name, unescaped(spaced(value), |_| Ok(()), from)?) {
            ("xmlns", Cow::Borrowed(declared)) if namespace.is_none() => *namespace = Some(declared),
            (name, value)
                if name != "xmlns" && self.document.attributes[before..].iter().all(|own| own.name != name) =>
            {
                self.document.attributes.push(FlatAttribute { name: name.into(), value });
            }
            _ => return malformed(from, NOT_CANONICAL),
        }
        Ok(end)
    }

    /// Reads an end tag. Returns its end.
    fn close(&mut self, at: usize) -> Result<usize, MalformedXml> {
        let Some(began) = self.open.pop() else { return malformed(at, "fechamento sem abertura") };
        let name = self.document.pieces[began].name;
        let end = at + 2 + name.len();
        let ends = self.xml.get(at + 2..end).is_some_and(|own| is_same(own, name));
        if !ends || self.xml.as_bytes().get(end) != Some(&b'>') {
            return malformed(at, format!("esperado o fechamento de <{name}>"));
        }
        self.document.end(began);
        self.closed = Some(began);
        Ok(end + 1)
    }

    /// Reads character data. Returns its end.
    fn text(&mut self, at: usize) -> Result<usize, MalformedXml> {
        let rest = &self.xml.as_bytes()[at..];
        let Some(of) = self.open.last().copied() else { return malformed(at, "texto fora do elemento raiz") };
        let special = first_special(rest);
        if rest.get(special) == Some(&b'<') || special == rest.len() {
            self.consume_pieces(1, at)?;
            self.document.push_text(of, Cow::Borrowed(&self.xml[at..at + special]));
            return Ok(at + special);
        }
        let end = at + memchr(b'<', rest).unwrap_or(rest.len());
        let written = &self.xml[at..end];
        if written.contains('>') {
            return malformed(at, NOT_CANONICAL);
        }
        let text = unescaped(Cow::Borrowed(written), |at| self.consume_pieces(1, at), at)?;
        self.document.push_text(of, text);
        Ok(end)
    }

    /// Subtracts pieces from the allowance.
    fn consume_pieces(&mut self, pieces: usize, at: usize) -> Result<(), MalformedXml> {
        match self.left.checked_sub(pieces) {
            Some(left) => self.left = left,
            None => return read::too_many(at),
        }
        Ok(())
    }
}

/// Index of the first byte of a tag or a reference. Most texts are shorter than the start-up of a vector search.
#[inline]
fn first_special(text: &[u8]) -> usize {
    let near = text.iter().take(NEAR).position(|byte| matches!(byte, b'<' | b'&' | b'>'));
    let far = || text.get(NEAR..).and_then(|text| memchr3(b'<', b'&', b'>', text)).map(|at| at + NEAR);
    near.or_else(far).unwrap_or(text.len())
}

/// The text with its references resolved. Calls `piece` with the start of each piece, as counted by `read`.
fn unescaped(
    written: Cow<'_, str>,
    mut piece: impl FnMut(usize) -> Result<(), MalformedXml>,
    at: usize,
) -> Result<Cow<'_, str>, MalformedXml> {
    if !written.contains('&') {
        return Ok(written);
    }
    let mut text = String::with_capacity(written.len());
    let mut rest = &*written;
    while !rest.is_empty() {
        let from = at + written.len() - rest.len();
        piece(from)?;
        let plain = rest.find('&').unwrap_or(rest.len());
        if plain > 0 {
            text.push_str(&rest[..plain]);
            rest = &rest[plain..];
        } else if let Some((escape, character)) = ESCAPES.iter().find(|(escape, _)| rest.starts_with(escape)) {
            text.push(*character);
            rest = &rest[escape.len()..];
        } else {
            return malformed(from, NOT_CANONICAL);
        }
    }
    Ok(text.into())
}

/// An attribute value with unescaped blanks as spaces, as read by any reader.
fn spaced(value: &str) -> Cow<'_, str> {
    if value.contains(['\t', '\n']) { value.replace(['\t', '\n'], " ").into() } else { value.into() }
}

/// Escapes of `CanonicalWriter`.
const ESCAPES: [(&str, char); 7] =
    [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&#x9;", '\t'), ("&#xA;", '\n'), ("&#xD;", '\r')];

/// Bytes that are searched one by one.
const NEAR: usize = 16;
/// Error for a text that `CanonicalWriter` would not write.
const NOT_CANONICAL: &str = "o texto não está na forma canônica";
/// Estimated bytes of a piece. The elements of an NF-e have some seventeen, tags and text included; a larger document
/// costs one reallocation.
const BYTES_A_PIECE: usize = 16;
