//! Media types that a request accepts.

use http::{HeaderMap, header};

/// True when `Accept` names a media type.
pub(crate) fn accepts(headers: &HeaderMap, media: &str) -> bool {
    let accept = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accept
        .flat_map(|value| value.split(','))
        .any(|part| part.split(';').next().is_some_and(|name| name.trim() == media))
}
