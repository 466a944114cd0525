//! Plans: operations that write the objects of one shape. A plan is compiled once from the layout, the map and the
//! first such object; afterwards only values are read. The 990 items of a document usually need one plan.

use super::format::LeafFormat;
use super::mapping::ElementMapping;
use super::scope::ValueLocation;
use super::shape::ObjectShape;
use crate::finding::{Notice, Violation};
use crate::layout::Element;
use crate::xml::push_number;
use serde_json::Value;

/// Operations to run, in order.
pub(super) struct WritePlan {
    /// Shape of the objects that this plan serves; `None` for a plan used once.
    pub(super) shape: Option<ObjectShape>,
    pub(super) ops: Vec<PlanOperation>,
    /// Notices about the structure, with paths relative to the object.
    pub(super) notices: Vec<Notice>,
    /// Violations of the structure, with paths relative to the object.
    pub(super) violations: Vec<Violation>,
    /// False when notices were cut off. Such a plan is not cached.
    pub(super) is_whole: bool,
}

impl Default for WritePlan {
    fn default() -> WritePlan {
        WritePlan { shape: None, ops: Vec::new(), notices: Vec::new(), violations: Vec::new(), is_whole: true }
    }
}

pub(super) enum PlanOperation {
    /// Tags and constants, already escaped.
    Raw(Box<str>),
    /// A value of the object.
    Leaf(LeafOp),
    /// A repeated element.
    Array(ArrayOp),
    /// Position in the array, from 1.
    Index,
    /// The caller's position; a notice when it differs from the real one.
    Counted { slot: usize, at: ValueLocation },
    /// Sum of parts, as an element.
    Sum { parts: &'static [u8], format: LeafFormat },
    /// Values that must be equal.
    Agree { first: usize, others: Vec<(usize, ValueLocation)> },
    /// A constant that is added to a sum.
    Set { part: u8, value: i64 },
    /// Start of a group that may turn out empty.
    Begin,
    /// End of such a group. An empty one is removed.
    End { tag: &'static str },
}

pub(super) struct LeafOp {
    /// Tags and constants before the element.
    pub(super) before: Box<str>,
    /// Tags of an element that vanishes with its value. Otherwise the tags are part of the constants around it.
    pub(super) tags: Option<(Box<str>, Box<str>)>,
    /// Slot of the value among those of the object.
    pub(super) slot: usize,
    pub(super) format: LeafFormat,
    pub(super) optional: bool,
    pub(super) part: Option<u8>,
    /// An attribute: no tags, quotes escaped.
    pub(super) attribute: bool,
    /// Relative to the object.
    pub(super) at: ValueLocation,
}

/// A repeated element of a plan.
pub(super) struct ArrayOp {
    pub(super) element: &'static Element,
    /// `maxOccurs`.
    pub(super) most: u32,
    pub(super) place: Option<&'static ElementMapping>,
    /// Slot of the array among the values of the object.
    pub(super) slot: usize,
    /// Relative to the object.
    pub(super) at: ValueLocation,
}

/// Object that a plan is applied to.
pub(super) struct PlanTarget<'a, 'v> {
    pub(super) values: &'v [&'a Value],
    pub(super) position: ObjectPosition<'v>,
}

/// Position of an object, formatted only for messages.
#[derive(Debug, Clone, Copy)]
pub enum ObjectPosition<'p> {
    /// At a path. Empty when the plan's paths are absolute.
    At(&'p str),
    /// In the array at a path, counted from 0.
    In(&'p str, usize),
}

impl ObjectPosition<'_> {
    /// Index from 0; a single object has 0.
    pub(super) fn index(self) -> usize {
        match self {
            ObjectPosition::At(_) => 0,
            ObjectPosition::In(_, index) => index,
        }
    }
    /// Makes a path relative to the object absolute. Allocates once: a large document has thousands of notices.
    pub(super) fn path(self, relative: &str) -> String {
        let own = match self {
            ObjectPosition::At(path) | ObjectPosition::In(path, _) => path,
        };
        let mut path = String::with_capacity(own.len() + MOST_DIGITS + relative.len() + 3);
        path.push_str(own);
        if let ObjectPosition::In(_, index) = self {
            path.push('[');
            push_number(&mut path, index);
            path.push(']');
        }
        if !path.is_empty() && !relative.is_empty() {
            path.push('.');
        }
        path.push_str(relative);
        path
    }
}

/// Digits reserved for an array index.
const MOST_DIGITS: usize = 7;
