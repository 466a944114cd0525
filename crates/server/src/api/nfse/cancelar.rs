//! `POST /v1/nfse/cancelar`: a cancellation (e101101) is a job of its own.
//!
//! Law: `spec/interface.md` (NFS-e); `spec/not-shown.md` 11.2 (`codigo_motivo`).

use axum::extract::State;
use axum::response::Response;
use engine::event::Act;
use fiscal::tipo::Tipo;

use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::code;
use crate::api::documento::cancelar::ACCEPTED;
use crate::api::documento::evento::{self, Route};
use crate::api::error::ApiError;
use crate::app::App;

/// 1 error of emission, 2 service not rendered, 9 others.
const REASONS: [&str; 3] = ["1", "2", "9"];

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
    let codigo_motivo = reason(fields);
    let missing = "Informe justificativa, o motivo do cancelamento.";
    let justificativa = evento::text_of(fields, "justificativa", missing, 15..=255)?;
    Some(Act::Cancelar { justificativa, substituta: None, codigo_motivo })
}

/// As a number or as text.
pub(super) fn reason(fields: &mut Fields<'_>) -> Option<String> {
    let (_, value) = fields.value(&["codigo_motivo"]).filter(|(_, value)| !value.is_null())?;
    let text = value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
    if text.is_empty() {
        return None;
    }
    if !REASONS.contains(&text.as_str()) {
        let mensagem = "codigo_motivo deve ser 1 (erro na emissão), 2 (serviço não prestado) ou 9 (outros).";
        fields.refuse(&code::VALIDACAO, "codigo_motivo", mensagem);
    }
    Some(text)
}
