//! `/v1/nfe/recebidas`: what others issued to the companies of the account.
//!
//! Law: NT 2014.002 v1.30; the routes are ours, in the style of `spec/not-shown.md` §4 and §8.

pub(crate) mod detalhar;
pub(crate) mod listar;
pub(crate) mod sincronizar;
pub(crate) mod view;
pub(crate) mod xml;

use fiscal::value::{ChaveAcesso, CnpjCpf};

use crate::api::error::ApiError;
use crate::api::query::Query;

/// The key of the path, and the receiving company of the query.
fn asked(chave: &str, query: Option<&str>) -> Result<(String, Option<CnpjCpf>), ApiError> {
    let mut query = Query::new(query);
    let of = query.cpf_cnpj("cpf_cnpj");
    query.finish()?;
    match ChaveAcesso::parse(chave) {
        Ok(chave) => Ok((chave.as_str().to_owned(), of)),
        Err(_) => Err(unknown()),
    }
}

/// The one answer for what is absent or somebody else's.
fn unknown() -> ApiError {
    ApiError::not_found("Não há NF-e recebida com esta chave. Sincronize com POST /v1/nfe/recebidas/sincronizar.")
}

/// What the store refused, told of a received note.
fn or_unknown(error: store::Error) -> ApiError {
    match error {
        store::Error::NotFound => unknown(),
        other => other.into(),
    }
}
