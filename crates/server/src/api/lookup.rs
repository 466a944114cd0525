//! What the lookups have in common: what debits the quota, what "there is none" and "nobody can say" look like.
//!
//! Law: `spec/interface.md`, Lookups and Limits; `spec/not-shown.md` §2. A lookup that was answered debits its family,
//! "there is none" included; a refusal (400, 422), a 501 and a 503 debit nothing.

use http::header;
use lookup::{Down, Error, Found};
use serde_json::json;
use store::accounts::Caller;
use store::quotas::Familia;

use super::code;
use super::error::ApiError;
use crate::app::App;

/// What a lookup found, debited.
pub(super) async fn answered<T>(
    app: &App,
    caller: &Caller,
    familia: Familia,
    found: Found<T>,
    what: &str,
) -> Result<T, ApiError> {
    debit(app, caller, familia).await?;
    match found {
        Found::Yes(it) => Ok(it),
        Found::No(source) => Err(absent(&format!("{what} não foi encontrado; quem respondeu: {source}."))),
    }
}

/// Refuses what could not be debited afterwards, before an outside source is asked for it.
pub(super) async fn affordable(app: &App, caller: &Caller, familia: Familia) -> Result<(), ApiError> {
    Ok(app.store().check_quota(caller.tenant_id, caller.ambiente, familia, app.now()).await?)
}

/// Counts a lookup that was answered.
pub(super) async fn debit(app: &App, caller: &Caller, familia: Familia) -> Result<(), ApiError> {
    Ok(app.store().debit(caller.tenant_id, caller.ambiente, familia, app.now()).await?)
}

/// There is none.
pub(super) fn absent(detail: &str) -> ApiError {
    ApiError::new(&code::NAO_ENCONTRADO, detail).with_member("encontrado", json!(false))
}

impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        match error {
            Error::Down(Down { reason, retry_after_s }) => {
                ApiError::new(&code::INDISPONIVEL, reason).with_header(header::RETRY_AFTER, &retry_after_s.to_string())
            }
            // patience does not help: no Retry-After
            Error::NotConfigured(what) => ApiError::new(&code::CONSULTA_NAO_CONFIGURADA, what),
            Error::Store(error) => error.into(),
        }
    }
}
