//! Recognises a text that is in its canonical form as it stands, and finds its signatures and the elements with an
//! identifier. The signed bytes are then a slice of the text, and no tree is built. Every byte is checked; any
//! uncertain construct (a prefix, a comment, a reference in a value, a name beyond ASCII) is left to the general code.
//!
//! Law: Canonical XML 1.0, 2.3, and its exclusive form, which is the same where no name has a prefix; XML 1.0 for
//! well-formedness.

use super::DSIG;
use memchr::{memchr, memchr3};
use std::ops::Range;

/// A canonical text.
pub(super) struct CanonicalText<'t> {
    pub(super) text: &'t str,
    /// Every element with an identifier, after the root.
    pub(super) named: Vec<SignableElement<'t>>,
    /// Outermost signatures, in their order.
    pub(super) signatures: Vec<Range<usize>>,
    pub(super) root: SignableElement<'t>,
}

/// An element that can be signed.
#[derive(Clone)]
pub(super) struct SignableElement<'t> {
    pub(super) id: &'t str,
    pub(super) element: Range<usize>,
    /// Position behind its name.
    pub(super) name_end: usize,
    /// The default namespace inherited from an element around it; empty when there is none, or when it declares its
    /// own.
    pub(super) inherited: &'t str,
}

/// Deepest nesting accepted; a deeper text is left to the general code.
const DEPTH: usize = 64;

impl<'t> CanonicalText<'t> {
    /// `None` when the text is in another form, is not well-formed, or needs the general code.
    pub(super) fn of(text: &'t str) -> Option<CanonicalText<'t>> {
        if text.as_bytes().chunks(64).any(is_suspicious) {
            return None;
        }
        let mut pass =
            CanonicalPass { text, at: 0, open: Vec::with_capacity(16), named: Vec::new(), signatures: Vec::new() };
        let root = loop {
            pass.tag()?;
            match pass.open.as_slice() {
                [] => break pass.root()?,
                _ => pass.data()?,
            }
        };
        (pass.at == text.len()).then_some(CanonicalText { text, named: pass.named, signatures: pass.signatures, root })
    }
}

/// True for bytes that are no character, or may be none: U+FFFE and U+FFFF begin with EF. A carriage return is never
/// canonical. A whole block is folded, so that many bytes are compared at once.
fn is_suspicious(block: &[u8]) -> bool {
    let suspicious = |byte: u8| byte == 0xEF || (byte < 0x20 && byte != b'\t' && byte != b'\n');
    block.iter().fold(false, |found, byte| found | suspicious(*byte))
}

struct OpenElement<'t> {
    name: &'t str,
    namespace: &'t str,
    start: usize,
    /// Index in `CanonicalPass::named`.
    named: Option<usize>,
}

struct CanonicalPass<'t> {
    text: &'t str,
    at: usize,
    open: Vec<OpenElement<'t>>,
    /// The first is the root, with an identifier or without.
    named: Vec<SignableElement<'t>>,
    signatures: Vec<Range<usize>>,
}

impl<'t> CanonicalPass<'t> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn accept_byte(&mut self, byte: u8) -> Option<()> {
        (self.byte() == Some(byte)).then(|| self.at += 1)
    }

    /// Reads a start tag or an end tag.
    fn tag(&mut self) -> Option<()> {
        let start = self.at;
        self.accept_byte(b'<')?;
        if self.byte() != Some(b'/') {
            return self.start_tag(start);
        }
        let open = self.open.pop()?;
        let end = self.at + 1 + open.name.len();
        (self.text.get(self.at + 1..end) == Some(open.name)).then_some(())?;
        self.at = end;
        self.accept_byte(b'>')?;
        if let Some(place) = open.named.and_then(|named| self.named.get_mut(named)) {
            place.element.end = self.at;
        }
        if is_signature(&open) && !self.open.iter().any(is_signature) {
            self.signatures.push(open.start..self.at);
        }
        Some(())
    }

    fn start_tag(&mut self, start: usize) -> Option<()> {
        let name = self.name()?;
        let name_end = self.at;
        let around = self.open.last().map_or("", |open| open.namespace);
        let (mut namespace, mut own, mut before, mut id) = (around, false, "", None);
        while self.accept_byte(b' ').is_some() {
            let (attribute, value) = self.attribute()?;
            if attribute == "xmlns" {
                // A namespace is declared once, before all attributes, and only where it differs.
                (before.is_empty() && !own && value != around && !value.is_empty()).then_some(())?;
                (namespace, own) = (value, true);
                continue;
            }
            // Ascending names, which also excludes a repeated one.
            (before < attribute).then_some(())?;
            before = attribute;
            if matches!(attribute, "Id" | "ID" | "id") {
                // Two identifiers in one element are left to the general code.
                id.replace(value).is_none().then_some(())?;
            }
        }
        self.accept_byte(b'>')?;
        (self.open.len() < DEPTH).then_some(())?;
        let is_root = self.open.is_empty();
        let named = (id.is_some() || is_root).then_some(self.named.len());
        if named.is_some() {
            let inherited = if own { "" } else { around };
            self.named.push(SignableElement { id: id.unwrap_or_default(), element: start..start, name_end, inherited });
        }
        self.open.push(OpenElement { name, namespace, start, named });
        Some(())
    }

    /// Reads a name of ASCII without a prefix.
    fn name(&mut self) -> Option<&'t str> {
        let rest = self.text.get(self.at..)?;
        let continues = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let length = rest.bytes().position(|byte| !continues(&byte)).unwrap_or(rest.len());
        let name = rest.get(..length)?;
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_').then_some(())?;
        self.at += length;
        Some(name)
    }

    /// Reads `name="value"`, whose value has only one possible spelling.
    fn attribute(&mut self) -> Option<(&'t str, &'t str)> {
        let name = self.name()?;
        self.accept_byte(b'=')?;
        self.accept_byte(b'"')?;
        let rest = self.text.get(self.at..)?;
        let value = rest.get(..memchr(b'"', rest.as_bytes())?)?;
        (!value.bytes().any(|byte| matches!(byte, b'<' | b'&' | b'\t' | b'\n'))).then_some(())?;
        self.at += value.len() + 1;
        Some((name, value))
    }

    /// Skips text up to the next tag; references are the four of a canonical text.
    fn data(&mut self) -> Option<()> {
        loop {
            let rest = self.text.get(self.at..)?;
            let special = memchr3(b'<', b'&', b'>', rest.as_bytes())?;
            self.at += special;
            let rest = rest.get(special..)?;
            if rest.starts_with('<') {
                return Some(());
            }
            self.at += REFERENCES.iter().find(|reference| rest.starts_with(**reference))?.len();
        }
    }

    fn root(&self) -> Option<SignableElement<'t>> {
        self.named.first().cloned()
    }
}

fn is_signature(open: &OpenElement<'_>) -> bool {
    open.name == "Signature" && open.namespace == DSIG
}

const REFERENCES: [&str; 4] = ["&amp;", "&lt;", "&gt;", "&#xD;"];
