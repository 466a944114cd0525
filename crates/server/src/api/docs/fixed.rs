//! What says the same to everybody while the service runs: made at the first request for it, off the threads that
//! serve, and packed once. Anybody may ask for it without a key, so an answer must cost next to nothing.
//!
//! Must not know: what the pages say.

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

/// Something made when it is first asked for.
pub(crate) struct Once<T: 'static> {
    made: OnceLock<T>,
    make: fn() -> T,
}

impl<T: Send + Sync> Once<T> {
    /// Not made yet.
    pub(crate) const fn of(make: fn() -> T) -> Once<T> {
        Once { made: OnceLock::new(), make }
    }

    /// For who is on a thread that may work for long.
    pub(crate) fn now(&self) -> &T {
        self.made.get_or_init(self.make)
    }

    /// For who serves: while it is made, whoever asks waits without holding a thread.
    pub(crate) async fn get(&'static self) -> Result<&'static T, ApiError> {
        /// One at a time: those who wait for the same thing must not fill the threads that make it.
        static MAKING: Semaphore = Semaphore::const_new(1);
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let _turn = MAKING.acquire().await;
        tokio::task::spawn_blocking(|| self.now()).await.map_err(|_| ApiError::internal())
    }
}

/// A text as it is sent.
pub(crate) struct Fixed {
    media: &'static str,
    plain: Bytes,
    packed: Bytes,
    tag: HeaderValue,
}

impl Fixed {
    /// A page.
    pub(crate) fn page(html: String) -> Fixed {
        Fixed::of("text/html; charset=utf-8", html)
    }

    /// Any other text.
    pub(crate) fn of(media: &'static str, text: impl Into<Bytes>) -> Fixed {
        let plain = text.into();
        let mut hasher = DefaultHasher::new();
        plain.hash(&mut hasher);
        let tag = HeaderValue::from_str(&format!("W/\"{:016x}\"", hasher.finish()));
        let tag = tag.unwrap_or_else(|_| HeaderValue::from_static("W/\"\""));
        Fixed { media, packed: packed(&plain), plain, tag }
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.plain).unwrap_or_default()
    }

    /// The answer, packed for who takes it so; or that it is still the one the browser knows (`If-None-Match`).
    pub(crate) fn answer(&self, asked: &HeaderMap, edge: &Edge) -> Response {
        let headers = page::headers(self.media);
        let always = [(header::ETAG, self.tag.clone()), (header::VARY, HeaderValue::from_static("accept-encoding"))];
        if listed(asked, header::IF_NONE_MATCH).any(|known| known.as_bytes() == self.tag.as_bytes()) {
            // a browser takes these for those it keeps: without the policy of pages the page it has would lose its
            // style
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
    // a vector takes everything
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

/// The members of a header that lists.
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
