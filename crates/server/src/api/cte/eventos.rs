//! `POST /v1/cte/eventos`: all other events of a CT-e, by its carrier or by its payer.
//!
//! Law: `docs/contract.md`, "CT-e"; MOC CT-e 4.00, anexo I, chapters of each event.

use axum::extract::State;
use axum::response::Response;
use engine::order::act_request::DocumentAct;
use fiscal::event::cte::CteEventKind;
use fiscal::tipo::Tipo;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::evento::{self, ActRoute};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/cte/eventos`
pub(crate) async fn registrar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let route = ActRoute { tipo: Tipo::Cte, act, campo: "dados", accepted: ACCEPTED };
    evento::register(&app, &caller, &body, route).await
}

fn act(fields: &mut BodyFields<'_>) -> Option<DocumentAct> {
    let kind = requested_event(fields);
    let missing = "Informe dados: os campos do evento, pelas tags oficiais.";
    let dados = match (fields.value(&["dados"]), kind) {
        // the service knows the content of an event that cancels another
        (None, Some(kind)) if kind.undoes() => Some(serde_json::Map::new()),
        _ => fields.required_object("dados", missing).cloned(),
    };
    Some(DocumentAct::Registrar { kind: kind?, dados: dados? })
}

fn requested_event(fields: &mut BodyFields<'_>) -> Option<CteEventKind> {
    let words = CteEventKind::COMMON_ROUTE.join(", ");
    let text = fields.required_text(&["tipo"], &format!("Informe tipo: {words}."))?;
    let found = CteEventKind::from_word(text).filter(|kind| CteEventKind::COMMON_ROUTE.contains(&kind.word()));
    if found.is_none() {
        fields.refuse(&error_code::VALIDACAO, "tipo", format!("tipo deve ser um destes: {words}."));
    }
    found
}

const ACCEPTED: &str = "Evento aceito para processamento. Acompanhe por consulta ou webhook.";
