//! XML in and out: a canonical writer for what we write, a bounded reader for what others wrote.

mod declaration;
mod name;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use name::Name;
pub(crate) use read::is_name;
pub use read::{Element, Malformed, Node, read};
pub use write::Writer;
