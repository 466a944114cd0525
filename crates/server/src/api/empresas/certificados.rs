//! `GET /v1/empresas/certificados`: validity and status of every company's certificate, the first to expire first.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::view;
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /v1/empresas/certificados`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<Json<Value>, ApiError> {
    let now = app.now();
    let holders = app.store().list_certificates(caller.tenant_id).await?;
    let certificados: Vec<Value> = holders.iter().map(|holder| view::holder(holder, now)).collect();
    Ok(Json(json!({ "total": certificados.len(), "certificados": certificados })))
}
