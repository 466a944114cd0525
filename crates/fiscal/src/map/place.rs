//! The map of one model as data: which name of the caller stands for which official element.

use serde_json::Value;

/// Where one element of the layout comes from. An element without a `Place` is found under its own tag.
#[derive(Debug)]
pub struct Place {
    /// Official tag.
    pub(super) tag: &'static str,
    /// Names beside the tag, the contract's first. `ibs_uf/valor_bc` looks inside an object.
    pub(crate) names: &'static [&'static str],
    /// The members of this group may also stand in the object around it.
    pub(super) flat: bool,
    /// What stands there when the caller says nothing and the layout requires it.
    pub(super) fill: Fill,
    /// How one of several groups is chosen by a code.
    pub(super) selector: Option<&'static Selector>,
    /// Number of the sum this value takes part in.
    pub(super) part: Option<u8>,
    /// Number of the sum that counts how often this group is written.
    pub(super) mark: Option<u8>,
    /// Names taken here although nothing is written for them.
    pub(super) also: &'static [&'static str],
    /// An empty text is a value.
    pub(super) keeps_empty: bool,
    /// Zero is no value where the layout lets it be absent.
    pub(super) zero_is_nothing: bool,
    /// The member that a value stands for where one of these groups is expected: a bare key for the group around it.
    pub(super) alone: Option<&'static str>,
    /// Places of the children.
    pub(super) places: &'static [&'static [Place]],
}

/// What stands for an absent value.
#[derive(Debug, Clone, Copy)]
pub enum Fill {
    /// Zero (with a notice) where a number must be, a refusal elsewhere.
    Nothing,
    /// Nothing: a number that is not given is refused, too.
    Required,
    /// Documented default, no notice.
    Literal(&'static str),
    /// Default the caller should know of.
    Assumed(&'static str),
    /// The value of a neighbour.
    SameAs(&'static str),
    /// The sum of parts written before.
    SumOf(&'static [u8]),
    /// Position of the element in its array, from 1, whatever the caller says.
    Index,
    /// The same, when the caller says nothing.
    Position,
}

/// A code in the caller's object that decides which group is written.
#[derive(Debug)]
pub struct Selector {
    /// What a message asks for when the code is missing.
    pub asked: &'static str,
    /// Where the code stands, the strongest name first.
    pub names: &'static [&'static str],
    /// Codes and the group of each.
    pub rows: &'static [(&'static [u16], &'static str)],
    /// Groups that need no code when one of these names is given.
    pub without: &'static [(&'static [&'static str], &'static str)],
    /// Codes that mean another group when one of these names is given.
    pub exceptions: &'static [(&'static [u16], &'static [&'static str], &'static str)],
}

impl Place {
    /// An element under its own tag.
    pub const fn of(tag: &'static str) -> Place {
        Place {
            tag,
            names: &[],
            flat: false,
            fill: Fill::Nothing,
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
    /// Other names.
    pub const fn names(mut self, names: &'static [&'static str]) -> Place {
        self.names = names;
        self
    }
    /// Members may stand in the object around.
    pub const fn flat(mut self) -> Place {
        self.flat = true;
        self
    }
    /// Default.
    pub const fn fill(mut self, fill: Fill) -> Place {
        self.fill = fill;
        self
    }
    /// Chosen by a code.
    pub const fn chosen_by(mut self, selector: &'static Selector) -> Place {
        self.selector = Some(selector);
        self
    }
    /// Takes part in a sum.
    pub const fn part(mut self, part: u8) -> Place {
        self.part = Some(part);
        self
    }
    /// Counts how often the group is written.
    pub const fn counted_as(mut self, part: u8) -> Place {
        self.mark = Some(part);
        self
    }
    /// Names taken and not written.
    pub const fn also(mut self, also: &'static [&'static str]) -> Place {
        self.also = also;
        self
    }
    /// An empty text is a value.
    pub const fn keeps_empty(mut self) -> Place {
        self.keeps_empty = true;
        self
    }
    /// Zero is no value where the layout lets it be absent.
    pub const fn zero_is_nothing(mut self) -> Place {
        self.zero_is_nothing = true;
        self
    }
    /// A value in the place of a group of this list is this member of it.
    pub const fn alone_as(mut self, tag: &'static str) -> Place {
        self.alone = Some(tag);
        self
    }
    /// Places of the children, in as many tables as are handy.
    pub const fn places(mut self, places: &'static [&'static [Place]]) -> Place {
        self.places = places;
        self
    }
    /// Place of a child.
    pub fn child(&'static self, tag: &str) -> Option<&'static Place> {
        self.places.iter().copied().flatten().find(|place| place.tag == tag)
    }
    /// Tags of the children that repeat a neighbour where nothing is given, and the neighbour's.
    pub fn copied(&'static self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.places.iter().copied().flatten().filter_map(|place| match place.fill {
            Fill::SameAs(neighbour) => Some((place.tag, neighbour)),
            _ => None,
        })
    }
    /// The name a message uses: the contract's.
    pub(super) fn name(place: Option<&'static Place>, tag: &'static str) -> &'static str {
        match place.and_then(|place| place.names.first()) {
            Some(name) => name.rsplit('/').next().unwrap_or(name),
            None => tag,
        }
    }
}

impl Selector {
    /// The group of a code, given which names the object has.
    pub(super) fn group(&self, code: u16, given: impl Fn(&str) -> bool) -> Option<&'static str> {
        let excepted = self
            .exceptions
            .iter()
            .find(|(codes, names, _)| codes.contains(&code) && names.iter().any(|name| given(name)))
            .map(|(_, _, group)| *group);
        excepted.or_else(|| self.rows.iter().find(|(codes, _)| codes.contains(&code)).map(|(_, group)| *group))
    }
    /// All codes, for a message.
    pub(super) fn codes(&self) -> String {
        let codes: Vec<String> =
            self.rows.iter().flat_map(|(codes, _)| codes.iter()).map(|code| format!("{code:02}")).collect();
        codes.join(", ")
    }
}

/// A selector code, from a number or a text.
pub(super) fn code_of(value: &Value) -> Option<u16> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_str().parse().ok(),
        _ => None,
    }
}
