//! `GET /v1/nfe/recebidas/{chave}/xml`: the document as the Ambiente Nacional handed it out.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::header;

use super::{asked, or_unknown};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::app::App;
use store::Sight;

/// `GET /v1/nfe/recebidas/{chave}/xml?cpf_cnpj`
pub(crate) async fn xml(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let (chave, of) = asked(&chave, query.as_deref())?;
    let (text, whole) = app.store().received_xml(Sight::of(&caller), chave.clone(), of).await.map_err(or_unknown)?;
    let kind = if whole { "procNFe" } else { "resNFe" };
    let disposition = format!("attachment; filename=\"{chave}-{kind}.xml\"");
    let headers =
        [(header::CONTENT_TYPE, "application/xml; charset=utf-8"), (header::CONTENT_DISPOSITION, disposition.as_str())];
    Ok((headers, text).into_response())
}
