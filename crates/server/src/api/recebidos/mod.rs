//! Documents issued by others to the companies of the account, the parts shared by all types: synchronisation, lists,
//! detail with events, file.
//!
//! Law: NT 2014.002 v1.30, NT 2015.002, OpenAPI of the ADN contribuinte; the routes are ours, in the style of
//! `docs/contract.md`, "Emission" and "Reports and search". Parts of a single type are beside its routes.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod sincronizar;
pub(crate) mod view;
pub(crate) mod xml;

use fiscal::value::{Chave, CnpjCpf};

use super::documento::document_type::DistributedType;
use super::error::ApiError;
use super::query::Query;

/// Key of the path, and receiving company of the query.
pub(crate) fn read_target<F: DistributedType>(
    chave: &str,
    query: Option<&str>,
) -> Result<(String, Option<CnpjCpf>), ApiError> {
    let mut query = Query::new(query);
    let of = query.cpf_cnpj("cpf_cnpj");
    query.finish()?;
    match Chave::parse(chave) {
        Ok(chave) => Ok((chave.as_str().to_owned(), of)),
        Err(_) => Err(unknown::<F>()),
    }
}

/// 404 for an absent document and for another tenant's alike.
fn unknown<F: DistributedType>() -> ApiError {
    let (none, path) = (F::NONE, F::RECEIVED);
    ApiError::not_found(format!("{none} com esta chave. Sincronize com POST {path}/sincronizar."))
}

/// Maps a refusal of the store to an answer about a received document.
pub(crate) fn or_unknown<F: DistributedType>(error: store::Error) -> ApiError {
    match error {
        store::Error::NotFound => unknown::<F>(),
        other => other.into(),
    }
}
