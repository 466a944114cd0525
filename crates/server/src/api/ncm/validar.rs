//! `GET /v1/ncm/{codigo}/validar`: validity of a code for a document issued today.

use axum::Json;
use axum::extract::{Path, State};
use store::quotas::Familia;

use super::digits;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::lookup::debit;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct ValidView = "ValidadeNcm": "Se o código vale." {
        sucesso: bool = "Sempre `true`.",
        valido: bool = "Existe, tem 8 dígitos e está vigente hoje.",
    }
}

/// `GET /v1/ncm/{codigo}/validar`
pub(crate) async fn validar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(codigo): Path<String>,
) -> Result<Json<ValidView>, ApiError> {
    let table = app.lookup().ncm().await?;
    let today = app.today();
    let valido = digits(&codigo).is_some_and(|plain| table.is_valid_on(&plain, today));
    debit(&app, &caller, Familia::Ncm).await?;
    Ok(Json(ValidView { sucesso: true, valido }))
}
