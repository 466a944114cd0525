//! What can be said of a `nota` without issuing it.

use crate::finding::{Notice, Violation};
use serde_json::{Map, Value};

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Review {
    /// What stops the document from being built.
    pub violations: Vec<Violation>,
    /// Remarks, predicted rejections (`rejeicao_prevista`) among them.
    pub notices: Vec<Notice>,
    /// Totals of the caller that are not what the items add up to, where an authority would refuse them for it.
    pub divergences: Vec<Violation>,
    /// What the items add up to, under official names: members of `ICMSTot` flat, the other totals as groups.
    pub totais: Map<String, Value>,
}
