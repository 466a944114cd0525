//! The items of a caller's `nota`, in any family of documents.

use serde_json::Value;

/// The items as the caller wrote them.
#[derive(Debug, Clone, PartialEq)]
pub struct NotaItems<'a> {
    /// Path of the list in the caller's payload, e.g. `nota.produtos`.
    pub campo: String,
    /// Items in the document's order; empty when there is no list.
    pub items: &'a [Value],
}

impl NotaItems<'_> {
    /// Returns the path of an item, counted from 0.
    pub fn path_of(&self, position: usize) -> String {
        format!("{}[{position}]", self.campo)
    }

    /// Returns the index, from 0, of the item that a path belongs to.
    pub fn position_in(&self, campo: &str) -> Option<usize> {
        campo.strip_prefix(self.campo.as_str())?.strip_prefix('[')?.split_once(']')?.0.parse().ok()
    }
}
