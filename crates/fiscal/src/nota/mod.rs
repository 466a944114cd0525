//! What the `nota` of a caller has in common whatever document it becomes: the official tree in JSON, the issuer, the
//! groups that several models share, and the last look at what was written.
//!
//! Law: `spec/interface.md` and `spec/not-shown.md` §4. Must not know a model: each brings its map and its layout.

pub(crate) mod asked;
pub(crate) mod faults;
pub(crate) mod issuer;
mod items;
pub(crate) mod key;
pub(crate) mod reform;
mod review;
pub(crate) mod roots;
mod software_house;
pub(crate) mod tree;

pub use items::Items;
pub use review::Review;
pub(crate) use software_house::{CSRT, write as write_software_house};

use crate::map::{Origin, Scope};
use serde_json::{Map, Value};

/// The scope of the caller's `nota`.
pub(crate) fn root_scope(root: &Map<String, Value>) -> Scope<'_> {
    Scope::at("nota").with(root, "nota", Origin::Shared)
}
