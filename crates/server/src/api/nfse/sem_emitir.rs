//! `POST /v1/nfse/verificar-campos` and `POST /v1/nfse/previa`: findings and printed form of an emission, by the
//! protocol of the company: a DPS of the national layout, or an RPS of a municipal provider.
//!
//! Law: `docs/contract.md`, "Checking and preparing" and "NFS-e" (choice of the protocol).

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use fiscal::tipo::{DPS, RPS};
use fiscal::value::CnpjCpf;
use serde_json::{Map, Value};
use store::accounts::Caller;

use crate::api::body::JsonObject;
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::{MunicipalNfse, NationalNfse};
use crate::api::documento::previa::draw_preview;
use crate::api::documento::verificar::{CheckView, check_payload};
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/nfse/verificar-campos`
pub(crate) async fn verificar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<CheckView>, ApiError> {
    match model(&app, &caller, &body).await? {
        RPS => check_payload::<MunicipalNfse>(&app, &caller, body).await,
        _ => check_payload::<NationalNfse>(&app, &caller, body).await,
    }
}

/// `POST /v1/nfse/previa`
pub(crate) async fn previa(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    match model(&app, &caller, &body).await? {
        RPS => draw_preview::<MunicipalNfse>(&app, caller, query.as_deref(), body).await,
        _ => draw_preview::<NationalNfse>(&app, caller, query.as_deref(), body).await,
    }
}

/// Model of the company's NFS-e; the DPS when the body names no company, which both models refuse alike.
pub(in crate::api) async fn model(app: &App, caller: &Caller, body: &Map<String, Value>) -> Result<u8, ApiError> {
    let company = body.get("cpf_cnpj").and_then(Value::as_str).and_then(|text| CnpjCpf::parse(text).ok());
    match company {
        Some(company) => Ok(app.engine().model_of_services(caller, company).await?),
        None => Ok(DPS),
    }
}
