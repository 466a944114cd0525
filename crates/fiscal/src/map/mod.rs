//! The walker: takes one layout, one map and the caller's JSON; returns canonical XML, notices and violations.
//!
//! Steps, for authors of a model:
//!
//! 1. The **layout** (`crate::layout`, generated from the XSD) defines the elements, their order, occurrence and type.
//!    It is walked from the top, so the order of the caller's members never matters.
//! 2. The **map** of a model is a constant tree of `ElementMapping`s beside the layout. It has an entry only where the
//!    caller's name differs from the official tag or a value is filled in: `of("prod").flat()` means that the members
//!    of `prod` stand directly in the item, `of("det").names(&["produtos"])` that the items are called `produtos`.
//!    Official tags always work.
//! 3. A `GroupScope` is the list of JSON objects behind one group, the strongest first: values forced by the service,
//!    values of the caller, values of the company record.
//! 4. From layout, map and the first object of a shape the walker compiles a **plan** (`plan`): constant text and slots
//!    for values. Items of a document, and documents of an integrator, usually have the same names in the same order.
//!    They share the plan (`plan_cache`), and only their values are read.
//! 5. The type of a leaf decides its format (`format`): numbers keep the caller's digits, codes get their zeros, masks
//!    are removed, instants get their offset.
//! 6. Nothing stops at the first error: violations and notices are collected with their paths in the caller's payload.
//!
//! Law: MOC 7.0, visão geral, rules of XML; `docs/contract.md`, "Emission", for leniency. Must not know any model:
//! NF-e, CT-e and NFS-e bring their own maps.

mod array;
mod choice;
mod compile;
mod decimal;
mod describe;
mod format;
mod locate;
mod mapping;
mod misplaced;
mod moment;
mod particles;
mod path;
mod plan;
mod plan_cache;
mod plan_writer;
mod read_object;
mod scope;
mod shape;
mod sums;
mod synonyms;
mod text;
mod unknown_names;
mod walker;

pub use array::too_many;
pub use describe::{GroupMember, MemberBody, MemberRequirement, ValueKind, describe, value_kind};
pub use format::unmasked;
pub use locate::locate;
pub use mapping::{ElementMapping, FallbackValue, GroupSelector};
pub(crate) use misplaced::misplaced;
pub(crate) use moment::date;
pub use moment::instant;
pub use plan::ObjectPosition;
pub use plan_cache::PlanCache;
pub(crate) use scope::is_empty;
pub use scope::{GroupScope, LayerOrigin, ScopeLayer};
pub use sums::{PARTS, PartSums};
pub use synonyms::{SynonymTable, synonym_in};
pub use text::{LOST_CHARACTERS, clean_text as clean};
pub use unknown_names::{notice, valid_names};
pub use walker::{LayoutWalker, NoticePolicy, members};

/// Returns a free text as it would be written, not escaped.
pub(crate) fn official_text(text: &str) -> std::borrow::Cow<'_, str> {
    text::clean(text).text
}
