//! `GET /v1/cte/recebidos/{chave}`: one received CT-e with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use fiscal::tipo::Tipo;
use store::Sight;

use super::view::{self, ReceivedCteWithEventsView};
use crate::api::caller::Authenticated;
use crate::api::documento::family::Cte;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::recebidos::{asked, or_unknown, view::event};
use crate::app::App;

/// `GET /v1/cte/recebidos/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedCteWithEventsView>, ApiError> {
    let (chave, of) = asked::<Cte>(&chave, query.as_deref())?;
    let found = app.store().received_document(Sight::of(&caller), Tipo::Cte, chave, of).await;
    let found = found.map_err(or_unknown::<Cte>)?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, Some(found.note.cpf_cnpj)).await?;
    let eventos = found.events.into_iter().map(|one| event(one, time)).collect();
    Ok(Json(ReceivedCteWithEventsView { nota: view::cte(found.note, time), eventos }))
}
