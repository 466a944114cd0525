//! `POST /v1/nfe/cancelar` and `POST /v1/nfce/cancelar`: a cancellation is a job of its own.
//!
//! Law: `spec/interface.md`, NF-e cancellation request; `spec/not-shown.md` §4.

use axum::extract::State;
use axum::response::Response;
use engine::event::{Act, EventRequest};
use outbound::Reach;
use serde_json::{Map, Value};

use super::family::Family;
use super::{evento, wrapper};
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfe/cancelar`, `POST /v1/nfce/cancelar`
pub(crate) async fn cancelar<F: Family>(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let request = read::<F>(&body, app.reach())?;
    let job = app.engine().act(&caller, request).await;
    let job = job.map_err(|error| evento::refusal(error, F::NOME, "justificativa"))?;
    evento::answer(&app, job, ACCEPTED).await
}

fn read<F: Family>(body: &Map<String, Value>, reach: &Reach) -> Result<EventRequest, ApiError> {
    let mut fields = Fields::of(body);
    let company = wrapper::company(&mut fields);
    let target = evento::target(&mut fields);
    let missing = "Informe justificativa, o motivo do cancelamento.";
    let justificativa = evento::text_of(&mut fields, "justificativa", missing, 15..=255);
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let (Some(cpf_cnpj), Some(target), Some(justificativa)) = (company, target, justificativa) else {
        return Err(ApiError::internal());
    };
    let act = Act::Cancelar { justificativa, substituta: None };
    Ok(EventRequest { cpf_cnpj, tipo: F::TIPO, target, act, referencia, webhook_url })
}

/// The message of the 202.
pub(in crate::api) const ACCEPTED: &str = "Cancelamento aceito para processamento. Acompanhe por consulta ou webhook.";
