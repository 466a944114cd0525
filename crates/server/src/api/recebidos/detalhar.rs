//! `GET /v1/nfe/recebidas/{chave}`, `GET /v1/cte/recebidos/{chave}` and `GET /v1/nfse/recebidas/{chave}`: a received
//! document with its events.

use store::Visibility;
use store::accounts::Caller;
use store::received::ReceivedDocument;

use super::view::{ReceivedEventView, event};
use super::{or_unknown, read_target};
use crate::api::documento::document_type::DistributedType;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;

/// View of a document and of its events, in the civil time of the receiving company.
pub(crate) async fn received_detail<F: DistributedType, V>(
    app: &App,
    caller: &Caller,
    chave: &str,
    query: Option<&str>,
    shown: fn(ReceivedDocument, CivilTime) -> V,
) -> Result<(V, Vec<ReceivedEventView>), ApiError> {
    let (chave, of) = read_target::<F>(chave, query)?;
    let found = app.store().received_document(Visibility::of(caller), F::TIPO, chave, of).await;
    let found = found.map_err(or_unknown::<F>)?;
    let time = CivilTime::of_issuer(app.store(), caller.tenant_id, Some(found.note.cpf_cnpj)).await?;
    let eventos = found.events.into_iter().map(|one| event(one, time)).collect();
    Ok((shown(found.note, time), eventos))
}
