//! `GET /painel/recursos/painel.css`: the panel's style, in addition to that of `/docs`, whose variables it uses.

use axum::response::{IntoResponse, Response};
use http::header;

/// The style sheet.
pub(crate) async fn style_sheet() -> Response {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, include_str!("painel.css")).into_response()
}
