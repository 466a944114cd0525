//! The items of a caller's `nota`, wherever its family has them.

use serde_json::Value;

/// The items as the caller wrote them.
#[derive(Debug, Clone, PartialEq)]
pub struct Items<'a> {
    /// Path of the list in the caller's payload, e.g. `nota.produtos`.
    pub campo: String,
    /// In the document's order; empty when there is no list.
    pub items: &'a [Value],
}

impl Items<'_> {
    /// The path of one of them, counted from 0.
    pub fn path_of(&self, position: usize) -> String {
        format!("{}[{position}]", self.campo)
    }

    /// Which of them a path is about, counted from 0.
    pub fn position_in(&self, campo: &str) -> Option<usize> {
        campo.strip_prefix(self.campo.as_str())?.strip_prefix('[')?.split_once(']')?.0.parse().ok()
    }
}
