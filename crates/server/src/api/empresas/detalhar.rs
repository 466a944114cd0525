//! `GET /v1/empresas/{cpf_cnpj}`: a company's record.

use axum::Json;
use axum::extract::{Path, State};

use super::view::{self, CompanyView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /v1/empresas/{cpf_cnpj}`
pub(crate) async fn detalhar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cpf_cnpj): Path<String>,
) -> Result<Json<CompanyView>, ApiError> {
    let company = view::find(&app, caller.tenant_id, &cpf_cnpj).await?;
    Ok(Json(view::shown(&company, caller.ambiente, app.now())))
}
