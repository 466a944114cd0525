//! The walker: one layout, one map, and the caller's JSON in; canonical XML and everything worth saying about it out.
//!
//! How it works, for who adds a model:
//!
//! 1. The **layout** (`crate::layout`, generated from the XSD) says which elements exist, in which order, how often,
//!    and of which type. It is walked from the top, so the order of the caller's members never matters.
//! 2. The **map** of a model is a constant tree of [`Place`]s beside the layout, with an entry only where the caller's
//!    name differs from the official tag or something is filled in: `Place::of("prod").flat()` says that the members of
//!    `prod` stand directly in the item, `Place::of("det").names(&["produtos"])` that the items are called `produtos`.
//!    Official tags always work.
//! 3. A [`Scope`] is the list of JSON objects that speak for one group, the strongest first: what the service forces,
//!    what the caller says, what the company record fills.
//! 4. From layout, map and the first object of its shape the walker makes a **plan** (`plan`): constant text, and the
//!    slots whose values go between. The items of a note, and the notes of an integrator, usually have the same names
//!    in the same order: they share the plan (`memo`), and only their values are read.
//! 5. The type of a leaf decides how its value is written (`format`): numbers keep the digits the caller wrote, codes
//!    get their zeros, masks go, instants get their offset.
//! 6. Nothing stops at the first problem: refusals and remarks are collected with the path in the caller's payload.
//!
//! Law: MOC 7.0, visão geral, rules of XML; `spec/not-shown.md` §4 for leniency. Must not know any model: NF-e, CT-e
//! and NFS-e bring their own maps.

mod array;
mod choice;
mod compile;
mod decimal;
mod describe;
mod format;
mod locate;
mod meaning;
mod memo;
mod misplaced;
mod moment;
mod particles;
mod path;
mod place;
mod plan;
mod scope;
mod shape;
mod sums;
mod text;
mod unknown;
mod walker;

pub use array::too_many;
pub use describe::{Member, MemberBody, Need, ValueKind, describe, value_kind};
pub use format::unmasked;
pub use locate::locate;
pub use meaning::{Meanings, meant_by};
pub use memo::Plans;
pub(crate) use misplaced::misplaced;
pub(crate) use moment::date;
pub use moment::instant;
pub use place::{Fill, Place, Selector};
pub use plan::Position;
pub(crate) use scope::is_empty;
pub use scope::{Layer, Origin, Scope};
pub use sums::{PARTS, Parts};
pub use text::{LOST_CHARACTERS, clean_text as clean};
pub use unknown::{notice, valid_names};
pub use walker::{Remarks, Walker, members};

/// Free text as it would be written, not escaped.
pub(crate) fn official_text(text: &str) -> std::borrow::Cow<'_, str> {
    text::clean(text).text
}
