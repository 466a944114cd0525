//! Refusal of a query by its authority: code and text as an error of the interface.

use http::header;
use serde_json::json;

use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::job::status_code::StatusCode;

/// `259 Rejeição: …`, as a sentence.
pub(crate) fn sentence(said: &StatusCode, xMotivo: &str) -> String {
    let codigo = &said.codigo;
    format!("A autoridade respondeu {codigo}: {}.", xMotivo.trim_end_matches('.'))
}

/// Adds the authority's code and text, verbatim.
pub(crate) fn with_authority_status(error: ApiError, said: &StatusCode, xMotivo: &str) -> ApiError {
    error.with_member("codigo_status", json!(said)).with_member("motivo_status", json!(xMotivo))
}

/// A refusal of the query (422), or of every query for now (503 with the seconds to wait).
pub(crate) fn refused(said: &StatusCode, xMotivo: &str, wait_s: i64) -> ApiError {
    let detail = sentence(said, xMotivo);
    let error = match said.codigo.number() {
        Some(108 | 109 | 113 | 114 | 656 | 999) => ApiError::new(&error_code::INDISPONIVEL, detail)
            .with_header(header::RETRY_AFTER, &wait_s.max(1).to_string()),
        _ => ApiError::new(&error_code::VALIDACAO, detail),
    };
    with_authority_status(error, said, xMotivo)
}
