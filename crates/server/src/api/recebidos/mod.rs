//! What others issued to the companies of the account, as far as it is the same for every type: asking for it now, its
//! lists, one with its events, its file.
//!
//! Law: NT 2014.002 v1.30, NT 2015.002, OpenAPI of the ADN contribuinte; the routes are ours, in the style of
//! `spec/not-shown.md` §4 and §8. What only one type takes and shows stands beside it.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod sincronizar;
pub(crate) mod view;
pub(crate) mod xml;

use fiscal::value::{Chave, CnpjCpf};

use super::documento::family::HandedOut;
use super::error::ApiError;
use super::query::Query;

/// The key of the path, and the receiving company of the query.
pub(crate) fn asked<F: HandedOut>(chave: &str, query: Option<&str>) -> Result<(String, Option<CnpjCpf>), ApiError> {
    let mut query = Query::new(query);
    let of = query.cpf_cnpj("cpf_cnpj");
    query.finish()?;
    match Chave::parse(chave) {
        Ok(chave) => Ok((chave.as_str().to_owned(), of)),
        Err(_) => Err(unknown::<F>()),
    }
}

/// The one answer for what is absent or somebody else's.
fn unknown<F: HandedOut>() -> ApiError {
    let (none, path) = (F::NONE, F::RECEIVED);
    ApiError::not_found(format!("{none} com esta chave. Sincronize com POST {path}/sincronizar."))
}

/// What the store refused, told of a received document.
pub(crate) fn or_unknown<F: HandedOut>(error: store::Error) -> ApiError {
    match error {
        store::Error::NotFound => unknown::<F>(),
        other => other.into(),
    }
}
