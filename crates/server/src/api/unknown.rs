//! Routes and methods that do not exist.

use axum::response::Response;
use http::{HeaderMap, Method, StatusCode, Uri};

use super::code;
use super::docs;
use super::error::ApiError;

/// No such path.
pub(crate) async fn path(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    docs::missing(&headers, &format!("Não há nada em {}.", uri.path()))
}

/// The path exists, the method does not. `OPTIONS` asks just that: the router adds `Allow` to either answer.
pub(crate) async fn method(method: Method, uri: Uri) -> Result<StatusCode, ApiError> {
    if method == Method::OPTIONS {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = format!("{} não aceita o método {method}. O cabeçalho Allow diz os aceitos.", uri.path());
    Err(ApiError::new(&code::METODO_NAO_PERMITIDO, detail))
}
