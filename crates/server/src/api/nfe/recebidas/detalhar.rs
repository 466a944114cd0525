//! `GET /v1/nfe/recebidas/{chave}`: a received NF-e with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};

use super::view::{self, ReceivedWithEventsView};
use crate::api::caller::Authenticated;
use crate::api::documento::family::Nfe;
use crate::api::error::ApiError;
use crate::api::recebidos::detalhar::found;
use crate::app::App;

/// `GET /v1/nfe/recebidas/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedWithEventsView>, ApiError> {
    let (nota, eventos) = found::<Nfe, _>(&app, &caller, &chave, query.as_deref(), view::note).await?;
    Ok(Json(ReceivedWithEventsView { nota, eventos }))
}
