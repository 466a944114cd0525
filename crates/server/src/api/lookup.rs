//! Shared parts of the lookups: the debit of a quota, and the answers for an absent entry and for an unavailable
//! source.
//!
//! Law: `docs/contract.md`, "Limits" and "Errors". An answered lookup debits its family, a 404 included; a refusal
//! (400, 422), a 501 and a 503 debit nothing.

use http::header;
use lookup::{Down, Error, Found};
use serde_json::json;
use store::accounts::Caller;
use store::quotas::Familia;

use super::code;
use super::error::ApiError;
use crate::app::App;

/// Result of a lookup after its debit.
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

/// Refuses a lookup whose debit would exceed the quota, before an outside source is called.
pub(super) async fn affordable(app: &App, caller: &Caller, familia: Familia) -> Result<(), ApiError> {
    Ok(app.store().check_quota(caller.tenant_id, caller.ambiente, familia, app.now()).await?)
}

/// Debits an answered lookup.
pub(super) async fn debit(app: &App, caller: &Caller, familia: Familia) -> Result<(), ApiError> {
    Ok(app.store().debit(caller.tenant_id, caller.ambiente, familia, app.now()).await?)
}

/// 404 with `encontrado: false`.
pub(super) fn absent(detail: &str) -> ApiError {
    ApiError::new(&code::NAO_ENCONTRADO, detail).with_member("encontrado", json!(false))
}

impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        match error {
            Error::Down(Down { reason, retry_after_s }) => {
                ApiError::new(&code::INDISPONIVEL, reason).with_header(header::RETRY_AFTER, &retry_after_s.to_string())
            }
            // a retry cannot succeed: no Retry-After
            Error::NotConfigured(what) => ApiError::new(&code::CONSULTA_NAO_CONFIGURADA, what),
            Error::Store(error) => error.into(),
        }
    }
}
