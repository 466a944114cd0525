//! XSD files as trees, and the names they declare.
//!
//! Law: XML Schema 1.0 part 1. Only the constructs of the official schemas are understood; any other is an error, never
//! skipped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

const XSD: &str = "http://www.w3.org/2001/XMLSchema";

/// An element of a schema file.
#[derive(Debug)]
pub(super) struct SchemaNode {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Rc<SchemaNode>>,
    pub(super) text: String,
    pub(super) file: Rc<Path>,
    /// Byte position in the file right behind the start tag.
    pub(super) inside: usize,
    /// Byte position right behind the end tag.
    pub(super) behind: usize,
    /// Prefixes declared at the root of the file, and the namespace of unprefixed names in values.
    scope: Rc<BTreeMap<String, String>>,
}

impl SchemaNode {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn required(&self, name: &str) -> Result<&str> {
        self.attribute(name).with_context(|| format!("<{}> without {name}", self.name))
    }

    /// Returns the children except annotations.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Rc<SchemaNode>> {
        self.children.iter().filter(|child| child.name != "annotation")
    }

    pub(super) fn part(&self, name: &str) -> Option<&Rc<SchemaNode>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Resolves the QName in an attribute.
    pub(super) fn reference(&self, attribute: &str) -> Result<Option<QName>> {
        let Some(value) = self.attribute(attribute) else { return Ok(None) };
        let (prefix, local) = value.split_once(':').unwrap_or(("", value));
        let namespace = self.scope.get(prefix).with_context(|| format!("prefix of {value} is not declared"))?;
        Ok(Some(if namespace == XSD {
            QName::BuiltIn(local.to_owned())
        } else {
            QName::Declared(namespace.clone(), local.to_owned())
        }))
    }

    /// Returns the normalised content: without remarks, default values and the order of attributes.
    pub(super) fn shape(&self) -> String {
        let by_default = |key: &str, value: &str| matches!(key, "minOccurs" | "maxOccurs") && value == "1";
        // `fixed` on a facet does not restrict the value
        let told = |(key, value): &&(String, String)| !by_default(key, value.trim()) && key != "fixed";
        let local = |key: &str, value: &str| match key {
            "type" | "ref" | "base" => value.trim().rsplit(':').next().unwrap_or_default().to_owned(),
            _ => value.trim().to_owned(),
        };
        let mut attributes: Vec<_> =
            self.attributes.iter().filter(told).map(|(key, value)| (key.as_str(), local(key, value))).collect();
        attributes.sort_unstable();
        let parts: Vec<String> = self.parts().map(|part| part.shape()).collect();
        format!("{}{attributes:?}[{}]", self.name, parts.join(","))
    }

    /// Returns the first annotation on one line.
    pub(super) fn doc(&self) -> String {
        let documentation = self.part("annotation").and_then(|annotation| annotation.part("documentation"));
        let words: Vec<&str> = documentation.map(|node| node.text.split_whitespace().collect()).unwrap_or_default();
        words.join(" ")
    }
}

/// The target of a QName.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum QName {
    BuiltIn(String),
    Declared(String, String),
}

/// The declarations reachable from one file.
#[derive(Default)]
pub(super) struct SchemaSet {
    loaded: Vec<PathBuf>,
    elements: BTreeMap<QName, Rc<SchemaNode>>,
    types: BTreeMap<QName, Rc<SchemaNode>>,
}

impl SchemaSet {
    pub(super) fn load(file: &Path) -> Result<SchemaSet> {
        let mut set = SchemaSet::default();
        set.add(file, None)?;
        Ok(set)
    }

    /// Reads a file without its includes and imports.
    pub(super) fn single_file(file: &Path) -> Result<SchemaSet> {
        let mut set = SchemaSet::default();
        let (schema, namespace) = parse(file, None).with_context(|| file.display().to_string())?;
        for part in schema.parts() {
            let named =
                || Ok::<_, anyhow::Error>(QName::Declared(namespace.clone(), part.required("name")?.to_owned()));
            match part.name.as_str() {
                "element" => drop(set.elements.insert(named()?, Rc::clone(part))),
                "complexType" | "simpleType" => drop(set.types.insert(named()?, Rc::clone(part))),
                _ => {}
            }
        }
        Ok(set)
    }

    /// Returns every definition by its kind and local name.
    pub(super) fn definitions(&self) -> BTreeMap<(&str, &str), &Rc<SchemaNode>> {
        let both = self.elements.iter().chain(&self.types);
        both.filter_map(|(name, node)| match name {
            QName::BuiltIn(_) => None,
            QName::Declared(_, local) => Some(((node.name.as_str(), local.as_str()), node)),
        })
        .collect()
    }

    pub(super) fn element(&self, name: &QName) -> Result<&Rc<SchemaNode>> {
        self.elements.get(name).with_context(|| format!("element {name:?} is not declared"))
    }

    pub(super) fn r#type(&self, name: &QName) -> Result<&Rc<SchemaNode>> {
        self.types.get(name).with_context(|| format!("type {name:?} is not declared"))
    }

    /// Adds a file. `including` is the namespace of the including file: a schema without its own takes it over.
    fn add(&mut self, file: &Path, including: Option<&str>) -> Result<()> {
        if self.loaded.iter().any(|loaded| loaded == file) {
            return Ok(());
        }
        self.loaded.push(file.to_owned());
        let (schema, namespace) = parse(file, including).with_context(|| file.display().to_string())?;
        let folder = file.parent().context("a file without folder")?;
        for part in schema.parts() {
            let named =
                || Ok::<_, anyhow::Error>(QName::Declared(namespace.clone(), part.required("name")?.to_owned()));
            match part.name.as_str() {
                "include" => self.add(&folder.join(part.required("schemaLocation")?), Some(&namespace))?,
                "import" => self.add(&folder.join(part.required("schemaLocation")?), None)?,
                "element" => drop(self.elements.insert(named()?, Rc::clone(part))),
                "complexType" | "simpleType" => drop(self.types.insert(named()?, Rc::clone(part))),
                other => bail!("{}: <{other}> is not understood", file.display()),
            }
        }
        Ok(())
    }
}

/// Reads a file; returns its root and target namespace.
fn parse(file: &Path, including: Option<&str>) -> Result<(Rc<SchemaNode>, String)> {
    let text = fs::read_to_string(file)?;
    let file: Rc<Path> = Rc::from(file);
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().expand_empty_elements = true;
    let mut open: Vec<SchemaNode> = Vec::new();
    let (mut scope, mut target) = (Rc::new(BTreeMap::new()), String::new());
    loop {
        match reader.read_event()? {
            Event::Start(tag) => {
                let attributes = attributes(&tag)?;
                if open.is_empty() {
                    target = find(&attributes, "targetNamespace")
                        .or(including)
                        .context("a schema without namespace")?
                        .to_owned();
                    ensure!(find(&attributes, "elementFormDefault") == Some("qualified"), "elements must be qualified");
                    scope = Rc::new(declared(&attributes, &target));
                }
                let name = tag.local_name().into_inner().to_owned();
                open.push(SchemaNode {
                    name,
                    attributes,
                    children: Vec::new(),
                    text: String::new(),
                    file: Rc::clone(&file),
                    inside: position(&reader)?,
                    behind: 0,
                    scope: Rc::clone(&scope),
                });
            }
            Event::End(_) => {
                let mut node = open.pop().context("an end tag too many")?;
                node.behind = position(&reader)?;
                let node = Rc::new(node);
                match open.last_mut() {
                    Some(parent) => parent.children.push(node),
                    None => return Ok((node, target)),
                }
            }
            Event::Text(piece) => push_text(&mut open, &piece),
            Event::CData(piece) => push_text(&mut open, &piece),
            Event::GeneralRef(reference) => match (&*reference, reference.resolve_char_ref()?) {
                (_, Some(character)) => push_text(&mut open, character.encode_utf8(&mut [0; 4])),
                ("amp", _) => push_text(&mut open, "&"),
                ("lt", _) => push_text(&mut open, "<"),
                ("gt", _) => push_text(&mut open, ">"),
                ("quot", _) => push_text(&mut open, "\""),
                ("apos", _) => push_text(&mut open, "'"),
                (other, _) => bail!("entity {other}"),
            },
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            other => bail!("unexpected {other:?}"),
        }
    }
}

/// Returns the byte position of the reader.
fn position(reader: &Reader<&[u8]>) -> Result<usize> {
    usize::try_from(reader.buffer_position()).map_err(Into::into)
}

fn push_text(open: &mut [SchemaNode], piece: &str) {
    if let Some(node) = open.last_mut() {
        node.text.push_str(piece);
    }
}

fn attributes(tag: &BytesStart) -> Result<Vec<(String, String)>> {
    tag.attributes()
        .map(|attribute| {
            let attribute = attribute?;
            let value = attribute.normalized_value(XmlVersion::Explicit1_0)?.into_owned();
            Ok((attribute.key.into_inner().to_owned(), value))
        })
        .collect()
}

fn find<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn declared(attributes: &[(String, String)], target: &str) -> BTreeMap<String, String> {
    let mut scope = BTreeMap::from([(String::new(), target.to_owned())]);
    for (key, value) in attributes {
        if key == "xmlns" {
            scope.insert(String::new(), value.clone());
        } else if let Some(prefix) = key.strip_prefix("xmlns:") {
            scope.insert(prefix.to_owned(), value.clone());
        }
    }
    scope
}
