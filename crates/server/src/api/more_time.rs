//! Time beyond the limit of a request, for a handler that waits on purpose: what it waits for is bounded, and its work
//! is not.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::error::ApiError;

/// What a request was given; its clones are one.
#[derive(Clone, Default)]
pub(crate) struct MoreTime(Arc<AtomicU64>);

impl MoreTime {
    /// As much more.
    pub(crate) fn give(&self, more: Duration) {
        self.0.fetch_add(u64::try_from(more.as_millis()).unwrap_or_default(), Ordering::SeqCst);
    }

    /// What was given since this was asked last.
    pub(crate) fn take(&self) -> Option<Duration> {
        Some(self.0.swap(0, Ordering::SeqCst)).filter(|more| *more > 0).map(Duration::from_millis)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for MoreTime {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<MoreTime, ApiError> {
        Ok(parts.extensions.get::<MoreTime>().cloned().unwrap_or_default())
    }
}
