//! History of a document, against which a new event is checked.

use crate::order::Order;
use fiscal::xml::Element;
use store::events::EventRow;
use store::jobs::JobDocument;

/// A document, its events, and the order of a new one.
pub(crate) struct ActHistory<'h> {
    pub(crate) order: &'h Order,
    pub(crate) document: &'h JobDocument,
    /// The document as its authority has it: `cteProc`.
    pub(crate) archive: &'h Element,
    pub(crate) events: &'h [EventRow],
    /// The last event that a third party registered and that did not cancel it.
    pub(crate) last: Option<&'h Element>,
    pub(crate) now: i64,
}
