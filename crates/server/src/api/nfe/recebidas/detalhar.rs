//! `GET /v1/nfe/recebidas/{chave}`: a received NF-e with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};

use super::view::{self, ReceivedWithEventsView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::Nfe;
use crate::api::error::ApiError;
use crate::api::recebidos::detalhar::received_detail;
use crate::app::App;

/// `GET /v1/nfe/recebidas/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedWithEventsView>, ApiError> {
    let (nota, eventos) = received_detail::<Nfe, _>(&app, &caller, &chave, query.as_deref(), view::note).await?;
    Ok(Json(ReceivedWithEventsView { nota, eventos }))
}
