//! `GET /v1/nfe/recebidas/{chave}/xml`, `GET /v1/cte/recebidos/{chave}/xml` and `GET /v1/nfse/recebidas/{chave}/xml`:
//! the document as the authority distributed it.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::header;

use super::{or_unknown, read_target};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::DistributedType;
use crate::api::error::ApiError;
use crate::app::App;
use fiscal::value::CnpjCpf;
use store::Visibility;
use store::accounts::Caller;

/// `GET …/{chave}/xml?cpf_cnpj`
pub(crate) async fn xml<F: DistributedType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(chave): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let (chave, of) = read_target::<F>(&chave, query.as_deref())?;
    received_file::<F>(&app, &caller, chave, of).await
}

/// The document as a file for download.
pub(crate) async fn received_file<F: DistributedType>(
    app: &App,
    caller: &Caller,
    chave: String,
    of: Option<CnpjCpf>,
) -> Result<Response, ApiError> {
    let found = app.store().received_xml(Visibility::of(caller), F::TIPO, chave.clone(), of).await;
    let (text, whole) = found.map_err(or_unknown::<F>)?;
    let [with_protocol, summary] = F::FILES;
    let kind = if whole { with_protocol } else { summary };
    let disposition = format!("attachment; filename=\"{chave}-{kind}.xml\"");
    let headers =
        [(header::CONTENT_TYPE, "application/xml; charset=utf-8"), (header::CONTENT_DISPOSITION, disposition.as_str())];
    Ok((headers, text).into_response())
}
