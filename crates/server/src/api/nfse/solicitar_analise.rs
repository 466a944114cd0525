//! `POST /v1/nfse/solicitar-analise`: asks the município to cancel an NFS-e that its issuer can no longer cancel
//! (e101103). A job of its own.
//!
//! Law: `docs/contract.md`, "NFS-e"; the route is ours, in the style of the cancellation.

use axum::extract::State;
use axum::response::Response;
use engine::event::Act;
use fiscal::tipo::Tipo;

use super::motivo::said;
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::documento::evento::{self, Route};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfse/solicitar-analise`
pub(crate) async fn solicitar_analise(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let route = Route { tipo: Tipo::Nfse, act, campo: "justificativa", accepted: ACCEPTED };
    evento::register(&app, &caller, &body, route).await
}

fn act(fields: &mut Fields<'_>) -> Option<Act> {
    let missing = "Informe justificativa, o motivo pelo qual o município deve cancelar a nota.";
    let (justificativa, codigo_motivo) = said(fields, missing)?;
    Some(Act::SolicitarAnalise { justificativa, codigo_motivo })
}

const ACCEPTED: &str = "Pedido de análise fiscal aceito para processamento. Acompanhe por consulta ou webhook.";
