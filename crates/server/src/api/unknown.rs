//! Routes and methods that do not exist.

use http::{Method, Uri};

use super::code;
use super::error::ApiError;

/// No such path.
pub(crate) async fn path(uri: Uri) -> ApiError {
    ApiError::not_found(&format!("Não há nada em {}.", uri.path()))
}

/// The path exists, the method does not.
pub(crate) async fn method(method: Method, uri: Uri) -> ApiError {
    let detail = format!("{} não aceita o método {method}. O cabeçalho Allow diz os aceitos.", uri.path());
    ApiError::new(&code::METODO_NAO_PERMITIDO, detail)
}
