//! An object of the caller that a plan has read.

use super::mapping::ElementMapping;
use super::path::PayloadPath;
use crate::layout::Complex;
use serde_json::{Map, Value};

/// An object that was read, and its group.
pub(super) struct ReadObject<'a> {
    pub(super) object: &'a Map<String, Value>,
    pub(super) path: PayloadPath,
    pub(super) complex: &'static Complex,
    pub(super) place: Option<&'static ElementMapping>,
}
