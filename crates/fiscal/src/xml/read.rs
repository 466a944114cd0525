//! Reader of foreign XML: strictly well-formed XML 1.0 with namespaces, without DTD, bounded in depth, attributes,
//! names and the number of pieces (four bytes of text may become a hundred of tree).
//!
//! Law: XML 1.0 (5th edition), Namespaces in XML 1.0. quick-xml splits the bytes into events; its omissions (names,
//! characters, `<` in values, one root, repeated expanded names) are checked here, so that every accepted document is
//! acceptable to any reader. Must not know any layout.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;

use super::declaration;
use super::name::{SharedName, intern};

/// An element as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Prefix as written, empty when none.
    pub prefix: SharedName,
    /// Local name.
    pub name: SharedName,
    /// Resolved namespace.
    pub namespace: SharedName,
    /// Attributes without namespace declarations, in order, unescaped. The key is the name as written, or
    /// `{namespace}name` for a name in a namespace (`xsi:schemaLocation` becomes
    /// `{http://www.w3.org/2001/XMLSchema-instance}schemaLocation`).
    pub attributes: Vec<(String, String)>,
    /// Content.
    pub nodes: Vec<Node>,
    /// Byte range in the source, from `<` to `>` of the end tag.
    pub span: std::ops::Range<usize>,
}

/// Content of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A child; boxed, because most pieces of a document are short texts.
    Element(Box<Element>),
    /// Unescaped text or CDATA.
    Text(String),
}

/// Reason why bytes are no acceptable XML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("XML mal formado na posição {at}: {why}")]
pub struct MalformedXml {
    /// Byte offset.
    pub at: usize,
    /// Fault, in Portuguese.
    pub why: String,
}

/// Deepest accepted nesting; an NF-e in its envelope needs 14.
pub(super) const DEPTH: usize = 64;
/// Most attributes of one element; the official layouts have four at most.
const ATTRIBUTES: usize = 64;
/// Most elements, texts and attributes of a document; the largest message an authority takes (500 KB) has some 60,000.
pub(super) const PIECES: usize = 400_000;
/// Longest name with its prefix, bytes; the longest official one has 28.
pub(super) const NAME: usize = 256;
/// Longest fault, in characters, with the quoted part of the document.
const WHY: usize = 300;

/// Reads a document of at most 64 levels.
pub fn read(xml: &[u8]) -> Result<Element, MalformedXml> {
    let source = match std::str::from_utf8(xml) {
        Ok(source) => source,
        Err(error) => return malformed(error.valid_up_to(), "os bytes não são UTF-8"),
    };
    refuse_characters(source)?;
    // the byte order mark is no part of the document, but counts in positions
    let bom = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    XmlReader { source, bom, no_prefix: SharedName::default(), open: Vec::new(), root: None, left: PIECES }.run()
}

/// A document being read.
struct XmlReader<'x> {
    source: &'x str,
    bom: usize,
    no_prefix: SharedName,
    /// From the root to the innermost open element.
    open: Vec<Element>,
    root: Option<Element>,
    /// Number of further pieces allowed.
    left: usize,
}

impl<'x> XmlReader<'x> {
    fn run(mut self) -> Result<Element, MalformedXml> {
        let mut reader = NsReader::from_str(&self.source[self.bom..]);
        reader.config_mut().check_comments = true;
        loop {
            let from = self.position(&reader);
            let event = reader.read_event();
            match event.or_else(|error| malformed(self.bom + position(reader.error_position()), explain(&error)))? {
                Event::Start(tag) => {
                    let element = self.element(&reader, &tag, from)?;
                    self.open.push(element);
                }
                Event::Empty(tag) => {
                    let element = self.element(&reader, &tag, from)?;
                    self.close(element, self.position(&reader));
                }
                Event::End(_) => match self.open.pop() {
                    Some(element) => self.close(element, self.position(&reader)),
                    None => return malformed(from, "fechamento sem abertura"),
                },
                Event::Text(text) => {
                    // the search for one byte is fast, and mostly finds none
                    if text.as_bytes().contains(&b']') && text.contains("]]>") {
                        return malformed(from, "o texto contém ]]>");
                    }
                    self.text(&text.xml10_content(), from)?;
                }
                Event::CData(_) if self.open.is_empty() => return malformed(from, "CDATA fora do elemento raiz"),
                Event::CData(text) => self.text(&text.xml10_content(), from)?,
                Event::GeneralRef(reference) => {
                    if self.open.is_empty() {
                        return malformed(from, "referência fora do elemento raiz");
                    }
                    self.text(resolve(&reference, from)?.encode_utf8(&mut [0; 4]), from)?;
                }
                Event::Decl(_) if from != self.bom => {
                    return malformed(from, "a declaração XML só pode estar no início");
                }
                Event::Decl(_) => {
                    if let Some(why) = declaration::fault(&self.source[from..self.position(&reader)]) {
                        return malformed(from, why);
                    }
                }
                Event::DocType(_) => return malformed(from, "DTD (DOCTYPE) não é aceita"),
                Event::Comment(_) => {}
                Event::PI(instruction) => {
                    let target = instruction.target();
                    if target.eq_ignore_ascii_case("xml") || target.len() > NAME || !is_name(target) {
                        return malformed(from, format!("instrução <?{target} inválida aqui"));
                    }
                }
                Event::Eof => break,
            }
        }
        if let Some(element) = self.open.last() {
            return malformed(self.source.len(), format!("falta o fechamento de <{}>", element.name));
        }
        self.root.map_or_else(|| malformed(self.source.len(), "não há elemento raiz"), Ok)
    }

    fn position(&self, reader: &NsReader<&[u8]>) -> usize {
        self.bom + position(reader.buffer_position())
    }

    fn element(&mut self, reader: &NsReader<&[u8]>, tag: &BytesStart, from: usize) -> Result<Element, MalformedXml> {
        if self.open.len() >= DEPTH {
            return malformed(from, format!("mais de {DEPTH} níveis"));
        }
        if self.open.is_empty() && self.root.is_some() {
            return malformed(from, "há mais de um elemento raiz");
        }
        let qualified = tag.name().into_inner();
        let (prefix, name) = split(qualified, from)?;
        let namespace = match reader.resolver().resolve_element(tag.name()).0 {
            ResolveResult::Bound(namespace) => match self.open.last() {
                Some(parent) if parent.namespace == *namespace.into_inner() => parent.namespace.clone(),
                _ => intern(namespace.into_inner()),
            },
            ResolveResult::Unbound => intern(""),
            ResolveResult::Unknown(prefix) => return malformed(from, format!("prefixo {prefix} não declarado")),
        };
        let attributes =
            if tag.attributes_raw().trim_ascii().is_empty() { Vec::new() } else { attributes(reader, tag, from)? };
        self.count(1 + attributes.len(), from)?;
        Ok(Element {
            prefix: if prefix.is_empty() { self.no_prefix.clone() } else { intern(prefix) },
            name: intern(name),
            namespace,
            attributes,
            nodes: Vec::new(),
            span: from..from,
        })
    }

    /// Subtracts pieces from the allowance.
    fn count(&mut self, pieces: usize, from: usize) -> Result<(), MalformedXml> {
        match self.left.checked_sub(pieces) {
            Some(left) => self.left = left,
            None => return too_many(from),
        }
        Ok(())
    }

    fn close(&mut self, mut element: Element, end: usize) {
        element.span.end = end;
        match self.open.last_mut() {
            Some(parent) => parent.nodes.push(Node::Element(Box::new(element))),
            None => self.root = Some(element),
        }
    }

    /// Adds a text. Neighbouring pieces (around references, CDATA, comments) become one text.
    fn text(&mut self, piece: &str, from: usize) -> Result<(), MalformedXml> {
        self.count(1, from)?;
        let Some(element) = self.open.last_mut() else {
            if piece.trim_ascii().is_empty() {
                return Ok(());
            }
            return malformed(from, "texto fora do elemento raiz");
        };
        match element.nodes.last_mut() {
            Some(Node::Text(text)) => text.push_str(piece),
            _ => {
                if element.nodes.is_empty() {
                    // most elements hold a single text
                    element.nodes.reserve_exact(1);
                }
                element.nodes.push(Node::Text(piece.to_owned()));
            }
        }
        Ok(())
    }
}

fn attributes(reader: &NsReader<&[u8]>, tag: &BytesStart, from: usize) -> Result<Vec<(String, String)>, MalformedXml> {
    refuse_glued_attributes(tag.attributes_raw(), from)?;
    let mut attributes: Vec<(String, String)> = Vec::new();
    for (count, attribute) in tag.attributes().enumerate() {
        if count >= ATTRIBUTES {
            return malformed(from, format!("mais de {ATTRIBUTES} atributos"));
        }
        let attribute = attribute.or_else(|error| malformed(from, explain(&error.into())))?;
        if attribute.value.contains('<') {
            return malformed(from, "valor de atributo contém <");
        }
        split(attribute.key.into_inner(), from)?;
        if attribute.key.as_namespace_binding().is_some() {
            if attribute.value.contains(['&', '\t', '\n', '\r']) {
                return malformed(from, "declaração de namespace com referência ou quebra de linha");
            }
            if attribute.value.is_empty() && attribute.key.prefix().is_some() {
                return malformed(from, "prefixo declarado com namespace vazio");
            }
            continue;
        }
        let key = expanded(reader, &attribute, from)?;
        if attributes.iter().any(|(other, _)| *other == key) {
            return malformed(from, format!("atributo {key} repetido"));
        }
        attributes.push((key, value(&attribute, from)?));
    }
    Ok(attributes)
}

fn expanded(reader: &NsReader<&[u8]>, attribute: &Attribute, from: usize) -> Result<String, MalformedXml> {
    match reader.resolver().resolve_attribute(attribute.key) {
        (ResolveResult::Unbound, name) => Ok(name.into_inner().to_owned()),
        (ResolveResult::Bound(namespace), name) => Ok(format!("{{{}}}{}", namespace.into_inner(), name.into_inner())),
        (ResolveResult::Unknown(prefix), _) => malformed(from, format!("prefixo {prefix} não declarado")),
    }
}

fn value(attribute: &Attribute, from: usize) -> Result<String, MalformedXml> {
    let value = match attribute.normalized_value(XmlVersion::Explicit1_0) {
        Ok(value) => value.into_owned(),
        Err(error) => return malformed(from, explain(&error)),
    };
    match value.chars().find(|&character| !is_xml_character(character)) {
        Some(character) => malformed(from, format!("caractere U+{:04X} não permitido", u32::from(character))),
        None => Ok(value),
    }
}

/// The character of a reference in text.
fn resolve(reference: &BytesRef, at: usize) -> Result<char, MalformedXml> {
    let name: &str = reference;
    match reference.resolve_char_ref() {
        Ok(Some(character)) if is_xml_character(character) => return Ok(character),
        Ok(Some(character)) => return malformed(at, format!("caractere U+{:04X} não permitido", u32::from(character))),
        Ok(None) => {}
        Err(_) => return malformed(at, format!("referência &{name}; inválida")),
    }
    match name {
        "amp" => Ok('&'),
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "apos" => Ok('\''),
        "quot" => Ok('"'),
        _ => malformed(at, format!("entidade &{name}; não declarada")),
    }
}

/// Prefix and local name, both checked.
fn split(qualified: &str, from: usize) -> Result<(&str, &str), MalformedXml> {
    if qualified.len() > NAME {
        return malformed(from, format!("nome de {} bytes", qualified.len()));
    }
    let (prefix, name) = qualified.split_once(':').unwrap_or(("", qualified));
    let prefix_is_right = if qualified.len() == name.len() { prefix.is_empty() } else { is_name(prefix) };
    if prefix_is_right && is_name(name) {
        Ok((prefix, name))
    } else {
        malformed(from, format!("nome inválido: {qualified}"))
    }
}

/// NCName, XML 1.0 production 5 without the colon.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.as_bytes().iter().all(plain) {
        return true;
    }
    let mut characters = name.chars();
    characters.next().is_some_and(starts_name) && characters.all(continues_name)
}

fn starts_name(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

fn continues_name(character: char) -> bool {
    starts_name(character)
        || matches!(character, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// XML 1.0 production 2.
fn is_xml_character(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Refuses bytes that are no XML character. U+FFFE and U+FFFF are the only ones above ASCII, both EF BF BE/BF.
pub(super) fn refuse_characters(source: &str) -> Result<(), MalformedXml> {
    let suspicious = |byte: &u8| *byte == 0xEF || (*byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r'));
    // blocks without an early exit let the compiler compare many bytes at once
    let suspicious_block = |block: &[u8]| block.iter().fold(false, |found, byte| found | suspicious(byte));
    if !source.as_bytes().chunks(64).any(suspicious_block) {
        return Ok(());
    }
    match source.char_indices().find(|(_, character)| !is_xml_character(*character)) {
        Some((at, character)) => malformed(at, format!("caractere U+{:04X} não permitido", u32::from(character))),
        None => Ok(()),
    }
}

/// Refuses `a="1"b="2"`, which quick-xml accepts.
fn refuse_glued_attributes(raw: &str, from: usize) -> Result<(), MalformedXml> {
    let mut quote = None;
    let mut closed = false;
    for byte in raw.bytes() {
        if closed && !byte.is_ascii_whitespace() {
            return malformed(from, "falta espaço entre atributos");
        }
        closed = false;
        match quote {
            Some(open) if open == byte => (quote, closed) = (None, true),
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
    }
    Ok(())
}

/// quick-xml's error in Portuguese.
fn explain(error: &quick_xml::Error) -> Cow<'static, str> {
    use quick_xml::Error;
    use quick_xml::errors::IllFormedError;
    match error {
        Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
            format!("esperado o fechamento de <{expected}>, encontrado </{found}>").into()
        }
        Error::IllFormed(IllFormedError::UnmatchedEndTag(name)) => format!("</{name}> sem abertura").into(),
        Error::IllFormed(IllFormedError::MissingEndTag(name)) => format!("falta o fechamento de <{name}>").into(),
        Error::IllFormed(IllFormedError::DoubleHyphenInComment) => "comentário contém --".into(),
        Error::IllFormed(IllFormedError::UnclosedReference) => "& sem ponto e vírgula".into(),
        Error::Syntax(_) => "o documento termina dentro de uma marcação, ou a marcação é inválida".into(),
        Error::InvalidAttr(_) => "atributo mal escrito ou repetido".into(),
        Error::Escape(_) => "referência (&…;) inválida em valor de atributo".into(),
        Error::Namespace(_) => "declaração de namespace inválida".into(),
        other => format!("{other}").into(),
    }
}

fn position(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

pub(super) fn too_many(at: usize) -> Result<(), MalformedXml> {
    malformed(at, format!("mais de {PIECES} elementos, textos e atributos"))
}

/// Builds an error. The text is cut, because the fault may quote the whole document.
pub(super) fn malformed<T>(at: usize, why: impl Into<String>) -> Result<T, MalformedXml> {
    let mut why = why.into();
    if let Some((cut, _)) = why.char_indices().nth(WHY) {
        why.truncate(cut);
        why.push('…');
    }
    Err(MalformedXml { at, why })
}

impl Element {
    /// First child of this local name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children().find(|child| child.name == name)
    }
    /// All child elements.
    pub fn children(&self) -> impl Iterator<Item = &Element> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element.as_ref()),
            Node::Text(_) => None,
        })
    }
    /// Child by a path such as `protNFe/infProt/cStat`.
    pub fn at(&self, path: &str) -> Option<&Element> {
        path.split('/').try_fold(self, |element, name| element.child(name))
    }
    /// Trimmed text of the element at a path.
    pub fn text_at(&self, path: &str) -> Option<&str> {
        self.at(path).map(Element::text)
    }
    /// Trimmed text of this element (its first text node; empty when none).
    pub fn text(&self) -> &str {
        self.nodes
            .iter()
            .find_map(|node| match node {
                Node::Text(text) => Some(text.trim()),
                Node::Element(_) => None,
            })
            .unwrap_or("")
    }
    /// Value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
