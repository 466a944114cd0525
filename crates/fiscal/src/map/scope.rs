//! The objects in which the members of one official group are looked up.

use super::path::Path;
use super::place::Place;
use super::shape::Root;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Two or three objects.
type Layers<'a> = Vec<Layer<'a>>;

/// Objects that speak for one group, the strongest first.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    layers: Layers<'a>,
    /// Where a message says a member belongs that no layer has.
    home: Path,
}

/// One object.
#[derive(Debug, Clone)]
pub struct Layer<'a> {
    pub(super) object: &'a Map<String, Value>,
    pub(super) path: Path,
    pub(super) origin: Origin,
}

/// Whose object it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The caller's; unknown names in it are reported.
    Caller,
    /// The caller's, shared by several groups; its unknown names are reported once, by who knows all groups.
    Shared,
    /// The service's own.
    Service,
}

/// A value that was found.
#[derive(Debug, Clone)]
pub(super) struct Found<'a> {
    pub(super) value: &'a Value,
    pub(super) at: At,
    pub(super) origin: Origin,
}

/// Where a value stands.
#[derive(Debug, Clone)]
pub(super) struct At {
    object: Path,
    pub(super) name: &'static str,
}

impl<'a> Scope<'a> {
    /// A scope without objects yet.
    pub fn at(home: impl Into<Cow<'static, str>>) -> Scope<'a> {
        Scope { layers: Layers::new(), home: Path::Start(home.into()) }
    }
    /// Adds an object weaker than those before; its members' paths begin with `path`.
    pub fn with(
        mut self,
        object: &'a Map<String, Value>,
        path: impl Into<Cow<'static, str>>,
        origin: Origin,
    ) -> Scope<'a> {
        self.layers.push(Layer { object, path: Path::Start(path.into()), origin });
        self
    }
    /// Adds an object of the service stronger than all others.
    pub fn forced(mut self, object: &'a Map<String, Value>) -> Scope<'a> {
        self.layers.insert(0, Layer { object, path: self.home.clone(), origin: Origin::Service });
        self
    }
    /// Adds an object of the service weaker than all others.
    pub fn or(mut self, object: &'a Map<String, Value>) -> Scope<'a> {
        self.layers.push(Layer { object, path: self.home.clone(), origin: Origin::Service });
        self
    }
    /// The caller's own objects.
    pub(super) fn layers(&self) -> &[Layer<'a>] {
        &self.layers
    }
    /// Path for messages.
    pub fn home(&self) -> String {
        self.home.spelled()
    }
    /// Path of an absent member.
    pub(super) fn path_of(&self, name: &str) -> String {
        self.home.to(name)
    }
    /// The scope of a member group, for models that put their own layers around it.
    pub fn below(&self, place: Option<&'static Place>, tag: &'static str) -> Scope<'a> {
        self.child(place, tag)
    }
    /// Whether nobody speaks for the group.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }
    /// Whether an object has something under a name.
    pub fn has(&self, name: &str) -> bool {
        self.layers.iter().any(|layer| layer.object.get(name).is_some_and(|value| !is_empty(value)))
    }
    /// The text under a name, from the strongest object that has one.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.layers.iter().find_map(|layer| text_of(layer.object.get(name)?))
    }

    /// The caller's texts under a name with their paths, one from each object that has one.
    pub fn caller_texts(&self, name: &str) -> impl Iterator<Item = (String, &'a str)> {
        let own = self.layers.iter().filter(|layer| layer.origin != Origin::Service);
        own.filter_map(move |layer| Some((layer.path.to(name), text_of(layer.object.get(name)?)?)))
    }

    /// The value under a name and its path, from the strongest object that has one; whatever kind it is of.
    pub fn given(&self, name: &str) -> Option<(String, &'a Value)> {
        self.layers.iter().find_map(|layer| {
            let value = layer.object.get(name).filter(|value| !is_empty(value))?;
            Some((layer.path.to(name), value))
        })
    }

    /// Where a member is said otherwise than the service writes it, and how.
    pub fn otherwise(&self, name: &str, right: &str) -> Option<(String, Cow<'a, str>)> {
        let (campo, value) = self.given(name)?;
        let said = value.as_str().map_or_else(|| Cow::Owned(value.to_string()), |text| Cow::Borrowed(text.trim()));
        (said != right).then_some((campo, said))
    }

    /// The scope of a child group: objects under its names, and this one's when the place is flat.
    pub(super) fn child(&self, place: Option<&'static Place>, tag: &'static str) -> Scope<'a> {
        let mut layers = Layers::new();
        for (layer, name) in self.layers.iter().flat_map(|layer| names(place, tag).map(move |name| (layer, name))) {
            if let Some(value @ Value::Object(object)) = dig(layer.object, name)
                && !is_empty(value)
            {
                let origin = if layer.origin == Origin::Service { Origin::Service } else { Origin::Caller };
                layers.push(Layer { object, path: layer.path.below(name), origin });
            }
        }
        let home = layers.iter().find(|layer| layer.origin != Origin::Service).map(|layer| layer.path.clone());
        let flat = place.is_some_and(|place| place.flat);
        if flat {
            layers.extend(self.layers.iter().cloned());
        }
        let home = match home {
            Some(home) => home,
            None if flat => self.home.clone(),
            None => self.home.below(Place::name(place, tag)),
        };
        Scope { layers, home }
    }

    /// The scope of a child group that has no place.
    pub(super) fn child_named(&self, tag: &str) -> Scope<'a> {
        let mut child = Scope { layers: Layers::new(), home: Path::Start(self.path_of(tag).into()) };
        for layer in &self.layers {
            if let Some(Value::Object(object)) = layer.object.get(tag) {
                let path = Path::Start(layer.path.to(tag).into());
                child.layers.push(Layer { object, path, origin: layer.origin });
            }
        }
        child
    }

    /// The first value a member has.
    pub(super) fn find(&self, place: Option<&'static Place>, tag: &'static str) -> Option<Found<'a>> {
        self.every(place, tag).next()
    }

    /// All values a member has, the strongest first.
    pub(super) fn every(
        &self,
        place: Option<&'static Place>,
        tag: &'static str,
    ) -> impl Iterator<Item = Found<'a>> + use<'a, '_> {
        let keeps_empty = place.is_some_and(|place| place.keeps_empty);
        self.layers.iter().flat_map(move |layer| {
            names(place, tag).filter_map(move |name| {
                let value = dig(layer.object, name)?;
                let counts = !is_empty(value) || (keeps_empty && value.is_string());
                let at = || At { object: layer.path.clone(), name };
                let found = || Found { value, at: at(), origin: layer.origin };
                (counts && stands_for(tag, name, value)).then(found)
            })
        })
    }
}

/// A text or number as text; a blank text counts as absent.
fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text),
        Value::Number(number) => Some(number.as_str()),
        _ => None,
    }
}

impl<'a> Layer<'a> {
    /// As shapes compare it.
    pub(super) fn root(&self) -> Root<'a, '_> {
        Root { object: self.object, path: &self.path, origin: self.origin }
    }
}

impl At {
    /// Path of the value in the payload.
    pub(super) fn path(&self) -> String {
        self.object.to(self.name)
    }
}

/// Tag first: the official name always works.
pub(super) fn names(place: Option<&'static Place>, tag: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::once(tag).chain(place.map_or(&[][..], |place| place.names).iter().copied())
}

/// Looks a name up, or a path of names.
pub(super) fn dig<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    match name.split_once('/') {
        None => object.get(name),
        Some((outer, inner)) => dig(object.get(outer)?.as_object()?, inner),
    }
}

/// Null, blank texts and containers of nothing else say nothing.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.as_bytes().first().is_none_or(|byte| *byte <= b' ') && text.trim().is_empty(),
        Value::Array(elements) => elements.iter().all(is_empty),
        Value::Object(members) => members.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// `CNPJCPF` is a CNPJ or a CPF by its length; what is neither is refused as a CNPJ.
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

/// How many positions a document number has without its mask.
pub(super) fn positions(value: &Value) -> usize {
    let count = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).count();
    match value {
        Value::String(text) => count(text),
        Value::Number(number) => count(number.as_str()),
        _ => 0,
    }
}

/// Names that hold either document.
pub(super) const NEUTRAL: [&str; 3] = ["CNPJCPF", "cpf_cnpj", "CPFCNPJ"];
