//! `GET /` and `GET /health`: the service card, and the sign of life that asks nobody.

use axum::Json;
use serde_json::{Value, json};

/// `GET /`
pub(crate) async fn card() -> Json<Value> {
    Json(json!({
        "servico": "Carimbo",
        "descricao": "Emissão e gestão de documentos fiscais eletrônicos",
        "versao": crate::VERSION,
        "api": "/v1",
        "saude": "/health",
        "status": "/status",
        "documentacao": "/docs",
        "openapi": "/docs/json",
        "console": "/swagger",
        "erros": "/docs/erros",
    }))
}

/// `GET /health`
pub(crate) async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}
