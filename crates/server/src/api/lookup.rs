//! Shared parts of the lookups: the debit of a quota, and the answers for an absent entry and for an unavailable
//! source.
//!
//! Law: `docs/contract.md`, "Limits" and "Errors". An answered lookup debits its family, a 404 included; a refusal
//! (400, 422), a 501 and a 503 debit nothing.

use http::header;
use lookup::{LookupAnswer, LookupError, SourcesUnavailable};
use serde_json::json;
use store::accounts::Caller;
use store::quotas::Familia;

use super::error::ApiError;
use super::error_code;
use crate::app::App;

/// Result of a lookup after its debit.
pub(super) async fn debited_result<T>(
    app: &App,
    caller: &Caller,
    familia: Familia,
    found: LookupAnswer<T>,
    what: &str,
) -> Result<T, ApiError> {
    debit(app, caller, familia).await?;
    match found {
        LookupAnswer::Yes(it) => Ok(it),
        LookupAnswer::No(source) => Err(absent(&format!("{what} não foi encontrado; quem respondeu: {source}."))),
    }
}

/// Refuses a lookup whose debit would exceed the quota, before an outside source is called.
pub(super) async fn require_quota(app: &App, caller: &Caller, familia: Familia) -> Result<(), ApiError> {
    Ok(app.store().check_quota(caller.tenant_id, caller.ambiente, familia, app.now()).await?)
}

/// Debits an answered lookup.
pub(super) async fn debit(app: &App, caller: &Caller, familia: Familia) -> Result<(), ApiError> {
    Ok(app.store().debit(caller.tenant_id, caller.ambiente, familia, app.now()).await?)
}

/// 404 with `encontrado: false`.
pub(super) fn absent(detail: &str) -> ApiError {
    ApiError::new(&error_code::NAO_ENCONTRADO, detail).with_member("encontrado", json!(false))
}

impl From<LookupError> for ApiError {
    fn from(error: LookupError) -> ApiError {
        match error {
            LookupError::Down(SourcesUnavailable { reason, retry_after_s }) => {
                ApiError::new(&error_code::INDISPONIVEL, reason)
                    .with_header(header::RETRY_AFTER, &retry_after_s.to_string())
            }
            // a retry cannot succeed: no Retry-After
            LookupError::NotConfigured(what) => ApiError::new(&error_code::CONSULTA_NAO_CONFIGURADA, what),
            LookupError::Store(error) => error.into(),
        }
    }
}
