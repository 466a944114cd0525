//! `GET /v1/nfse/recebidas/{chave}`: a received NFS-e with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};

use super::view::{self, ReceivedNfseWithEventsView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::NationalNfse;
use crate::api::error::ApiError;
use crate::api::recebidos::detalhar::received_detail;
use crate::app::App;

/// `GET /v1/nfse/recebidas/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedNfseWithEventsView>, ApiError> {
    let (nota, eventos) =
        received_detail::<NationalNfse, _>(&app, &caller, &chave, query.as_deref(), view::nfse).await?;
    Ok(Json(ReceivedNfseWithEventsView { nota, eventos }))
}
