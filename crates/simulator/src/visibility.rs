//! When queries begin to find what was registered.

use std::time::{Duration, Instant};

/// The instant from which queries find it; at once when absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Visibility(Option<Instant>);

impl Visibility {
    /// Found after a delay only.
    pub(crate) fn after(delay: Duration) -> Visibility {
        Visibility(Instant::now().checked_add(delay))
    }
    pub(crate) fn is_reached(self) -> bool {
        self.0.is_none_or(|from| Instant::now() >= from)
    }
    /// Found from now on; whether queries did not find it before.
    pub(crate) fn reveal(&mut self) -> bool {
        let was_hidden = !self.is_reached();
        self.0 = None;
        was_hidden
    }
}
