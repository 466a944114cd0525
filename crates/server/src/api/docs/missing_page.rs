//! The answer for an address without a page.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::{markdown, page};
use crate::api::accept::accepts;
use crate::api::error::ApiError;

/// 404: a page with the search for browsers, the usual error body for programs.
pub(crate) fn missing(headers: &HeaderMap, what: &str) -> Result<Response, ApiError> {
    if !accepts(headers, "text/html") {
        return Err(ApiError::not_found(what));
    }
    let lead = format!("# Página não encontrada\n\n{what}\n\n{WAYS_ON}");
    let html = page::frame("Página não encontrada", "", &markdown::to_html(&lead), &[]);
    let vary = [(header::VARY, HeaderValue::from_static("accept"))];
    Ok((StatusCode::NOT_FOUND, vary, page::answer_once(html)).into_response())
}

const WAYS_ON: &str = "Procure acima por rota, campo, código ou assunto, ou comece por aqui:\n\n\
    - [Documentação](/docs): guias e rotas\n\
    - [Primeira nota em cinco minutos](/docs/guia/primeira-nota)\n\
    - [Rotas e objetos](/docs/guia/api)\n\
    - [Códigos de erro](/docs/erros)\n\
    - [Console](/swagger): executa chamadas com a sua chave\n";
