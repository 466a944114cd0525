//! `POST /v1/nfe/carta-correcao`: a correction, as a job of its own and an event with the next sequence number of its
//! NF-e.
//!
//! Law: `docs/contract.md`, "Emission"; Ajuste SINIEF 07/05, cláusula décima quarta-A (fields that may be corrected).

use axum::extract::State;
use axum::response::Response;
use engine::order::act_request::DocumentAct;
use fiscal::tipo::Tipo;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::evento::{self, ActRoute};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfe/carta-correcao`
pub(crate) async fn carta_correcao(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    evento::register(&app, &caller, &body, ROUTE).await
}

pub(crate) const ROUTE: ActRoute = ActRoute { tipo: Tipo::Nfe, act, campo: "correcao", accepted: ACCEPTED };

fn act(fields: &mut BodyFields<'_>) -> Option<DocumentAct> {
    let correcao = evento::text_of(fields, "correcao", "Informe correcao, o texto da correção.", 15..=1000)?;
    Some(DocumentAct::Corrigir { correcao })
}

const ACCEPTED: &str = "Carta de correção aceita para processamento. Ela substitui as anteriores da mesma nota: repita nela o que \
                        continua valendo. Acompanhe por consulta ou webhook.";
