//! `GET /v1/cte/recebidos/{chave}`: a received CT-e with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};

use super::view::{self, ReceivedCteWithEventsView};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::Cte;
use crate::api::error::ApiError;
use crate::api::recebidos::detalhar::received_detail;
use crate::app::App;

/// `GET /v1/cte/recebidos/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedCteWithEventsView>, ApiError> {
    let (nota, eventos) = received_detail::<Cte, _>(&app, &caller, &chave, query.as_deref(), view::cte).await?;
    Ok(Json(ReceivedCteWithEventsView { nota, eventos }))
}
