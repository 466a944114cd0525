//! `GET /v1/{nfe|nfce|cte|nfse}/consultar/{id}`: the current state of a job.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::tipo::Tipo;
use store::Visibility;
use store::jobs::Job;
use uuid::Uuid;

use super::document_type::DocumentType;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::job::{JobFacts, view::JobView};
use crate::app::App;

/// `GET /v1/nfe/consultar/{id}`, also of `nfce`, `cte` and `nfse`
pub(crate) async fn consultar<F: DocumentType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(id): Path<String>,
) -> Result<Json<JobView>, ApiError> {
    let job = find::<F>(&app, Visibility::of(&caller), &id).await?;
    Ok(Json(JobFacts::read(app.store(), job).await?.view()))
}

/// A visible job of this document type; any other is not found.
pub(in crate::api) async fn find<F: DocumentType>(app: &App, sight: Visibility, id: &str) -> Result<Job, ApiError> {
    let id = Uuid::parse_str(id).map_err(|_| unknown::<F>())?;
    match app.store().job(sight, id).await {
        Ok(job) if job.tipo == F::TIPO => Ok(job),
        Ok(_) | Err(store::Error::NotFound) => Err(unknown::<F>()),
        Err(other) => Err(other.into()),
    }
}

/// 404 for an absent job and for another tenant's alike.
pub(in crate::api) fn unknown<F: DocumentType>() -> ApiError {
    unknown_of(F::TIPO)
}

/// 404 of a type.
pub(in crate::api) fn unknown_of(tipo: Tipo) -> ApiError {
    ApiError::not_found(format!("Não há operação de {} com este job_id.", tipo.name()))
}
