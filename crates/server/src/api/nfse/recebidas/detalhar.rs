//! `GET /v1/nfse/recebidas/{chave}`: one NFS-e that was handed out with its events.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use fiscal::tipo::Tipo;
use store::Sight;

use super::view::{self, ReceivedNfseWithEventsView};
use crate::api::caller::Authenticated;
use crate::api::documento::family::Nfse;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::recebidos::{asked, or_unknown, view::event};
use crate::app::App;

/// `GET /v1/nfse/recebidas/{chave}?cpf_cnpj`
pub(crate) async fn detalhar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<ReceivedNfseWithEventsView>, ApiError> {
    let (chave, of) = asked::<Nfse>(&chave, query.as_deref())?;
    let found = app.store().received_document(Sight::of(&caller), Tipo::Nfse, chave, of).await;
    let found = found.map_err(or_unknown::<Nfse>)?;
    let time = StateTime::of_issuer(app.store(), caller.tenant_id, Some(found.note.cpf_cnpj)).await?;
    let eventos = found.events.into_iter().map(|one| event(one, time)).collect();
    Ok(Json(ReceivedNfseWithEventsView { nota: view::nfse(found.note, time), eventos }))
}
