//! `GET /v1/notas/{chave}`: a note by its access key.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::value::Chave;

use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::job::{JobFacts, view::ListedNotaView};
use crate::app::App;
use store::Visibility;

/// `GET /v1/notas/{chave}`
pub(crate) async fn detalhar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(chave): Path<String>,
) -> Result<Json<ListedNotaView>, ApiError> {
    let chave = Chave::parse(&chave).ok().and_then(Chave::public).ok_or_else(unknown)?;
    match app.store().job_by_chave(Visibility::of(&caller), chave.as_str()).await {
        Ok(job) => Ok(Json(JobFacts::read(app.store(), job).await?.note())),
        Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}

fn unknown() -> ApiError {
    ApiError::not_found("Não há nota com esta chave de acesso (44 posições, 50 da NFS-e, sem máscara).")
}
