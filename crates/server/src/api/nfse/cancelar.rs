//! `POST /v1/nfse/cancelar`: a cancellation (e101101), as a job of its own.
//!
//! Law: `docs/contract.md`, "NFS-e" (`codigo_motivo`).

use axum::extract::State;
use axum::response::Response;
use engine::order::act_request::DocumentAct;
use fiscal::tipo::Tipo;

use super::motivo::reason_fields;
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::cancelar::ACCEPTED;
use crate::api::documento::evento::{self, ActRoute};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/nfse/cancelar`
pub(crate) async fn cancelar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    evento::register(&app, &caller, &body, ROUTE).await
}

pub(crate) const ROUTE: ActRoute = ActRoute { tipo: Tipo::Nfse, act, campo: "justificativa", accepted: ACCEPTED };

fn act(fields: &mut BodyFields<'_>) -> Option<DocumentAct> {
    let (justificativa, codigo_motivo) = reason_fields(fields, "Informe justificativa, o motivo do cancelamento.")?;
    let codigo_cancelamento = code_of(fields);
    Some(DocumentAct::Cancelar { justificativa, substituta: None, codigo_motivo, codigo_cancelamento })
}

/// `codigo_motivo` of a municipal NFS-e, 1 to 5, as a number or as text.
fn code_of(fields: &mut BodyFields<'_>) -> Option<String> {
    let (_, value) = fields.value(&["codigo_cancelamento"])?;
    let text = value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
    if !["1", "2", "3", "4", "5"].contains(&text.as_str()) {
        let mensagem = "codigo_cancelamento deve ser 1 (erro na emissão), 2 (serviço não prestado), 3 (erro de assinatura), 4 (duplicidade) ou 5 (erro de \
                        processamento); só a NFS-e municipal o leva.";
        fields.refuse(&error_code::VALIDACAO, "codigo_cancelamento", mensagem);
    }
    Some(text)
}
