//! `POST /v1/{nfe|nfce|cte}/cancelar`: a cancellation, as a job of its own. An NFC-e replaced by another one is
//! cancelled by substitution (110112).
//!
//! Law: `docs/contract.md`, "Emission"; NT 2018.004.

use axum::extract::State;
use axum::response::Response;
use engine::order::act_request::DocumentAct;
use fiscal::tipo::Tipo;

use super::document_type::DocumentType;
use super::evento::{self, ActRoute};
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfe/cancelar`, also of `nfce` and `cte`
pub(crate) async fn cancelar<F: DocumentType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    evento::register(&app, &caller, &body, route(F::TIPO)).await
}

/// Route of documents that an event of the SEFAZ cancels.
pub(crate) const fn route(tipo: Tipo) -> ActRoute {
    ActRoute { tipo, act, campo: "justificativa", accepted: ACCEPTED }
}

fn act(fields: &mut BodyFields<'_>) -> Option<DocumentAct> {
    let substituta = evento::substitute(fields);
    let missing = "Informe justificativa, o motivo do cancelamento.";
    let justificativa = evento::text_of(fields, "justificativa", missing, 15..=255)?;
    Some(DocumentAct::Cancelar { justificativa, substituta, codigo_motivo: None, codigo_cancelamento: None })
}

/// Message of the 202.
pub(in crate::api) const ACCEPTED: &str = "Cancelamento aceito para processamento. Acompanhe por consulta ou webhook.";
