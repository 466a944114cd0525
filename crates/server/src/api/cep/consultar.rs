//! `GET /v1/cep/{cep}`: the address of a CEP.

use axum::Json;
use axum::extract::{Path, State};
use store::quotas::Familia;

use super::view::{CepView, address};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::lookup::{debited_result, require_quota};
use crate::app::App;

/// `GET /v1/cep/{cep}`
pub(crate) async fn consultar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(cep): Path<String>,
) -> Result<Json<CepView>, ApiError> {
    if cep.len() != 8 || !cep.bytes().all(|digit| digit.is_ascii_digit()) {
        let detail = "cep deve ter exatamente 8 dígitos, sem hífen nem pontos: /v1/cep/01001000.";
        return Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, detail).at("cep"));
    }
    require_quota(&app, &caller, Familia::Cep).await?;
    let found = app.lookup().cep(&cep, app.now()).await?;
    let found = debited_result(&app, &caller, Familia::Cep, found, &format!("O CEP {cep}")).await?;
    Ok(Json(CepView { endereco: address(found), sucesso: true, encontrado: true }))
}
