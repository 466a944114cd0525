//! `GET /painel/recursos/{arquivo}`: the panel's style, in addition to that of `/docs`, and its script.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};

/// Files of the panel: name, media type, content.
const FILES: &[(&str, &str, &str)] = &[
    ("painel.css", "text/css; charset=utf-8", include_str!("assets/painel.css")),
    ("painel.js", "text/javascript; charset=utf-8", include_str!("assets/painel.js")),
];

/// `GET /painel/recursos/{arquivo}`
pub(crate) async fn show_asset(Path(name): Path<String>) -> Response {
    let Some((_, media, text)) = FILES.iter().find(|(file, ..)| *file == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    ([(header::CONTENT_TYPE, *media), (header::CACHE_CONTROL, "no-cache")], *text).into_response()
}
