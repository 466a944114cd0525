//! `GET /docs/erros` and `GET /docs/erros/{codigo}`: the page of each error code, as HTML or as the Markdown it is written in.

use std::fmt::Write as _;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};

use super::code;
use super::docs::{markdown, page};
use super::error::ApiError;

/// `GET /docs/erros`
pub(crate) async fn index() -> Response {
    let mut list = String::from("# Códigos de erro\n\n");
    for codigo in code::all() {
        let _ = writeln!(list, "- [`{codigo}`](/docs/erros/{codigo})");
    }
    html("Códigos de erro", &list)
}

/// The page of every code with its address, for the search.
pub(crate) fn pages() -> impl Iterator<Item = (String, String)> {
    code::all().filter_map(|codigo| Some((format!("/docs/erros/{codigo}"), markdown::to_html(code::page(codigo)?))))
}

/// `GET /docs/erros/{codigo}`
pub(crate) async fn page(Path(codigo): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let text = code::page(&codigo).ok_or_else(|| ApiError::not_found(format!("Não há código de erro {codigo}.")))?;
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Ok(if accept.contains("text/markdown") { as_markdown(text) } else { html(&codigo, text) })
}

fn as_markdown(text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response()
}

fn html(title: &str, text: &str) -> Response {
    page::answer_once(page::frame(title, "/docs/erros", &markdown::to_html(text), &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_that_says_what_why_and_what_to_do() {
        for codigo in code::all() {
            let page = code::page(codigo).unwrap();
            assert!(page.starts_with(&format!("# `{codigo}`")), "{codigo}: title");
            for part in ["## O que aconteceu", "## Por quê", "## O que fazer"] {
                assert!(page.contains(part), "{codigo}: {part}");
            }
        }
    }

    #[test]
    fn every_page_belongs_to_a_code() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/erros");
        for entry in std::fs::read_dir(dir).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let codigo = name.strip_suffix(".md").unwrap();
            assert!(code::page(codigo).is_some(), "{name} has no code");
        }
    }
}
