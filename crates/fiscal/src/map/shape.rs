//! The shape of the objects behind one group: their names, in order, and the kind of each value, but not the values.

use super::path::PayloadPath;
use super::scope::{LayerOrigin, ScopeLayer, is_empty, positions};
use crate::xml::is_same;
use serde_json::{Map, Value};

/// Properties that must be equal for a plan to serve other objects.
#[derive(Debug, Default)]
pub(super) struct ObjectShape {
    roots: Vec<RootShape>,
    steps: Vec<ShapeStep>,
    /// Values that the structure depends on: selector codes, the length of a document number.
    pins: Vec<(usize, ValuePin)>,
}

/// An object behind a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapeRoot<'a, 'p> {
    pub(super) object: &'a Map<String, Value>,
    pub(super) path: &'p PayloadPath,
    pub(super) origin: LayerOrigin,
}

impl<'a> ScopeLayer<'a> {
    /// Root for the comparison of shapes.
    pub(super) fn root(&self) -> ShapeRoot<'a, '_> {
        ShapeRoot { object: self.object, path: &self.path, origin: self.origin }
    }
}

#[derive(Debug)]
struct RootShape {
    path: PayloadPath,
    origin: LayerOrigin,
    members: usize,
}

#[derive(Debug)]
struct ShapeStep {
    name: Box<str>,
    kind: StepKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepKind {
    Empty,
    /// An empty text, which some elements accept as a value.
    Blank,
    Scalar,
    Array,
    Object {
        members: usize,
    },
}

/// Property of a value that the structure depends on.
#[derive(Debug, Clone)]
pub(super) enum ValuePin {
    /// The whole value.
    Value(Value),
    /// Number of characters.
    Positions(usize),
    /// True when the value must be zero.
    Zero(bool),
}

impl ObjectShape {
    /// Returns the shape of objects. Fills `values` in the order of the shape.
    pub(super) fn of<'a>(roots: &[ShapeRoot<'a, '_>], values: &mut Vec<&'a Value>) -> ObjectShape {
        let mut shape = ObjectShape::default();
        values.clear();
        for ShapeRoot { object, path, origin } in roots {
            shape.roots.push(RootShape { path: (*path).clone(), origin: *origin, members: object.len() });
            shape.collect(object, values);
        }
        shape
    }
    /// True when the shape is small enough to be cached.
    pub(super) fn is_memorable(&self) -> bool {
        const MOST_STEPS: usize = 600;
        self.steps.len() <= MOST_STEPS
    }
    /// Makes the shape depend on a value.
    pub(super) fn pin(&mut self, slot: usize, pin: ValuePin) {
        self.pins.push((slot, pin));
    }

    fn collect<'a>(&mut self, object: &'a Map<String, Value>, values: &mut Vec<&'a Value>) {
        for (name, value) in object {
            self.steps.push(ShapeStep { name: name.as_str().into(), kind: kind(value) });
            values.push(value);
            if let Value::Object(members) = value {
                self.collect(members, values);
            }
        }
    }

    /// True when objects have this shape. Collects their values on the way.
    pub(super) fn fits<'a>(&self, roots: &[ShapeRoot<'a, '_>], values: &mut Vec<&'a Value>) -> bool {
        values.clear();
        let same = |(root, shape): (&ShapeRoot<'a, '_>, &RootShape)| {
            root.object.len() == shape.members && root.origin == shape.origin && *root.path == shape.path
        };
        roots.len() == self.roots.len()
            && roots.iter().zip(&self.roots).all(same)
            && roots.iter().all(|root| self.walk(root.object, values))
            && values.len() == self.steps.len()
            && self.pins.iter().all(|(slot, pin)| values.get(*slot).is_some_and(|value| pin.holds(value)))
    }

    fn walk<'a>(&self, object: &'a Map<String, Value>, values: &mut Vec<&'a Value>) -> bool {
        for (name, value) in object {
            let Some(step) = self.steps.get(values.len()) else { return false };
            if !is_same(&step.name, name) || !step.kind.is_of(value) {
                return false;
            }
            values.push(value);
            if let Value::Object(members) = value
                && !self.walk(members, values)
            {
                return false;
            }
        }
        true
    }
}

impl StepKind {
    /// True when a value is of this kind. Checks the common kinds first.
    #[inline]
    fn is_of(self, value: &Value) -> bool {
        match (self, value) {
            (StepKind::Scalar, Value::Number(_)) => true,
            (StepKind::Scalar, Value::String(text)) if text.as_bytes().first().is_some_and(|byte| *byte > b' ') => true,
            _ => self == kind(value),
        }
    }
}

impl ValuePin {
    fn holds(&self, value: &Value) -> bool {
        match self {
            ValuePin::Value(pinned) => is_equal(pinned, value),
            ValuePin::Positions(count) => positions(value) == *count,
            ValuePin::Zero(zero) => is_zero(value) == *zero,
        }
    }
}

/// Compares two values. Codes are short texts and are compared as names are.
#[inline]
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => is_same(one, other),
        (Value::Number(one), Value::Number(other)) => is_same(one.as_str(), other.as_str()),
        _ => one == other,
    }
}

/// True when a value is a number equal to zero.
pub(super) fn is_zero(value: &Value) -> bool {
    let zero = |text: &str| {
        text.bytes().any(|byte| byte == b'0') && text.trim().bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-'))
    };
    match value {
        Value::String(text) => zero(text),
        Value::Number(number) => zero(number.as_str()),
        _ => false,
    }
}

fn kind(value: &Value) -> StepKind {
    match value {
        Value::String(_) if is_empty(value) => StepKind::Blank,
        _ if is_empty(value) => StepKind::Empty,
        Value::Object(members) => StepKind::Object { members: members.len() },
        Value::Array(_) => StepKind::Array,
        _ => StepKind::Scalar,
    }
}
