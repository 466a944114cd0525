//! `POST /v1/nfe/carta-correcao`: a correction is a job of its own, and an event under the next sequence number of its note.
//!
//! Law: `spec/not-shown.md` §4; Ajuste SINIEF 07/05, cláusula décima quarta-A (what may be corrected).

use axum::extract::State;
use axum::response::Response;
use engine::event::{Act, EventRequest};
use outbound::Reach;
use serde_json::{Map, Value};

use super::{evento, wrapper};
use crate::api::body::{Fields, JsonObject};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfe/carta-correcao`
pub(crate) async fn carta_correcao(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let request = read(&body, app.reach())?;
    let job = app.engine().act(&caller, request).await;
    let job = job.map_err(|error| evento::refusal(error, "NF-e", "correcao"))?;
    evento::answer(&app, job, ACCEPTED).await
}

fn read(body: &Map<String, Value>, reach: &Reach) -> Result<EventRequest, ApiError> {
    let mut fields = Fields::of(body);
    let company = wrapper::company(&mut fields);
    let target = evento::target(&mut fields);
    let correcao = evento::text_of(&mut fields, "correcao", "Informe correcao, o texto da correção.", 15..=1000);
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let (Some(cpf_cnpj), Some(target), Some(correcao)) = (company, target, correcao) else {
        return Err(ApiError::internal());
    };
    Ok(EventRequest { cpf_cnpj, tipo: "nfe", target, act: Act::Corrigir { correcao }, referencia, webhook_url })
}

const ACCEPTED: &str = "Carta de correção aceita para processamento. Ela substitui as anteriores da mesma nota: repita nela o que \
                        continua valendo. Acompanhe por consulta ou webhook.";
