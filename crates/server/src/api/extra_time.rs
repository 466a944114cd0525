//! Additional time beyond the limit of a request, for handlers that wait on purpose. The wait is bounded, and the limit
//! of the handler's own work stays.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::error::ApiError;

/// Additional time of a request. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct ExtraTime(Arc<AtomicU64>);

impl ExtraTime {
    /// Adds time.
    pub(crate) fn add_time(&self, more: Duration) {
        self.0.fetch_add(u64::try_from(more.as_millis()).unwrap_or_default(), Ordering::SeqCst);
    }

    /// Time added since the last call.
    pub(crate) fn drain_added(&self) -> Option<Duration> {
        Some(self.0.swap(0, Ordering::SeqCst)).filter(|more| *more > 0).map(Duration::from_millis)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ExtraTime {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<ExtraTime, ApiError> {
        Ok(parts.extensions.get::<ExtraTime>().cloned().unwrap_or_default())
    }
}
