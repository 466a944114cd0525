//! Answers that are constant while the service runs: made at their first request, off the threads that serve, and
//! compressed once. They need no key, so each answer must be cheap.
//!
//! Must not know: the content of the pages.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::sync::OnceLock;

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use tokio::sync::Semaphore;

use super::page;
use crate::api::error::ApiError;
use crate::edge::Edge;

/// A value that is made at its first use, of an input that is the same at each.
pub(crate) struct LazyValue<T: 'static, I: 'static = ()> {
    made: OnceLock<T>,
    make: fn(I) -> T,
}

impl<T: Send + Sync, I: Send> LazyValue<T, I> {
    /// A value that is not made yet.
    pub(crate) const fn of(make: fn(I) -> T) -> LazyValue<T, I> {
        LazyValue { made: OnceLock::new(), make }
    }

    /// The value, for callers on a blocking thread.
    pub(crate) fn now(&self, input: I) -> &T {
        self.made.get_or_init(|| (self.make)(input))
    }

    /// The value, for handlers: callers wait for it without blocking a thread.
    pub(crate) async fn get(&'static self, input: I) -> Result<&'static T, ApiError> {
        /// Limits the makers to one: callers of the same value must not fill the blocking threads.
        static MAKING: Semaphore = Semaphore::const_new(1);
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let _turn = MAKING.acquire().await;
        tokio::task::spawn_blocking(move || self.now(input)).await.map_err(|_| ApiError::internal())
    }
}

/// A text ready to be sent.
pub(crate) struct StaticAnswer {
    media: &'static str,
    plain: Bytes,
    packed: Bytes,
    tag: HeaderValue,
}

impl StaticAnswer {
    /// An HTML page.
    pub(crate) fn page(html: String) -> StaticAnswer {
        StaticAnswer::of("text/html; charset=utf-8", html)
    }

    /// A text of another media type.
    pub(crate) fn of(media: &'static str, text: impl Into<Bytes>) -> StaticAnswer {
        let plain = text.into();
        let mut hasher = DefaultHasher::new();
        plain.hash(&mut hasher);
        let tag = HeaderValue::from_str(&format!("W/\"{:016x}\"", hasher.finish()));
        let tag = tag.unwrap_or_else(|_| HeaderValue::from_static("W/\"\""));
        StaticAnswer { media, packed: packed(&plain), plain, tag }
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.plain).unwrap_or_default()
    }

    /// The answer, compressed for clients that accept it; 304 for a matching `If-None-Match`.
    pub(crate) fn answer(&self, asked: &HeaderMap, edge: &Edge) -> Response {
        let headers = page::headers(self.media);
        let always = [(header::ETAG, self.tag.clone()), (header::VARY, HeaderValue::from_static("accept-encoding"))];
        if listed(asked, header::IF_NONE_MATCH).any(|known| known.as_bytes() == self.tag.as_bytes()) {
            // a browser replaces its stored headers by these: without the policy of pages the cached page would lose
            // its style
            let [_, policy, cache] = headers;
            return (StatusCode::NOT_MODIFIED, [policy, cache], always).into_response();
        }
        if edge.compression && takes_gzip(asked) {
            let packed = [(header::CONTENT_ENCODING, "gzip")];
            return (headers, always, packed, self.packed.clone()).into_response();
        }
        (headers, always, self.plain.clone()).into_response()
    }
}

fn packed(plain: &[u8]) -> Bytes {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    // writing to a vector cannot fail
    let _ = packer.write_all(plain);
    packer.finish().unwrap_or_default().into()
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    listed(asked, header::ACCEPT_ENCODING).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = weight.trim().trim_start_matches("q=").trim_matches(['0', '.']).is_empty() && !weight.is_empty();
        matches!(name.trim(), "gzip" | "*") && !refused
    })
}

/// Entries of a list header.
fn listed(asked: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = asked.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (accepted, takes) in
            [("gzip, br", true), ("br, gzip;q=0.5", true), ("*", true), ("br", false), ("gzip;q=0", false), ("", false)]
        {
            let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(takes_gzip(&asked), takes, "{accepted}");
        }
    }
}
