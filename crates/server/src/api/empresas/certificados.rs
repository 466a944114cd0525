//! `GET /v1/empresas/certificados`: validity and status of every company's certificate, the first to expire first.

use axum::Json;
use axum::extract::State;

use super::view::{self, HolderView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::view::view;
use crate::app::App;
use store::Visibility;

view! {
    pub(crate) struct HoldersView = "ListaDeCertificados": "Os certificados da conta." {
        total: usize = "Quantos há ao todo.",
        certificados: Vec<HolderView> = "Um registro por empresa.",
    }
}

/// `GET /v1/empresas/certificados`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
) -> Result<Json<HoldersView>, ApiError> {
    let now = app.now();
    let holders = app.store().list_certificates(Visibility::of(&caller)).await?;
    let certificados: Vec<HolderView> = holders.iter().map(|holder| view::holder(holder, now)).collect();
    Ok(Json(HoldersView { total: certificados.len(), certificados }))
}
