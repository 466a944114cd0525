//! `POST /v1/auth/logout`: ends the session of the token.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::api::caller::Session;
use crate::api::error::ApiError;
use crate::app::App;

/// `POST /v1/auth/logout`
pub(crate) async fn logout(State(app): State<App>, session: Session) -> Result<Json<Value>, ApiError> {
    let Session { at, actor } = session;
    app.store().end_session(at.caller.tenant_id, at.session_id, &actor, app.now()).await?;
    Ok(Json(json!({ "sucesso": true, "mensagem": "Sessão encerrada; o token não vale mais." })))
}
