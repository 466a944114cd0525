//! Lookup of the members of one official group in the objects behind it.

use super::mapping::ElementMapping;
use super::path::PayloadPath;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Usually two or three objects.
type LayerList<'a> = Vec<ScopeLayer<'a>>;

/// Objects behind one group, the strongest first.
#[derive(Debug, Clone)]
pub struct GroupScope<'a> {
    layers: LayerList<'a>,
    /// Path under which messages name a member that no layer has.
    home: PayloadPath,
}

/// An object of a scope.
#[derive(Debug, Clone)]
pub struct ScopeLayer<'a> {
    pub(super) object: &'a Map<String, Value>,
    pub(super) path: PayloadPath,
    pub(super) origin: LayerOrigin,
}

/// Source of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerOrigin {
    /// The caller. Unknown names are reported.
    Caller,
    /// The caller, for several groups at once. Unknown names are reported once, by the code that knows all the groups.
    Shared,
    /// The service.
    Service,
}

/// A value found in a scope.
#[derive(Debug, Clone)]
pub(super) struct FoundValue<'a> {
    pub(super) value: &'a Value,
    pub(super) at: ValueLocation,
    pub(super) origin: LayerOrigin,
}

/// Location of a value in the payload.
#[derive(Debug, Clone)]
pub(super) struct ValueLocation {
    object: PayloadPath,
    pub(super) name: &'static str,
}

impl<'a> GroupScope<'a> {
    /// Creates a scope without objects.
    pub fn at(home: impl Into<Cow<'static, str>>) -> GroupScope<'a> {
        GroupScope { layers: LayerList::new(), home: PayloadPath::Start(home.into()) }
    }
    /// Adds an object weaker than those before. The paths of its members begin with `path`.
    pub fn with(
        mut self,
        object: &'a Map<String, Value>,
        path: impl Into<Cow<'static, str>>,
        origin: LayerOrigin,
    ) -> GroupScope<'a> {
        self.layers.push(ScopeLayer { object, path: PayloadPath::Start(path.into()), origin });
        self
    }
    /// Adds an object of the service stronger than all others.
    pub fn forced(mut self, object: &'a Map<String, Value>) -> GroupScope<'a> {
        self.layers.insert(0, ScopeLayer { object, path: self.home.clone(), origin: LayerOrigin::Service });
        self
    }
    /// Adds an object of the service weaker than all others.
    pub fn or(mut self, object: &'a Map<String, Value>) -> GroupScope<'a> {
        self.layers.push(ScopeLayer { object, path: self.home.clone(), origin: LayerOrigin::Service });
        self
    }
    /// Objects of the scope, the strongest first.
    pub(super) fn layers(&self) -> &[ScopeLayer<'a>] {
        &self.layers
    }
    /// Path of the group for messages.
    pub fn base_path(&self) -> String {
        self.home.spelled()
    }
    /// Path of an absent member, for messages.
    pub(super) fn path_of(&self, name: &str) -> String {
        self.home.to(name)
    }
    /// Returns the scope of a member group, for models that add their own layers.
    pub fn below(&self, place: Option<&'static ElementMapping>, tag: &'static str) -> GroupScope<'a> {
        self.child(place, tag)
    }
    /// True when no object stands behind the group.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }
    /// True when an object has a value under a name.
    pub fn has(&self, name: &str) -> bool {
        self.layers.iter().any(|layer| layer.object.get(name).is_some_and(|value| !is_empty(value)))
    }
    /// Returns the text under a name, from the strongest object that has one.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.layers.iter().find_map(|layer| text_of(layer.object.get(name)?))
    }

    /// Returns the caller's texts under a name with their paths, one from each object that has one.
    pub fn caller_texts(&self, name: &str) -> impl Iterator<Item = (String, &'a str)> {
        let own = self.layers.iter().filter(|layer| layer.origin != LayerOrigin::Service);
        own.filter_map(move |layer| Some((layer.path.to(name), text_of(layer.object.get(name)?)?)))
    }

    /// Returns the value of any kind under a name and its path, from the strongest object that has one.
    pub fn given(&self, name: &str) -> Option<(String, &'a Value)> {
        self.layers.iter().find_map(|layer| {
            let value = layer.object.get(name).filter(|value| !is_empty(value))?;
            Some((layer.path.to(name), value))
        })
    }

    /// Returns path and value of a member that differs from the value the service writes.
    pub fn differing_value(&self, name: &str, right: &str) -> Option<(String, Cow<'a, str>)> {
        let (campo, value) = self.given(name)?;
        let said = value.as_str().map_or_else(|| Cow::Owned(value.to_string()), |text| Cow::Borrowed(text.trim()));
        (said != right).then_some((campo, said))
    }

    /// Returns the scope of a child group: the objects under its names, and the objects of this scope when the mapping
    /// is flat.
    pub(super) fn child(&self, place: Option<&'static ElementMapping>, tag: &'static str) -> GroupScope<'a> {
        let mut layers = LayerList::new();
        for (layer, name) in self.layers.iter().flat_map(|layer| names(place, tag).map(move |name| (layer, name))) {
            if let Some(value @ Value::Object(object)) = value_at(layer.object, name)
                && !is_empty(value)
            {
                let origin =
                    if layer.origin == LayerOrigin::Service { LayerOrigin::Service } else { LayerOrigin::Caller };
                layers.push(ScopeLayer { object, path: layer.path.below(name), origin });
            }
        }
        let home = layers.iter().find(|layer| layer.origin != LayerOrigin::Service).map(|layer| layer.path.clone());
        let flat = place.is_some_and(|place| place.flat);
        if flat {
            layers.extend(self.layers.iter().cloned());
        }
        let home = match home {
            Some(home) => home,
            None if flat => self.home.clone(),
            None => self.home.below(ElementMapping::name(place, tag)),
        };
        GroupScope { layers, home }
    }

    /// Returns the scope of a child group without a mapping.
    pub(super) fn child_named(&self, tag: &str) -> GroupScope<'a> {
        let mut child = GroupScope { layers: LayerList::new(), home: PayloadPath::Start(self.path_of(tag).into()) };
        for layer in &self.layers {
            if let Some(Value::Object(object)) = layer.object.get(tag) {
                let path = PayloadPath::Start(layer.path.to(tag).into());
                child.layers.push(ScopeLayer { object, path, origin: layer.origin });
            }
        }
        child
    }

    /// Returns the strongest value of a member.
    pub(super) fn find(&self, place: Option<&'static ElementMapping>, tag: &'static str) -> Option<FoundValue<'a>> {
        self.all_values(place, tag).next()
    }

    /// Returns all values of a member, the strongest first.
    pub(super) fn all_values(
        &self,
        place: Option<&'static ElementMapping>,
        tag: &'static str,
    ) -> impl Iterator<Item = FoundValue<'a>> + use<'a, '_> {
        let keeps_empty = place.is_some_and(|place| place.keeps_empty);
        self.layers.iter().flat_map(move |layer| {
            names(place, tag).filter_map(move |name| {
                let value = value_at(layer.object, name)?;
                let counts = !is_empty(value) || (keeps_empty && value.is_string());
                let at = || ValueLocation { object: layer.path.clone(), name };
                let found = || FoundValue { value, at: at(), origin: layer.origin };
                (counts && stands_for(tag, name, value)).then(found)
            })
        })
    }
}

/// Returns the text of a text or number; a blank text counts as absent.
fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text),
        Value::Number(number) => Some(number.as_str()),
        _ => None,
    }
}

impl ValueLocation {
    pub(super) fn path(&self) -> String {
        self.object.to(self.name)
    }
}

/// Returns the names of an element, the official tag first.
pub(super) fn names(place: Option<&'static ElementMapping>, tag: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::once(tag).chain(place.map_or(&[][..], |place| place.names).iter().copied())
}

/// Looks up a name, or a path of names.
pub(super) fn value_at<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    match name.split_once('/') {
        None => object.get(name),
        Some((outer, inner)) => value_at(object.get(outer)?.as_object()?, inner),
    }
}

/// True for null, blank texts, and containers of only such values: they count as absent.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.as_bytes().first().is_none_or(|byte| *byte <= b' ') && text.trim().is_empty(),
        Value::Array(elements) => elements.iter().all(is_empty),
        Value::Object(members) => members.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// True when a name stands for a tag. `CNPJCPF` is a CNPJ or a CPF by its length; any other length is refused as a
/// CNPJ.
fn stands_for(tag: &str, name: &str, value: &Value) -> bool {
    if !NEUTRAL.contains(&name) {
        return true;
    }
    let positions = positions(value);
    match tag {
        "CPF" => positions == 11,
        _ => positions != 11,
    }
}

/// Number of characters of a document number without its mask.
pub(super) fn positions(value: &Value) -> usize {
    let count = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).count();
    match value {
        Value::String(text) => count(text),
        Value::Number(number) => count(number.as_str()),
        _ => 0,
    }
}

/// Names that hold either a CNPJ or a CPF.
pub(super) const NEUTRAL: [&str; 3] = ["CNPJCPF", "cpf_cnpj", "CPFCNPJ"];
