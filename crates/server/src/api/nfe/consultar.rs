//! `GET /v1/nfe/consultar/{id}`: a job as it stands.

use axum::Json;
use axum::extract::{Path, State};
use serde_json::Value;
use store::jobs::Job;
use uuid::Uuid;

use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::job::JobView;
use crate::app::App;

/// `GET /v1/nfe/consultar/{id}`
pub(crate) async fn consultar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let job = find(&app, caller.tenant_id, &id).await?;
    Ok(Json(JobView::read(app.store(), job).await?.body()))
}

/// An NF-e job of this tenant; anything else does not exist.
pub(super) async fn find(app: &App, tenant: Uuid, id: &str) -> Result<Job, ApiError> {
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    match app.store().job(tenant, id).await {
        Ok(job) if job.tipo == "nfe" => Ok(job),
        Ok(_) | Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}

/// The one answer for what is absent or somebody else's.
pub(super) fn unknown() -> ApiError {
    ApiError::not_found("Não há operação de NF-e com este job_id.")
}
