//! `GET /v1/nfe/recebidas/{chave}`: one received note with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use serde_json::{Value, json};

use super::{asked, or_unknown, view};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::app::App;
use store::Sight;

/// `GET /v1/nfe/recebidas/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let (chave, of) = asked(&chave, query.as_deref())?;
    let found = app.store().received_note(Sight::of(&caller), chave, of).await.map_err(or_unknown)?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, Some(found.note.cpf_cnpj)).await?;
    let mut nota = view::note(&found.note, time);
    nota["eventos"] = json!(found.events.iter().map(|event| view::event(event, time)).collect::<Vec<_>>());
    Ok(Json(nota))
}
