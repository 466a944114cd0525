//! A loop's trouble with the store: told when it begins and when it is over, not at every try in between.

use std::time::Instant;

/// See the module.
pub(crate) struct Trouble {
    /// What cannot be done meanwhile.
    what: &'static str,
    since: Option<Instant>,
}

impl Trouble {
    pub(crate) fn with(what: &'static str) -> Trouble {
        Trouble { what, since: None }
    }

    /// It failed.
    pub(crate) fn met(&mut self, error: &store::Error) {
        if self.since.is_none() {
            tracing::error!(error.cause = %error, what = self.what, "the store fails; trying again until it works");
            self.since = Some(Instant::now());
        }
    }

    /// It worked.
    pub(crate) fn over(&mut self) {
        if let Some(since) = self.since.take() {
            tracing::info!(what = self.what, lasted_s = since.elapsed().as_secs(), "the store works again");
        }
    }
}
