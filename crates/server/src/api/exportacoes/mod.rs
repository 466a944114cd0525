//! `/v1/exportacoes`: the documents of a company and a period as one ZIP, made in the background.
//!
//! Law: `docs/contract.md`, "Exports". Everything is of the credential's environment alone.

pub(crate) mod apagar;
pub(crate) mod arquivo;
pub(crate) mod criar;
pub(crate) mod ver;

use store::Visibility;
use store::accounts::Caller;
use store::exports::ExportRow;
use uuid::Uuid;

use super::error::ApiError;
use crate::app::App;

/// Export of the caller's account and environment.
pub(crate) async fn find(app: &App, caller: &Caller, id: &str) -> Result<ExportRow, ApiError> {
    let unknown = || ApiError::not_found("Não há exportação com este identificador nesta conta e neste ambiente.");
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    match app.store().export(Visibility::of(caller), caller.ambiente, id).await {
        Err(store::Error::NotFound) => Err(unknown()),
        found => Ok(found?),
    }
}
