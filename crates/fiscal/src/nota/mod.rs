//! The parts of a caller's `nota` that all models share: the official tree in JSON, the issuer, shared groups, and the
//! final check of the written document.
//!
//! Law: `docs/contract.md`, "Emission". Must not know a model: each brings its map and its layout.

pub(crate) mod issuer;
mod items;
pub(crate) mod key;
pub(crate) mod layout_check;
pub(crate) mod reform;
pub(crate) mod requested_number;
mod review;
mod software_house;
pub(crate) mod tree;
pub(crate) mod unknown_roots;

pub use items::NotaItems;
pub use review::NotaReview;
pub(crate) use software_house::{CSRT, write as write_software_house};

use crate::map::{GroupScope, LayerOrigin};
use serde_json::{Map, Value};

/// Returns the scope of the caller's `nota`.
pub(crate) fn root_scope(root: &Map<String, Value>) -> GroupScope<'_> {
    GroupScope::at("nota").with(root, "nota", LayerOrigin::Shared)
}
