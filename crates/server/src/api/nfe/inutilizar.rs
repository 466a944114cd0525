//! `POST /v1/nfe/inutilizar` and `POST /v1/nfce/inutilizar`: voids unused numbers, as a job of its own.
//!
//! Law: `docs/contract.md`, "Emission".

use axum::extract::State;
use axum::response::Response;
use engine::acceptance::assisted::PreparedAct;
use engine::order::void::VoidRequest;
use outbound::AddressPolicy;
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::jobs::RegistrationResult;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::act_refusal::{act_refusal, void_refusal};
use crate::api::documento::document_type::VoidableType;
use crate::api::documento::{evento, wrapper};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/nfe/inutilizar`, `POST /v1/nfce/inutilizar`
pub(crate) async fn inutilizar<F: VoidableType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let registered = submit_void::<F>(&app, &caller, &body).await?;
    evento::answer(&app, caller.ambiente, registered, ACCEPTED).await
}

/// Reads the request and registers its job.
pub(crate) async fn submit_void<F: VoidableType>(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
) -> Result<RegistrationResult, ApiError> {
    let request = read::<F>(body, app.reach())?;
    app.engine().void(caller, request).await.map_err(|error| void_refusal(F::TIPO, error))
}

pub(crate) fn read<F: VoidableType>(body: &Map<String, Value>, reach: &AddressPolicy) -> Result<VoidRequest, ApiError> {
    let mut fields = BodyFields::of(body);
    let company = wrapper::company(&mut fields);
    let serie = within(&mut fields, "serie", 0, 999);
    let from = required(&mut fields, "numero_inicial", "Informe numero_inicial, o primeiro número a inutilizar.");
    let until = within(&mut fields, "numero_final", 1, LAST_NUMBER);
    let ano = ano(&mut fields);
    let missing = "Informe justificativa, por que os números não serão usados.";
    let justificativa = evento::text_of(&mut fields, "justificativa", missing, 15..=255);
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let (Some(cpf_cnpj), Some(from), Some(justificativa)) = (company, from, justificativa) else {
        return Err(ApiError::internal());
    };
    let (nNFIni, nNFFin) = (from, until.unwrap_or(from));
    let serie = serie.and_then(|serie| u16::try_from(serie).ok());
    Ok(VoidRequest { cpf_cnpj, modelo: F::MODELO, serie, nNFIni, nNFFin, ano, justificativa, referencia, webhook_url })
}

/// Stores the order until a person has decided.
pub(in crate::api) async fn prepare_voiding<F: VoidableType>(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
) -> Result<PreparedAct, ApiError> {
    let request = read::<F>(body, app.reach())?;
    let prepared = app.engine().prepare_void(caller, request, app.limits().account.open_preparations()).await;
    prepared.map_err(|error| act_refusal(error, F::TIPO, "justificativa"))
}

/// nNF has nine digits.
const LAST_NUMBER: u32 = 999_999_999;

fn required(fields: &mut BodyFields<'_>, name: &'static str, missing: &str) -> Option<u32> {
    if fields.value(&[name]).is_none() {
        fields.refuse(&error_code::CAMPO_OBRIGATORIO, name, missing);
        return None;
    }
    within(fields, name, 1, LAST_NUMBER)
}

fn within(fields: &mut BodyFields<'_>, name: &'static str, least: u32, most: u32) -> Option<u32> {
    let number = fields.integer(name)?;
    match u32::try_from(number) {
        Ok(number) if (least..=most).contains(&number) => Some(number),
        _ => {
            let mensagem = format!("{name} deve ser um número inteiro de {least} a {most}; veio {number}.");
            fields.refuse(&error_code::VALIDACAO, name, mensagem);
            None
        }
    }
}

/// `ano`, of two digits or four.
fn ano(fields: &mut BodyFields<'_>) -> Option<u8> {
    let year = within(fields, "ano", 6, 2099)?;
    let digits = match year {
        2000..=2099 => year - 2000,
        year => year,
    };
    match u8::try_from(digits) {
        Ok(digits) if digits < 100 => Some(digits),
        _ => {
            fields.refuse(
                &error_code::VALIDACAO,
                "ano",
                format!("ano deve ter dois ou quatro dígitos, como 26 ou 2026; veio {year}."),
            );
            None
        }
    }
}

const ACCEPTED: &str = "Inutilização aceita para processamento. Os números da faixa já não são dados a notas. \
                        Acompanhe por consulta ou webhook.";
