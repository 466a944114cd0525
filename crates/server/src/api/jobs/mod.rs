//! `/v1/jobs`: finding jobs, reports of a period, items, and the two acts on a job itself.
//!
//! Law: `docs/contract.md`, "Jobs" and "Reports and search".

pub(crate) mod cancelar;
pub(crate) mod consultar_lote;
pub(crate) mod itens;
pub(crate) mod localizar;
pub(crate) mod period;
pub(crate) mod relatorio;
pub(crate) mod reprocessar;

use uuid::Uuid;

use super::error::ApiError;

/// Job id of a path; a text that is no UUID is not found.
fn id(text: &str) -> Result<Uuid, ApiError> {
    Uuid::parse_str(text).map_err(|_| unknown())
}

/// 404 for an absent job and for another tenant's alike.
fn unknown() -> ApiError {
    ApiError::not_found("Não há operação com este job_id.")
}
