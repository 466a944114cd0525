//! Tools that prepare a document, or an act on one, for a person's decision.

use fiscal::tipo::Tipo;
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::answer_value;
use crate::api::body::JsonObject as Body;
use crate::api::documento::preparar;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::nfe;
use crate::mcp::argument::text;
use crate::mcp::confirmation;
use crate::mcp::tool::{ToolContext, ToolFuture};

pub(super) fn preparar_nfe(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let answered = nfe::preparar::preparar(visit.state(), visit.authenticated(), Body(arguments)).await;
        answer_value(answered).map(|prepared| with_page_url(&visit, prepared))
    })
}

pub(super) fn preparar(visit: ToolContext, mut arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let tipo = documento(&mut arguments, DOCUMENTS)?;
        let prepared = preparar::emission(&visit.app, visit.caller.clone(), tipo, arguments).await;
        given(&visit, prepared)
    })
}

pub(super) fn preparar_cancelamento(visit: ToolContext, mut arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let tipo = documento(&mut arguments, CANCELLED)?;
        let prepared = preparar::cancellation(&visit.app, &visit.caller, tipo, &arguments).await;
        given(&visit, prepared)
    })
}

pub(super) fn preparar_correcao(visit: ToolContext, mut arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let tipo = documento(&mut arguments, CORRECTED)?;
        let prepared = preparar::correction(&visit.app, &visit.caller, tipo, &arguments).await;
        given(&visit, prepared)
    })
}

pub(super) fn preparar_inutilizacao(visit: ToolContext, mut arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let tipo = documento(&mut arguments, VOIDED)?;
        let prepared = preparar::voiding(&visit.app, &visit.caller, tipo, &arguments).await;
        given(&visit, prepared)
    })
}

/// Removes and reads the document type, which must be one of `known`.
fn documento(arguments: &mut JsonObject, known: &[&str]) -> Result<Tipo, ApiError> {
    let word = text(arguments, "documento")?.unwrap_or_default();
    arguments.remove("documento");
    let tipo = Tipo::from_word(&word).filter(|_| known.contains(&word.as_str()));
    tipo.ok_or_else(|| {
        let detail = format!("documento deve ser um destes: {}.", known.join(", "));
        ApiError::new(&error_code::REQUISICAO_INVALIDA, detail).at("documento")
    })
}

fn given(visit: &ToolContext, prepared: Result<impl Serialize, ApiError>) -> Result<Value, ApiError> {
    let prepared = serde_json::to_value(prepared?).map_err(|error| ApiError::broken(&error))?;
    Ok(with_page_url(visit, prepared))
}

/// Adds the URL of the approval page, under the host that the caller used.
fn with_page_url(visit: &ToolContext, mut prepared: Value) -> Value {
    if let Some(id) = prepared["id_confirmacao"].as_str().and_then(|id| Uuid::parse_str(id).ok()) {
        prepared["url_confirmacao"] = Value::from(confirmation::address(visit, id));
    }
    prepared
}

/// Documents of the tool `preparar`; an NF-e has a tool of its own.
pub(super) const DOCUMENTS: &[&str] = &["nfce", "cte", "nfse"];
pub(super) const CANCELLED: &[&str] = &["nfe", "nfce", "cte", "nfse"];
pub(super) const CORRECTED: &[&str] = &["nfe", "cte"];
pub(super) const VOIDED: &[&str] = &["nfe", "nfce"];
