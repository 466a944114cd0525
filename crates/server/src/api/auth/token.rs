//! The answer that gives a token: of a login, of the other environment, of a new password.

use axum::Json;
use serde_json::{Value, json};
use store::sessions::SessionCaller;
use store::users::User;

use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::app::App;
use crate::token::Claims;

/// How long a token is good, seconds.
pub(super) const LIFETIME_S: i64 = engine::clock::SESSION_S;

/// Signs the token of a session that begins now.
pub(super) fn answer(app: &App, session: &SessionCaller, user: &User, now: i64) -> Result<Json<Value>, ApiError> {
    let claims = Claims {
        tenant_id: session.caller.tenant_id,
        user_id: session.user_id,
        session_id: session.session_id,
        ambiente: session.caller.ambiente,
        issued_at: now,
        expires_at: now + LIFETIME_S,
    };
    let token = app.tokens().sign(&claims).map_err(|error| ApiError::broken(&error))?;
    Ok(Json(json!({
        "sucesso": true,
        "token": *token,
        "access_token": *token,
        "token_type": "Bearer",
        "expires_in": LIFETIME_S,
        "expira_em": StateTime::of(None).json(claims.expires_at),
        "ambiente": session.caller.ambiente.word(),
        "usuario": usuario(user),
        "tenant": { "id": user.tenant_id, "nome": user.tenant_nome },
    })))
}

/// A user as answers show it.
pub(super) fn usuario(user: &User) -> Value {
    json!({ "id": user.id, "nome": user.nome, "email": user.email })
}
