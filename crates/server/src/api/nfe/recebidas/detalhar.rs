//! `GET /v1/nfe/recebidas/{chave}`: one received note with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};

use super::view::{self, ReceivedWithEventsView};
use crate::api::caller::Authenticated;
use crate::api::documento::family::Nfe;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::recebidos::{asked, or_unknown, view::event};
use crate::app::App;
use fiscal::tipo::Tipo;
use store::Sight;

/// `GET /v1/nfe/recebidas/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedWithEventsView>, ApiError> {
    let (chave, of) = asked::<Nfe>(&chave, query.as_deref())?;
    let found = app.store().received_document(Sight::of(&caller), Tipo::Nfe, chave, of).await;
    let found = found.map_err(or_unknown::<Nfe>)?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, Some(found.note.cpf_cnpj)).await?;
    let eventos = found.events.into_iter().map(|one| event(one, time)).collect();
    Ok(Json(ReceivedWithEventsView { nota: view::note(found.note, time), eventos }))
}
