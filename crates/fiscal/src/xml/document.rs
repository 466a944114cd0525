//! A read-only document: its elements in a flat vector, in the order of their start tags, each followed by its content.
//! Texts are borrowed where possible, so that building it costs no more than its length.
//!
//! A foreign document is read strictly first (`read`) and flattened then; a document written by this service is scanned
//! in one pass (`canonical_scan`).

use super::name::is_same;
use super::read::{Element, Node};
use std::borrow::Cow;
use std::ops::Range;

/// A document as a flat vector of its elements, the root first. Equality is equality of content.
#[derive(Debug, PartialEq, Eq)]
pub struct FlatDocument<'x> {
    pub(super) pieces: Vec<FlatPiece<'x>>,
    pub(super) attributes: Vec<FlatAttribute<'x>>,
    pub(super) namespaces: Vec<&'x str>,
}

/// An element, or a nameless text after a child of its element.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FlatPiece<'x> {
    pub(super) name: &'x str,
    /// Text before the first child. Most elements have no other content.
    pub(super) text: Option<Cow<'x, str>>,
    /// Number of pieces of the element, itself included.
    pub(super) size: u32,
    /// Index of its namespace in the document's.
    pub(super) namespace: u32,
    /// Range of its attributes in the document's.
    pub(super) attributes: Range<u32>,
}

/// An attribute, named as in [`Element::attributes`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FlatAttribute<'x> {
    pub(super) name: Cow<'x, str>,
    pub(super) value: Cow<'x, str>,
}

/// An element of a document, by reference. Cheap to copy.
#[derive(Debug, Clone, Copy)]
pub struct ElementView<'d> {
    document: &'d FlatDocument<'d>,
    at: u32,
}

impl<'x> FlatDocument<'x> {
    /// Flattens a read element.
    pub fn of(root: &'x Element) -> FlatDocument<'x> {
        let mut document = FlatDocument { pieces: Vec::new(), attributes: Vec::new(), namespaces: Vec::new() };
        document.push_element(root, None);
        document
    }

    pub fn root(&self) -> ElementView<'_> {
        ElementView { document: self, at: 0 }
    }

    fn push_element(&mut self, element: &'x Element, around: Option<u32>) {
        let namespace = self.declare(&element.namespace, around);
        let own = element.attributes.iter();
        let own = own.map(|(name, value)| FlatAttribute { name: name.as_str().into(), value: value.as_str().into() });
        let from = count(self.attributes.len());
        self.attributes.extend(own);
        let attributes = from..count(self.attributes.len());
        let at = self.pieces.len();
        self.pieces.push(FlatPiece { name: &element.name, text: None, size: 1, namespace, attributes });
        for node in &element.nodes {
            match node {
                Node::Element(child) => self.push_element(child, Some(namespace)),
                Node::Text(text) => self.push_text(at, text.as_str().into()),
            }
        }
        self.end(at);
    }

    /// Index of a namespace. `around` is that of the enclosing element, which mostly is the same.
    pub(super) fn declare(&mut self, namespace: &'x str, around: Option<u32>) -> u32 {
        let known = around.filter(|around| self.namespaces.get(index(*around)) == Some(&namespace));
        known.unwrap_or_else(|| {
            self.namespaces.push(namespace);
            count(self.namespaces.len() - 1)
        })
    }

    /// Appends a text to the element at `of`.
    pub(super) fn push_text(&mut self, of: usize, text: Cow<'x, str>) {
        let is_first = self.pieces.len() == of + 1;
        let Some(element) = self.pieces.get_mut(of) else { return };
        if is_first {
            element.text = Some(text);
        } else {
            let namespace = element.namespace;
            self.pieces.push(FlatPiece { name: "", text: Some(text), size: 1, namespace, attributes: 0..0 });
        }
    }

    /// Ends the element at `began`.
    pub(super) fn end(&mut self, began: usize) {
        let size = count(self.pieces.len() - began);
        if let Some(element) = self.pieces.get_mut(began) {
            element.size = size;
        }
    }
}

impl<'d> ElementView<'d> {
    #[inline]
    fn piece(self) -> &'d FlatPiece<'d> {
        &self.document.pieces[index(self.at)]
    }

    /// Local name.
    #[inline]
    pub fn name(self) -> &'d str {
        self.piece().name
    }

    /// Resolved namespace.
    #[inline]
    pub fn namespace(self) -> &'d str {
        self.document.namespaces.get(index(self.piece().namespace)).copied().unwrap_or_default()
    }

    /// First child of this local name.
    #[inline]
    pub fn child(self, name: &str) -> Option<ElementView<'d>> {
        self.nodes().find(|node| is_same(node.name(), name))
    }

    /// All child elements.
    #[inline]
    pub fn children(self) -> impl Iterator<Item = ElementView<'d>> + Clone {
        self.nodes().filter(|node| !node.is_text())
    }

    /// Child by a path such as `ide/dhEmi`.
    #[inline]
    pub fn at(self, path: &str) -> Option<ElementView<'d>> {
        match path.bytes().position(|byte| byte == b'/') {
            Some(slash) => self.child(&path[..slash])?.at(&path[slash + 1..]),
            None => self.child(path),
        }
    }

    /// Trimmed text of the element at a path.
    pub fn text_at(self, path: &str) -> Option<&'d str> {
        self.at(path).map(ElementView::text)
    }

    /// Trimmed text of this element (its first text; empty when none).
    #[inline]
    pub fn text(self) -> &'d str {
        self.texts().next().map_or("", trimmed)
    }

    /// Value of an attribute.
    pub fn attribute(self, name: &str) -> Option<&'d str> {
        self.attributes().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// Its attributes without namespace declarations, in order, named as in [`Element::attributes`].
    #[inline]
    pub fn attributes(self) -> impl Iterator<Item = (&'d str, &'d str)> {
        let Range { start, end } = self.piece().attributes;
        let own = self.document.attributes.get(index(start)..index(end)).unwrap_or_default();
        own.iter().map(|attribute| (&*attribute.name, &*attribute.value))
    }

    /// The texts directly in this element, untrimmed.
    #[inline]
    pub(crate) fn texts(self) -> impl Iterator<Item = &'d str> {
        let own = self.piece().text.as_deref();
        own.into_iter()
            .chain(self.nodes().filter(|node| node.is_text()).filter_map(|node| node.piece().text.as_deref()))
    }

    /// The text of an element without children; `None` for other elements.
    #[inline]
    pub(crate) fn only_text(self) -> Option<&'d str> {
        let piece = self.piece();
        (piece.size == 1).then(|| piece.text.as_deref().unwrap_or_default())
    }

    /// Children, and the texts after them; the text before the first child excluded.
    #[inline]
    pub(crate) fn nodes(self) -> ChildNodes<'d> {
        let ElementView { document, at } = self;
        ChildNodes { document, at: at + 1, end: at + self.piece().size }
    }

    /// True when both, of one document, hold the same elements in the same order, without attributes except on the two
    /// themselves, and with text only in elements without children.
    pub(crate) fn is_built_like(self, other: ElementView<'d>) -> bool {
        let (own, others) = (self.pieces(), other.pieces());
        let alike = |(own, other): (&FlatPiece<'_>, &FlatPiece<'_>)| {
            let plain = |piece: &FlatPiece<'_>| (piece.size == 1 || piece.text.is_none()) && !piece.name.is_empty();
            let same = own.size == other.size && own.namespace == other.namespace && is_same(own.name, other.name);
            same && plain(own) && plain(other)
        };
        let bare = |piece: &FlatPiece<'_>| piece.attributes.is_empty();
        std::ptr::eq(self.document, other.document)
            && own.len() == others.len()
            && own.iter().zip(others).all(alike)
            && own.iter().skip(1).chain(others.iter().skip(1)).all(bare)
    }

    /// This element and all below it.
    fn pieces(self) -> &'d [FlatPiece<'d>] {
        let begin = index(self.at);
        self.document.pieces.get(begin..begin + index(self.piece().size)).unwrap_or_default()
    }

    /// Distance to an earlier element, in pieces.
    pub(crate) fn distance_from(self, other: ElementView<'d>) -> u32 {
        self.at.saturating_sub(other.at)
    }

    /// The piece at this distance after this one.
    pub(crate) fn at_distance(self, distance: u32) -> Option<ElementView<'d>> {
        let at = self.at.checked_add(distance)?;
        (index(at) < self.document.pieces.len()).then_some(ElementView { document: self.document, at })
    }

    /// True for a text, false for an element.
    #[inline]
    pub(crate) fn is_text(self) -> bool {
        self.name().is_empty()
    }
}

/// Children of an element and the texts after them, in order.
#[derive(Clone)]
pub(crate) struct ChildNodes<'d> {
    document: &'d FlatDocument<'d>,
    at: u32,
    end: u32,
}

impl<'d> Iterator for ChildNodes<'d> {
    type Item = ElementView<'d>;

    #[inline]
    fn next(&mut self) -> Option<ElementView<'d>> {
        if self.at >= self.end {
            return None;
        }
        let node = ElementView { document: self.document, at: self.at };
        self.at += node.piece().size;
        Some(node)
    }
}

/// A text without blanks around it; most have none.
#[inline]
fn trimmed(text: &str) -> &str {
    let plain = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_graphic());
    if plain(text.as_bytes().first()) && plain(text.as_bytes().last()) { text } else { text.trim() }
}

/// An index as `u32`. The bound on pieces keeps it in range.
pub(super) fn count(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

pub(super) fn index(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}
