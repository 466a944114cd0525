//! XML in and out: a canonical writer for our documents, a bounded reader for foreign ones, and one read-only view of
//! both.

mod canonical_scan;
mod declaration;
mod document;
mod name;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use document::ChildNodes;
pub use document::{ElementView, FlatDocument};
pub use name::SharedName;
pub(crate) use name::is_same;
pub(crate) use read::is_name;
pub use read::{Element, MalformedXml, Node, read};
pub use write::CanonicalWriter;
pub(crate) use write::push_number;
