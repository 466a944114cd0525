//! `GET /painel/recursos/painel.css`: what the pages need beside the style of `/docs`, whose tokens they use.

use axum::response::{IntoResponse, Response};
use http::header;

/// The style.
pub(crate) async fn estilo() -> Response {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, include_str!("painel.css")).into_response()
}
