//! Half a sign-in: the password was right, the code of the second factor is missing. A cookie signed by a key of its
//! own, for five minutes, which opens the code's page and nothing else.
//!
//! Its session id is a digest of the password's hash: with another password it is over.

use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fiscal::value::TpAmb;
use http::request::Parts;
use http::{HeaderValue, header};
use store::users::User;
use uuid::Uuid;

use super::panel_session;
use crate::api::error::ApiError;
use crate::app::App;
use crate::token::Claims;

const HALF: &str = "carimbo_meia";
const LASTS_S: i64 = 300;

/// Half a sign-in.
pub(super) struct HalfSession {
    pub(super) user: User,
    pub(super) ambiente: TpAmb,
    /// Proof of the code's form.
    pub(super) proof: String,
}

/// Begins half a sign-in, and leads to the code's page.
pub(super) fn begin(
    app: &App,
    parts: &Parts,
    user: &User,
    ambiente: TpAmb,
    confirmar: Option<Uuid>,
) -> Result<Response, ApiError> {
    let now = app.engine().now_s();
    let claims = Claims {
        tenant_id: user.tenant_id,
        user_id: user.id,
        session_id: password_mark(app, user)?,
        ambiente,
        issued_at: now,
        expires_at: now + LASTS_S,
    };
    let token = app.half_tokens().sign(&claims).map_err(|error| ApiError::broken(&error))?;
    let cookie = panel_session::set(parts, app, HALF, &token, LASTS_S)?;
    let to = match confirmar {
        Some(id) => format!("/painel/entrar/codigo?confirmar={id}"),
        None => "/painel/entrar/codigo".to_owned(),
    };
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&to)).into_response())
}

/// The half sign-in of the request's cookie.
pub(super) async fn current(app: &App, parts: &Parts) -> Result<Option<HalfSession>, ApiError> {
    let now = app.engine().now_s();
    let Some(token) = panel_session::cookie(parts, app, HALF) else { return Ok(None) };
    let Ok(claims) = app.half_tokens().read(&token, now) else { return Ok(None) };
    let user = match app.store().user(claims.tenant_id, claims.user_id).await {
        Ok(user) => user,
        Err(store::Error::NotFound) => return Ok(None),
        Err(other) => return Err(other.into()),
    };
    if password_mark(app, &user)? != claims.session_id {
        return Ok(None);
    }
    let proof = app.half_tokens().keyed_digest(&token).map_err(|error| ApiError::broken(&error))?;
    Ok(Some(HalfSession { user, ambiente: claims.ambiente, proof }))
}

/// `Set-Cookie` that removes the half sign-in.
pub(super) fn removal(app: &App, parts: &Parts) -> Result<HeaderValue, ApiError> {
    panel_session::set(parts, app, HALF, "", 0)
}

/// Digest of the hash of the password, in the form of an id.
fn password_mark(app: &App, user: &User) -> Result<Uuid, ApiError> {
    let digest = app.half_tokens().keyed_digest(&format!("senha {} {}", user.id, user.senha_hash));
    let digest = digest.map_err(|error| ApiError::broken(&error))?;
    let bytes = URL_SAFE_NO_PAD.decode(digest).map_err(|error| ApiError::broken(&error))?;
    let bytes = bytes.get(..16).and_then(|bytes| bytes.try_into().ok()).ok_or_else(ApiError::internal)?;
    Ok(Uuid::from_bytes(bytes))
}
