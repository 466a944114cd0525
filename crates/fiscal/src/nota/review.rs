//! Findings about a `nota` that is not issued.

use crate::finding::{Notice, Violation};
use serde_json::{Map, Value};

/// All findings about a `nota`.
#[derive(Debug, Clone, Default)]
pub struct NotaReview {
    /// Errors that stop the document from being built.
    pub violations: Vec<Violation>,
    /// Notices, predicted rejections (`rejeicao_prevista`) among them.
    pub notices: Vec<Notice>,
    /// Totals of the caller that differ from the sums over the items, where an authority would reject the difference.
    pub divergences: Vec<Violation>,
    /// Sums over the items, under official names: members of `ICMSTot` flat, the other totals as groups.
    pub totais: Map<String, Value>,
}
