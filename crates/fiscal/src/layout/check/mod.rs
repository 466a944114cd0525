//! The checker: a read document against its layout, all faults at once.
//!
//! Law: XML Schema 1.0 part 1, 3.4.4 and 3.3.4 (content of an element), 3.2.4 (attributes), 3.11 (`xs:unique`). Must
//! not know any business rule. The result equals libxml2's, which `tests/agreement` proves; the remaining differences
//! are listed there.

mod model;
mod repeats;
mod text;
mod value;

use std::collections::HashSet;
use std::fmt::Write as _;

use super::nearest::nearest;
use super::schema::{Attribute, Complex, ContentModel, Element, Layout, Simple, XMLDSIG};
use crate::xml::{self, ElementView, FlatDocument};

/// Most faults of one document. A hostile document could cause millions.
const MOST_FAULTS: usize = 1_000;

const XSI: &str = "{http://www.w3.org/2001/XMLSchema-instance}";

/// A difference between a document and its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutFault {
    /// Path of tags below the root with occurrence indexes, e.g. `infNFe/det[0]/prod/vProd` (indexes from 0, only on
    /// repeatable elements); an attribute ends it as `infNFe/@Id`. A fault of the root itself has the root's tag as its
    /// path.
    pub path: String,
    pub kind: FaultKind,
    /// Complete sentence in Portuguese, with the expectation.
    pub message: String,
}

/// Kinds that a caller distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    Missing,
    Unexpected,
    Value,
    Attribute,
    Namespace,
}

/// Checks a whole document. The result is empty when libxml2 with the official XSD accepts it.
pub fn check(layout: &Layout, document: &xml::Element) -> Vec<LayoutFault> {
    check_in(layout, layout.namespace, document)
}

/// Checks a document whose elements are in another namespace than the layout's, a provider's own.
pub fn check_in(layout: &Layout, namespace: &str, document: &xml::Element) -> Vec<LayoutFault> {
    check_view(layout, namespace, FlatDocument::of(document).root())
}

/// Checks a document that is already an `ElementView`.
pub fn check_view(layout: &Layout, namespace: &str, document: ElementView<'_>) -> Vec<LayoutFault> {
    let root = layout.root;
    let mut checker = Checker { faults: Vec::new(), path: Vec::new(), ids: HashSet::new(), namespace, record: None };
    if document.name() != root.name {
        let message = format!("O elemento raiz é {}; esperado {}.", document.name(), root.name);
        return vec![LayoutFault { path: document.name().to_owned(), kind: FaultKind::Unexpected, message }];
    }
    checker.element(root, document);
    let mut faults = checker.faults;
    for fault in faults.iter_mut().filter(|fault| fault.path.is_empty()) {
        fault.path.push_str(root.name);
    }
    faults
}

/// Checks a value against a simple type, as inside of a document. `Err` holds the fault in Portuguese.
pub fn check_value(simple: &Simple, text: &str) -> Result<(), String> {
    value::check(simple, text).map(drop)
}

/// A document under check.
struct Checker<'d> {
    faults: Vec<LayoutFault>,
    /// Steps from below the root to the element under check.
    path: Vec<PathStep>,
    /// Values of `xs:ID` seen so far.
    ids: HashSet<String>,
    /// Namespace that the element under check must have. After a fault the document's own namespace is followed, so
    /// that an error at the top is reported once.
    namespace: &'d str,
    /// Record of a repeated element under check, reused for its next occurrences.
    record: Option<repeats::ElementRecord<'d>>,
}

/// A tag, with its index when it can repeat.
#[derive(Clone, Copy)]
struct PathStep {
    name: &'static str,
    index: Option<u32>,
}

impl<'d> Checker<'d> {
    /// Checks an element whose tag is the declared one.
    fn element(&mut self, declared: &'static Element, element: ElementView<'d>) {
        let outer = self.namespace;
        if matches!(declared.kind, ContentModel::Foreign(_)) {
            self.mark_unrepeatable();
            self.namespace = XMLDSIG;
        }
        self.namespace_of(element);
        match declared.kind {
            ContentModel::Leaf(simple) => self.leaf(simple, element),
            ContentModel::Group(complex) | ContentModel::Foreign(complex) => self.group(complex, element),
        }
        if let Some(attribute) = declared.unique {
            self.mark_unrepeatable();
            self.unique(attribute, element);
        }
        self.namespace = outer;
    }

    /// Checks the attributes of an element whose tag is the declared one.
    fn own_attributes(&mut self, declared: &'static Element, element: ElementView<'d>) {
        match declared.kind {
            ContentModel::Leaf(_) => self.attributes(&[], false, element),
            ContentModel::Group(complex) | ContentModel::Foreign(complex) => {
                self.attributes(complex.attributes, complex.any_attribute, element);
            }
        }
    }

    /// Most elements inherit the namespace of the one around them, so the pointers are compared before the texts.
    fn namespace_of(&mut self, element: ElementView<'d>) {
        let own = element.namespace();
        if std::ptr::eq(own, self.namespace) {
            return;
        }
        if own != self.namespace {
            self.fault(FaultKind::Namespace, format!("Namespace {own:?}; esperado {:?}.", self.namespace));
        }
        self.namespace = own;
    }

    fn leaf(&mut self, simple: &'static Simple, element: ElementView<'d>) {
        self.attributes(&[], false, element);
        self.text(simple, element);
    }

    fn group(&mut self, complex: &'static Complex, element: ElementView<'d>) {
        self.attributes(complex.attributes, complex.any_attribute, element);
        match (&complex.content, complex.text) {
            (Some(content), _) => {
                self.refuse_text(element, |text| {
                    !text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
                });
                self.children(content, element);
            }
            (None, Some(simple)) => self.text(simple, element),
            (None, None) => {
                self.refuse_text(element, |text| !text.is_empty());
                self.refuse_children(element);
            }
        }
    }

    fn text(&mut self, simple: &'static Simple, element: ElementView<'d>) {
        self.refuse_children(element);
        // an element with children has its fault already
        let Some(text) = element.only_text() else { return };
        self.record_value(simple, element);
        match value::check(simple, text) {
            Ok(value) => self.remember_id(simple, &value, None),
            Err(message) => self.fault(FaultKind::Value, message),
        }
    }

    fn attributes(&mut self, declared: &'static [Attribute], any: bool, element: ElementView<'d>) {
        for attribute in declared {
            match element.attribute(attribute.name) {
                Some(text) => self.attribute(attribute, text),
                None if attribute.required => {
                    self.attribute_fault(attribute.name, format!("Falta o atributo {}.", attribute.name));
                }
                None => {}
            }
        }
        for (name, _) in element.attributes() {
            let location = name.strip_prefix(XSI);
            let known = declared.iter().any(|attribute| attribute.name == name)
                || matches!(location, Some("schemaLocation" | "noNamespaceSchemaLocation"));
            // xsi:type and xsi:nil change the check; no official document has them, so they are refused
            if !known && (!any || location.is_some()) {
                let hint = text::suggestion(nearest(name, declared.iter().map(|attribute| attribute.name)));
                self.attribute_fault(name, format!("O atributo {name} não existe aqui{hint}."));
            }
        }
    }

    fn attribute(&mut self, attribute: &'static Attribute, text: &str) {
        match value::check(attribute.simple, text) {
            Ok(value) if attribute.fixed.is_some_and(|fixed| fixed != value) => {
                let fixed = attribute.fixed.unwrap_or_default();
                self.attribute_fault(
                    attribute.name,
                    format!("Valor {}; o único aceito é \"{fixed}\".", text::quoted(text)),
                );
            }
            Ok(value) => self.remember_id(attribute.simple, &value, Some(attribute.name)),
            Err(message) => self.attribute_fault(attribute.name, message),
        }
    }

    fn remember_id(&mut self, simple: &Simple, value: &str, attribute: Option<&str>) {
        if simple.base == super::Base::Id && !self.ids.insert(value.to_owned()) {
            let message = format!("O identificador {} já foi usado neste documento.", text::quoted(value));
            match attribute {
                Some(name) => self.attribute_fault(name, message),
                None => self.fault(FaultKind::Value, message),
            }
        }
    }

    /// `xs:unique` over the children.
    fn unique(&mut self, attribute: &'static str, element: ElementView<'d>) {
        let mut seen = HashSet::new();
        for child in element.children() {
            let Some(value) = child.attribute(attribute).map(str::trim) else { continue };
            if !seen.insert(value) {
                let message =
                    format!("O atributo {attribute} de {} repete o valor {}.", child.name(), text::quoted(value));
                self.fault(FaultKind::Attribute, message);
            }
        }
    }

    fn refuse_text(&mut self, element: ElementView<'_>, wrong: impl Fn(&str) -> bool) {
        if let Some(text) = element.texts().find(|text| wrong(text)) {
            let message = format!("{} não contém texto, e aqui há {}.", element.name(), text::quoted(text.trim()));
            self.fault(FaultKind::Value, message);
        }
    }

    fn refuse_children(&mut self, element: ElementView<'d>) {
        for child in element.children() {
            self.fault_below(
                child.name(),
                FaultKind::Unexpected,
                format!("{} não contém outros elementos.", element.name()),
            );
        }
    }

    fn fault(&mut self, kind: FaultKind, message: String) {
        self.push(None, kind, message);
    }

    fn fault_below(&mut self, name: &str, kind: FaultKind, message: String) {
        self.push(Some(name), kind, message);
    }

    fn attribute_fault(&mut self, name: &str, message: String) {
        self.push(Some(&format!("@{name}")), FaultKind::Attribute, message);
    }

    fn push(&mut self, last: Option<&str>, kind: FaultKind, message: String) {
        if !self.is_full() {
            let path = self.path_of(last);
            self.faults.push(LayoutFault { path, kind, message });
        }
    }

    /// True when no more faults are collected.
    fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    fn path_of(&self, last: Option<&str>) -> String {
        let mut path = String::new();
        for step in &self.path {
            let slash = if path.is_empty() { "" } else { "/" };
            let _ = match step.index {
                Some(index) => write!(path, "{slash}{}[{index}]", step.name),
                None => write!(path, "{slash}{}", step.name),
            };
        }
        if let Some(last) = last {
            if !path.is_empty() {
                path.push('/');
            }
            path.push_str(last);
        }
        path
    }
}
