//! `POST /v1/nfse/solicitar-analise`: asks the município to cancel an NFS-e that its issuer can no longer cancel
//! (e101103). A job of its own.
//!
//! Law: `docs/contract.md`, "NFS-e"; the route is ours, in the style of the cancellation.

use axum::extract::State;
use axum::response::Response;
use engine::order::act_request::DocumentAct;
use fiscal::tipo::Tipo;

use super::motivo::reason_fields;
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::evento::{self, ActRoute};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfse/solicitar-analise`
pub(crate) async fn solicitar_analise(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    evento::register(&app, &caller, &body, ROUTE).await
}

pub(crate) const ROUTE: ActRoute = ActRoute { tipo: Tipo::Nfse, act, campo: "justificativa", accepted: ACCEPTED };

fn act(fields: &mut BodyFields<'_>) -> Option<DocumentAct> {
    let missing = "Informe justificativa, o motivo pelo qual o município deve cancelar a nota.";
    let (justificativa, codigo_motivo) = reason_fields(fields, missing)?;
    Some(DocumentAct::SolicitarAnalise { justificativa, codigo_motivo })
}

const ACCEPTED: &str = "Pedido de análise fiscal aceito para processamento. Acompanhe por consulta ou webhook.";
