//! `POST /v1/nfe/ator-interessado`: the issuer allows a carrier to download the NF-e.
//!
//! Law: NT 2020.007 (event 110150, at the Ambiente Nacional); `docs/contract.md`, "Emission" for the shape.

use axum::extract::State;
use axum::response::Response;
use engine::order::act_request::DocumentAct;
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use serde_json::Value;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::evento::{self, ActRoute};
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `POST /v1/nfe/ator-interessado`
pub(crate) async fn ator_interessado(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let route = ActRoute { tipo: Tipo::Nfe, act, campo: "ator", accepted: ACCEPTED };
    evento::register(&app, &caller, &body, route).await
}

fn act(fields: &mut BodyFields<'_>) -> Option<DocumentAct> {
    let (ator, permite) = (ator(fields), permite(fields));
    Some(DocumentAct::Autorizar { ator: ator?, permite })
}

/// `ator`: the CNPJ or CPF of a carrier.
fn ator(fields: &mut BodyFields<'_>) -> Option<CnpjCpf> {
    let missing = "Informe ator, o CNPJ ou CPF do transportador que poderá obter a nota.";
    let text = fields.required_text(&["ator", "cpf_cnpj_ator"], missing)?;
    match CnpjCpf::parse(text) {
        Ok(ator) => Some(ator),
        Err(wrong) => {
            fields.refuse(&error_code::VALIDACAO, "ator", format!("ator inválido: {wrong}."));
            None
        }
    }
}

/// `permite_subcontratacao`: true when that carrier may name others; false when absent.
fn permite(fields: &mut BodyFields<'_>) -> bool {
    match fields.value(&["permite_subcontratacao"]) {
        None => false,
        Some((_, Value::Bool(permite))) => *permite,
        Some((name, _)) => {
            fields.refuse(&error_code::REQUISICAO_INVALIDA, name, "permite_subcontratacao deve ser true ou false.");
            false
        }
    }
}

const ACCEPTED: &str = "Evento aceito para processamento. Acompanhe por consulta ou webhook.";
