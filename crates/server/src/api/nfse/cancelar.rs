//! `POST /v1/nfse/cancelar`: a cancellation (e101101) is a job of its own.
//!
//! Law: `spec/interface.md` (NFS-e); `spec/not-shown.md` 11.2 (`codigo_motivo`).

use axum::extract::State;
use axum::response::Response;
use engine::event::Act;
use fiscal::tipo::Tipo;

use super::motivo::said;
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::documento::cancelar::ACCEPTED;
use crate::api::documento::evento::{self, Route};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfse/cancelar`
pub(crate) async fn cancelar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    evento::register(&app, &caller, &body, ROUTE).await
}

pub(super) const ROUTE: Route = Route { tipo: Tipo::Nfse, act, campo: "justificativa", accepted: ACCEPTED };

fn act(fields: &mut Fields<'_>) -> Option<Act> {
    let (justificativa, codigo_motivo) = said(fields, "Informe justificativa, o motivo do cancelamento.")?;
    Some(Act::Cancelar { justificativa, substituta: None, codigo_motivo })
}
