//! An event to register.

use fiscal::value::Chave;

/// An event to register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// Key of the document.
    pub chave: Chave,
    /// Kind of event.
    pub tpEvento: String,
    /// Highest sequence number allowed. With 1 the event happens once, and every job that requests it means the same
    /// event.
    pub most: u16,
}
