//! Visibility of registered documents to queries.

use std::time::{Duration, Instant};

/// Instant from which queries find a document; at once when absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct QueryVisibility(Option<Instant>);

impl QueryVisibility {
    /// Visible after a delay.
    pub(crate) fn after(delay: Duration) -> QueryVisibility {
        QueryVisibility(Instant::now().checked_add(delay))
    }
    pub(crate) fn is_reached(self) -> bool {
        self.0.is_none_or(|from| Instant::now() >= from)
    }
    /// Makes it visible; returns true when it was hidden.
    pub(crate) fn reveal(&mut self) -> bool {
        let was_hidden = !self.is_reached();
        self.0 = None;
        was_hidden
    }
}
