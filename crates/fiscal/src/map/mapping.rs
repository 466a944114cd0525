//! The map of one model as data: the caller's name for each official element.

use serde_json::Value;

/// Mapping of one element of the layout to the payload. An element without a mapping is found under its own tag.
#[derive(Debug)]
pub struct ElementMapping {
    /// Official tag.
    pub(super) tag: &'static str,
    /// Names beside the tag, the contract's first. `ibs_uf/valor_bc` is looked up inside an object.
    pub(crate) names: &'static [&'static str],
    /// True when the members of this group may also stand in the enclosing object.
    pub(super) flat: bool,
    /// Fallback for a value that the layout requires and the caller does not send.
    pub(super) fill: FallbackValue,
    /// Code by which one of several groups is chosen.
    pub(super) selector: Option<&'static GroupSelector>,
    /// Number of the sum that this value is added to.
    pub(super) part: Option<u8>,
    /// Number of the sum that counts the occurrences of this group.
    pub(super) mark: Option<u8>,
    /// Names that are accepted although nothing is written for them.
    pub(super) also: &'static [&'static str],
    /// True when an empty text is a value.
    pub(super) keeps_empty: bool,
    /// True when zero counts as absent where the layout allows absence.
    pub(super) zero_is_nothing: bool,
    /// Member that a bare value stands for where one of these groups is expected: a bare key for the group around it.
    pub(super) alone: Option<&'static str>,
    /// Mappings of the children.
    pub(super) places: &'static [&'static [ElementMapping]],
}

/// Fallback for an absent value.
#[derive(Debug, Clone, Copy)]
pub enum FallbackValue {
    /// Zero with a notice for a number; a violation for any other type.
    Nothing,
    /// None: an absent number is a violation, too.
    Required,
    /// Documented default without a notice.
    Literal(&'static str),
    /// Default with a notice.
    Assumed(&'static str),
    /// Value of a neighbour.
    SameAs(&'static str),
    /// Sum of parts written before.
    SumOf(&'static [u8]),
    /// Position of the element in its array, from 1. Overrides the caller's value.
    Index,
    /// Position of the element in its array, from 1, unless the caller sends one.
    Position,
}

/// Code in the caller's object that decides which group is written.
#[derive(Debug)]
pub struct GroupSelector {
    /// Name that a message asks for when the code is missing.
    pub asked: &'static str,
    /// Names of the code, the strongest first.
    pub names: &'static [&'static str],
    /// Codes and the group of each.
    pub rows: &'static [(&'static [u16], &'static str)],
    /// Groups that need no code when one of these names is given.
    pub without: &'static [(&'static [&'static str], &'static str)],
    /// Codes that select another group when one of these names is given.
    pub exceptions: &'static [(&'static [u16], &'static [&'static str], &'static str)],
}

impl ElementMapping {
    /// Creates the mapping of an element under its own tag.
    pub const fn of(tag: &'static str) -> ElementMapping {
        ElementMapping {
            tag,
            names: &[],
            flat: false,
            fill: FallbackValue::Nothing,
            selector: None,
            part: None,
            mark: None,
            also: &[],
            keeps_empty: false,
            zero_is_nothing: false,
            alone: None,
            places: &[],
        }
    }
    /// Sets names beside the tag.
    pub const fn names(mut self, names: &'static [&'static str]) -> ElementMapping {
        self.names = names;
        self
    }
    /// Allows the members to stand in the enclosing object.
    pub const fn flat(mut self) -> ElementMapping {
        self.flat = true;
        self
    }
    pub const fn fill(mut self, fill: FallbackValue) -> ElementMapping {
        self.fill = fill;
        self
    }
    /// Lets a code choose the group.
    pub const fn chosen_by(mut self, selector: &'static GroupSelector) -> ElementMapping {
        self.selector = Some(selector);
        self
    }
    /// Adds the value to a sum.
    pub const fn part(mut self, part: u8) -> ElementMapping {
        self.part = Some(part);
        self
    }
    /// Counts the occurrences of the group in a sum.
    pub const fn counted_as(mut self, part: u8) -> ElementMapping {
        self.mark = Some(part);
        self
    }
    /// Accepts names that are not written.
    pub const fn also(mut self, also: &'static [&'static str]) -> ElementMapping {
        self.also = also;
        self
    }
    /// Makes an empty text a value.
    pub const fn keeps_empty(mut self) -> ElementMapping {
        self.keeps_empty = true;
        self
    }
    /// Makes zero count as absent where the layout allows absence.
    pub const fn zero_is_nothing(mut self) -> ElementMapping {
        self.zero_is_nothing = true;
        self
    }
    /// Makes a bare value in place of a group of this list stand for this member.
    pub const fn alone_as(mut self, tag: &'static str) -> ElementMapping {
        self.alone = Some(tag);
        self
    }
    /// Sets the mappings of the children, in any number of tables.
    pub const fn places(mut self, places: &'static [&'static [ElementMapping]]) -> ElementMapping {
        self.places = places;
        self
    }
    pub fn child(&'static self, tag: &str) -> Option<&'static ElementMapping> {
        self.places.iter().copied().flatten().find(|place| place.tag == tag)
    }
    /// Returns the tags of the children that repeat a neighbour when absent, each with the neighbour's tag.
    pub fn copied(&'static self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.places.iter().copied().flatten().filter_map(|place| match place.fill {
            FallbackValue::SameAs(neighbour) => Some((place.tag, neighbour)),
            _ => None,
        })
    }
    /// Returns the name for messages: the contract's.
    pub(super) fn name(place: Option<&'static ElementMapping>, tag: &'static str) -> &'static str {
        match place.and_then(|place| place.names.first()) {
            Some(name) => name.rsplit('/').next().unwrap_or(name),
            None => tag,
        }
    }
}

impl GroupSelector {
    /// Returns the group of a code, given the names that the object has.
    pub(super) fn group(&self, code: u16, given: impl Fn(&str) -> bool) -> Option<&'static str> {
        let excepted = self
            .exceptions
            .iter()
            .find(|(codes, names, _)| codes.contains(&code) && names.iter().any(|name| given(name)))
            .map(|(_, _, group)| *group);
        excepted.or_else(|| self.rows.iter().find(|(codes, _)| codes.contains(&code)).map(|(_, group)| *group))
    }
    /// Lists all codes, for a message.
    pub(super) fn codes(&self) -> String {
        let codes: Vec<String> =
            self.rows.iter().flat_map(|(codes, _)| codes.iter()).map(|code| format!("{code:02}")).collect();
        codes.join(", ")
    }
}

/// Reads a selector code from a number or a text.
pub(super) fn code_of(value: &Value) -> Option<u16> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_str().parse().ok(),
        _ => None,
    }
}
