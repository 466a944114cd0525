//! `POST /v1/cte/carta-correcao`: corrects single fields of a CT-e; each letter repeats the corrections of those before
//! it.
//!
//! Law: `docs/contract.md`, "CT-e"; Ajuste SINIEF 9/07; MOC CT-e 4.00, anexo I, 110110.

use axum::extract::State;
use axum::response::Response;
use engine::order::act_request::DocumentAct;
use fiscal::event::cte::CteCorrection;
use fiscal::tipo::Tipo;
use serde_json::Value;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::evento::{self, ActRoute};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/cte/carta-correcao`
pub(crate) async fn carta_correcao(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    evento::register(&app, &caller, &body, ROUTE).await
}

pub(crate) const ROUTE: ActRoute = ActRoute { tipo: Tipo::Cte, act, campo: "correcoes", accepted: ACCEPTED };

fn act(fields: &mut BodyFields<'_>) -> Option<DocumentAct> {
    match fields.value(&["correcoes"]) {
        Some((_, Value::Array(listed))) if (1..=MOST).contains(&listed.len()) => corrections(fields, listed),
        Some(_) => {
            let mensagem = format!("correcoes deve ser uma lista de 1 a {MOST} correções.");
            fields.refuse(&error_code::VALIDACAO, "correcoes", mensagem);
            None
        }
        None => {
            let mensagem = "Informe correcoes: uma lista de { grupo, campo, valor, item }.";
            fields.refuse(&error_code::CAMPO_OBRIGATORIO, "correcoes", mensagem);
            None
        }
    }
}

fn corrections(fields: &mut BodyFields<'_>, listed: &[Value]) -> Option<DocumentAct> {
    let read: Vec<Option<CteCorrection>> = listed.iter().map(CteCorrection::read).collect();
    for (at, _) in read.iter().enumerate().filter(|(_, read)| read.is_none()) {
        let mensagem = "Cada correção tem grupo, campo e valor (textos), e item quando o grupo se repete.";
        fields.refuse(&error_code::VALIDACAO, &format!("correcoes[{at}]"), mensagem);
    }
    let correcoes = read.into_iter().collect::<Option<Vec<CteCorrection>>>()?;
    Some(DocumentAct::CorrigirCampos { correcoes })
}

/// Corrections of a letter, not counting those of earlier letters that are added.
const MOST: usize = 100;

const ACCEPTED: &str = "Carta de correção aceita para processamento. O serviço repete nela as correções anteriores do CT-e. Acompanhe por \
                        consulta ou webhook.";
