//! XML in and out: a canonical writer for our documents, a bounded reader for foreign ones, and one read-only view of
//! both.

mod declaration;
mod document;
mod name;
mod read;
#[cfg(test)]
mod tests;
mod write;
mod written;

pub(crate) use document::Nodes;
pub use document::{Document, View};
pub use name::Name;
pub(crate) use name::is_same;
pub(crate) use read::is_name;
pub use read::{Element, Malformed, Node, read};
pub use write::Writer;
pub(crate) use write::push_number;
