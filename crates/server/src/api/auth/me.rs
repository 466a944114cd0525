//! `GET /v1/auth/me`: who is calling. A key is nobody in person: `usuario` is null then.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use store::audit::Who;

use super::token::usuario;
use crate::api::caller::Acting;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /v1/auth/me`
pub(crate) async fn me(State(app): State<App>, Acting(caller, actor): Acting) -> Result<Json<Value>, ApiError> {
    let account = app.store().account(caller.tenant_id).await?;
    let user = match actor.who {
        Who::User(id) => Some(app.store().user(caller.tenant_id, id).await?),
        _ => None,
    };
    let keys = app.store().list_api_keys(caller.tenant_id).await?;
    let key = keys.into_iter().find(|key| key.id == caller.api_key_id);
    Ok(Json(json!({
        "sucesso": true,
        "usuario": user.as_ref().map(usuario),
        "tenant": { "id": account.id, "nome": account.nome },
        "ambiente": caller.ambiente.word(),
        "autenticacao": actor.who.word(),
        "chave": key.map(|key| json!({ "id": key.id, "nome": key.nome, "prefixo": key.prefixo })),
    })))
}
