//! Log of a loop's failures at the store: one line when an outage begins and one when it ends, none in between.

use std::time::Instant;

/// State of one loop's outage.
pub(crate) struct OutageLog {
    /// The work that fails meanwhile, for the log line.
    what: &'static str,
    since: Option<Instant>,
}

impl OutageLog {
    pub(crate) fn with(what: &'static str) -> OutageLog {
        OutageLog { what, since: None }
    }

    /// Records a failure; the first one logs.
    pub(crate) fn record_failure(&mut self, error: &store::Error) {
        if self.since.is_none() {
            tracing::error!(error.cause = %error, what = self.what, "the store fails; trying again until it works");
            self.since = Some(Instant::now());
        }
    }

    /// Records a success; logs the end of an outage.
    pub(crate) fn record_recovery(&mut self) {
        if let Some(since) = self.since.take() {
            tracing::info!(what = self.what, lasted_s = since.elapsed().as_secs(), "the store works again");
        }
    }
}
