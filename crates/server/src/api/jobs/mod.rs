//! `/v1/jobs`: finding jobs, reports of a period, items, and the two acts on a job itself.
//!
//! Law: `spec/interface.md`, Notes and jobs; `spec/not-shown.md` §1, §4 and §8.

pub(crate) mod cancelar;
pub(crate) mod consultar_lote;
pub(crate) mod itens;
pub(crate) mod localizar;
pub(crate) mod period;
pub(crate) mod relatorio;
pub(crate) mod reprocessar;

use uuid::Uuid;

use super::error::ApiError;

/// The id of a path; what is no UUID names no job.
fn id(text: &str) -> Result<Uuid, ApiError> {
    Uuid::parse_str(text).map_err(|_| unknown())
}

/// The one answer for what is absent or somebody else's.
fn unknown() -> ApiError {
    ApiError::not_found("Não há operação com este job_id.")
}
