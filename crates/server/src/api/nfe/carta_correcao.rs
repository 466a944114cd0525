//! `POST /v1/nfe/carta-correcao`: a correction, as a job of its own and an event with the next sequence number of its
//! NF-e.
//!
//! Law: `docs/contract.md`, "Emission"; Ajuste SINIEF 07/05, cláusula décima quarta-A (fields that may be corrected).

use axum::extract::State;
use axum::response::Response;
use engine::event::Act;
use fiscal::tipo::Tipo;

use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::documento::evento::{self, Route};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfe/carta-correcao`
pub(crate) async fn carta_correcao(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    evento::register(&app, &caller, &body, ROUTE).await
}

pub(in crate::api) const ROUTE: Route = Route { tipo: Tipo::Nfe, act, campo: "correcao", accepted: ACCEPTED };

fn act(fields: &mut Fields<'_>) -> Option<Act> {
    let correcao = evento::text_of(fields, "correcao", "Informe correcao, o texto da correção.", 15..=1000)?;
    Some(Act::Corrigir { correcao })
}

const ACCEPTED: &str = "Carta de correção aceita para processamento. Ela substitui as anteriores da mesma nota: repita nela o que \
                        continua valendo. Acompanhe por consulta ou webhook.";
