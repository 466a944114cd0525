//! Answers for unknown routes and methods.

use axum::response::Response;
use fiscal::finding::excerpt;
use http::{HeaderMap, Method, StatusCode, Uri};

use super::docs::missing_page::missing;
use super::error::ApiError;
use super::error_code;

/// 404 for an unknown path.
pub(crate) async fn path(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    missing(&headers, &format!("Não há nada em {}.", excerpt(uri.path())))
}

/// 405 for an unknown method of a known path; `OPTIONS` succeeds. The router adds `Allow` to either answer.
pub(crate) async fn method(method: Method, uri: Uri) -> Result<StatusCode, ApiError> {
    if method == Method::OPTIONS {
        return Ok(StatusCode::NO_CONTENT);
    }
    let (path, method) = (excerpt(uri.path()), excerpt(method.as_str()));
    let detail = format!("{path} não aceita o método {method}. O cabeçalho Allow diz os aceitos.");
    Err(ApiError::new(&error_code::METODO_NAO_PERMITIDO, detail))
}
