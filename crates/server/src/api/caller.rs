//! Who is calling: `X-API-Key`, found by its SHA-256.
//!
//! Law: `spec/interface.md`, Authentication. The key itself is never logged, stored or repeated in an answer.

use axum::extract::FromRequestParts;
use http::request::Parts;
use store::accounts::Caller;

use super::error::ApiError;
use super::rate;
use crate::app::App;
use crate::key;

/// An authenticated caller.
pub(crate) struct Authenticated(pub(crate) Caller);

impl FromRequestParts<App> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Authenticated, ApiError> {
        let Some(given) = parts.headers.get("x-api-key") else {
            return Err(ApiError::unauthenticated("Envie sua chave de API no cabeçalho X-API-Key."));
        };
        let given = given.to_str().map(str::trim).unwrap_or_default();
        if !key::has_the_form(given) {
            return Err(ApiError::unauthenticated(UNKNOWN));
        }
        match app.store().caller(&key::hash(given)).await {
            Ok(caller) => {
                rate::admit(parts, app, caller.api_key_id)?;
                app.note_use(&caller);
                Ok(Authenticated(caller))
            }
            Err(store::Error::NotFound) => Err(ApiError::unauthenticated(UNKNOWN)),
            Err(store::Error::Conflict(_)) => Err(ApiError::revoked()),
            Err(other) => Err(other.into()),
        }
    }
}

const UNKNOWN: &str = "A chave de API não foi reconhecida. Confira se ela foi copiada inteira e se é desta instalação.";
