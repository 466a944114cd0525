//! A document to be looked at: its elements in a row, in the order of their start tags, each followed by all that
//! stands in it. Nothing is copied that can be borrowed, so that looking at one costs no more than its length.
//!
//! What others wrote is read strictly first (`read`) and put in a row then; of what we wrote ourselves the row is found
//! in one pass (`written`).

use super::name::is_same;
use super::read::{Element, Node};
use std::borrow::Cow;
use std::ops::Range;

/// A document as a row of its elements, the root first. Two are equal when nobody who looks at them could tell them
/// apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Document<'x> {
    pub(super) pieces: Vec<Piece<'x>>,
    pub(super) attributes: Vec<Attribute<'x>>,
    pub(super) namespaces: Vec<&'x str>,
}

/// An element, or a text behind a child of its element, which has no name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'x> {
    pub(super) name: &'x str,
    /// The text before the first child. Most elements have nothing else.
    pub(super) text: Option<Cow<'x, str>>,
    /// How many pieces it is made of, itself among them.
    pub(super) size: u32,
    /// Which of the document's namespaces it stands in.
    pub(super) namespace: u32,
    /// Which of the document's attributes are its own.
    pub(super) attributes: Range<u32>,
}

/// An attribute, named as in [`Element::attributes`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Attribute<'x> {
    pub(super) name: Cow<'x, str>,
    pub(super) value: Cow<'x, str>,
}

/// An element of a document, where it stands. Cheap to copy.
#[derive(Debug, Clone, Copy)]
pub struct View<'d> {
    document: &'d Document<'d>,
    at: u32,
}

impl<'x> Document<'x> {
    /// What was read.
    pub fn of(root: &'x Element) -> Document<'x> {
        let mut document = Document { pieces: Vec::new(), attributes: Vec::new(), namespaces: Vec::new() };
        document.put(root, None);
        document
    }

    /// The root.
    pub fn root(&self) -> View<'_> {
        View { document: self, at: 0 }
    }

    fn put(&mut self, element: &'x Element, around: Option<u32>) {
        let namespace = self.declare(&element.namespace, around);
        let own = element.attributes.iter();
        let own = own.map(|(name, value)| Attribute { name: name.as_str().into(), value: value.as_str().into() });
        let from = count(self.attributes.len());
        self.attributes.extend(own);
        let attributes = from..count(self.attributes.len());
        let at = self.pieces.len();
        self.pieces.push(Piece { name: &element.name, text: None, size: 1, namespace, attributes });
        for node in &element.nodes {
            match node {
                Node::Element(child) => self.put(child, Some(namespace)),
                Node::Text(text) => self.put_text(at, text.as_str().into()),
            }
        }
        self.end(at);
    }

    /// The namespace of an element, which is mostly that of the element around it.
    pub(super) fn declare(&mut self, namespace: &'x str, around: Option<u32>) -> u32 {
        let known = around.filter(|around| self.namespaces.get(index(*around)) == Some(&namespace));
        known.unwrap_or_else(|| {
            self.namespaces.push(namespace);
            count(self.namespaces.len() - 1)
        })
    }

    /// A text that stands next in the element that began there.
    pub(super) fn put_text(&mut self, of: usize, text: Cow<'x, str>) {
        let is_first = self.pieces.len() == of + 1;
        let Some(element) = self.pieces.get_mut(of) else { return };
        if is_first {
            element.text = Some(text);
        } else {
            let namespace = element.namespace;
            self.pieces.push(Piece { name: "", text: Some(text), size: 1, namespace, attributes: 0..0 });
        }
    }

    /// The element that began there ends here.
    pub(super) fn end(&mut self, began: usize) {
        let size = count(self.pieces.len() - began);
        if let Some(element) = self.pieces.get_mut(began) {
            element.size = size;
        }
    }
}

impl<'d> View<'d> {
    #[inline]
    fn piece(self) -> &'d Piece<'d> {
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
    pub fn child(self, name: &str) -> Option<View<'d>> {
        self.nodes().find(|node| is_same(node.name(), name))
    }

    /// All child elements.
    #[inline]
    pub fn children(self) -> impl Iterator<Item = View<'d>> + Clone {
        self.nodes().filter(|node| !node.is_text())
    }

    /// Child by a path such as `ide/dhEmi`.
    #[inline]
    pub fn at(self, path: &str) -> Option<View<'d>> {
        match path.bytes().position(|byte| byte == b'/') {
            Some(slash) => self.child(&path[..slash])?.at(&path[slash + 1..]),
            None => self.child(path),
        }
    }

    /// Trimmed text of the element at a path.
    pub fn text_at(self, path: &str) -> Option<&'d str> {
        self.at(path).map(View::text)
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

    /// The texts right in this element, as they are, between its children.
    #[inline]
    pub(crate) fn texts(self) -> impl Iterator<Item = &'d str> {
        let own = self.piece().text.as_deref();
        own.into_iter()
            .chain(self.nodes().filter(|node| node.is_text()).filter_map(|node| node.piece().text.as_deref()))
    }

    /// The text of an element that has no children; `None` of one that has.
    #[inline]
    pub(crate) fn only_text(self) -> Option<&'d str> {
        let piece = self.piece();
        (piece.size == 1).then(|| piece.text.as_deref().unwrap_or_default())
    }

    /// What stands right in this element behind the text that it begins with: children, and texts behind them.
    #[inline]
    pub(crate) fn nodes(self) -> Nodes<'d> {
        let View { document, at } = self;
        Nodes { document, at: at + 1, end: at + self.piece().size }
    }

    /// Whether the same elements stand in both, of one document, in the same order: none but the two themselves with an
    /// attribute, and texts only where nothing else stands.
    pub(crate) fn is_built_like(self, other: View<'d>) -> bool {
        let (own, others) = (self.pieces(), other.pieces());
        let alike = |(own, other): (&Piece<'_>, &Piece<'_>)| {
            let plain = |piece: &Piece<'_>| (piece.size == 1 || piece.text.is_none()) && !piece.name.is_empty();
            let same = own.size == other.size && own.namespace == other.namespace && is_same(own.name, other.name);
            same && plain(own) && plain(other)
        };
        let bare = |piece: &Piece<'_>| piece.attributes.is_empty();
        std::ptr::eq(self.document, other.document)
            && own.len() == others.len()
            && own.iter().zip(others).all(alike)
            && own.iter().skip(1).chain(others.iter().skip(1)).all(bare)
    }

    /// Itself and all that stands in it.
    fn pieces(self) -> &'d [Piece<'d>] {
        let begin = index(self.at);
        self.document.pieces.get(begin..begin + index(self.piece().size)).unwrap_or_default()
    }

    /// How far behind another it stands in their document.
    pub(crate) fn behind(self, other: View<'d>) -> u32 {
        self.at.saturating_sub(other.at)
    }

    /// The element that stands so far behind this one, where there is one.
    pub(crate) fn further(self, distance: u32) -> Option<View<'d>> {
        let at = self.at.checked_add(distance)?;
        (index(at) < self.document.pieces.len()).then_some(View { document: self.document, at })
    }

    /// Whether it is a text, and no element.
    #[inline]
    pub(crate) fn is_text(self) -> bool {
        self.name().is_empty()
    }
}

/// Children of an element and the texts behind them, in order.
#[derive(Clone)]
pub(crate) struct Nodes<'d> {
    document: &'d Document<'d>,
    at: u32,
    end: u32,
}

impl<'d> Iterator for Nodes<'d> {
    type Item = View<'d>;

    #[inline]
    fn next(&mut self) -> Option<View<'d>> {
        if self.at >= self.end {
            return None;
        }
        let node = View { document: self.document, at: self.at };
        self.at += node.piece().size;
        Some(node)
    }
}

/// A text without the blanks around it; nearly none has any.
#[inline]
fn trimmed(text: &str) -> &str {
    let plain = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_graphic());
    if plain(text.as_bytes().first()) && plain(text.as_bytes().last()) { text } else { text.trim() }
}

/// A place in the row; no document has more of them than four bytes can count.
pub(super) fn count(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

pub(super) fn index(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}
