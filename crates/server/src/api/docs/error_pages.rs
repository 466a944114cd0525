//! `GET /docs/erros` and `GET /docs/erros/{codigo}`: the page of each error code, as HTML or as the Markdown it is
//! written in.

use std::fmt::Write as _;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use fiscal::finding::excerpt;
use http::{HeaderMap, HeaderValue, header};

use super::missing_page::missing;
use super::{markdown, page};
use crate::api::accept::accepts;
use crate::api::error::ApiError;
use crate::api::error_code;

/// `GET /docs/erros`
pub(crate) async fn index() -> Response {
    html("Códigos de erro", "/docs/erros", &list())
}

/// Codes of whole answers by their status, then codes inside answers.
fn list() -> String {
    let mut list = String::from(
        "# Códigos de erro\n\nToda recusa traz `codigo`: programe por ele, não pelo texto. Cada código tem uma página que diz o que \
         aconteceu, por quê e o que fazer.\n",
    );
    let codes: Vec<&error_code::ApiErrorCode> = error_code::PAGES.iter().map(|(code, _)| *code).collect();
    for group in codes.chunk_by(|one, other| one.status == other.status) {
        let status = group.first().map_or(500, |code| code.status);
        let _ = writeln!(list, "\n## {status} {}\n", meaning(status));
        for code in group {
            let _ = writeln!(list, "- [`{0}`](/docs/erros/{0}) ({status}): {1}", code.codigo, code.title);
        }
    }
    let _ = writeln!(
        list,
        "\n## Dentro das respostas\n\nEm `erros`, `avisos` e `erro_detalhe`; nunca o `codigo` de uma recusa inteira.\n"
    );
    for (codigo, page) in error_code::FURTHER_PAGES {
        let _ = writeln!(list, "- [`{codigo}`](/docs/erros/{codigo}): {}", first_sentence(page));
    }
    list
}

/// Heading of a status in the list.
fn meaning(status: u16) -> &'static str {
    match status {
        400 => "A requisição não pode ser lida",
        401 => "Quem chama não se identificou",
        403 => "Quem chama não pode isto",
        404 => "Não existe nesta conta",
        405 => "O método não existe aqui",
        408 | 413 | 415 => "O corpo não pode ser recebido",
        409 => "O estado atual não permite",
        410 => "Já não vale",
        422 => "Bem formada, e errada",
        429 => "Demais, por enquanto",
        503 => "Fora do ar, por enquanto",
        _ => "Falha nossa",
    }
}

/// First sentence of a page: a short account of the error.
fn first_sentence(page: &str) -> &str {
    let text = page.lines().skip(1).find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
    text.split_inclusive(". ").next().unwrap_or(text).trim()
}

/// The page of every code with its address, for the search.
pub(crate) fn pages() -> impl Iterator<Item = (String, String)> {
    error_code::all()
        .filter_map(|codigo| Some((format!("/docs/erros/{codigo}"), markdown::to_html(error_code::page(codigo)?))))
}

/// `GET /docs/erros/{codigo}`
pub(crate) async fn page(Path(codigo): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let Some(text) = error_code::page(&codigo) else {
        return missing(&headers, &format!("Não há código de erro {}.", excerpt(&codigo)));
    };
    let path = format!("/docs/erros/{codigo}");
    let mut response = if accepts(&headers, "text/markdown") { as_markdown(text) } else { html(&codigo, &path, text) };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

fn as_markdown(text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response()
}

fn html(title: &str, path: &str, text: &str) -> Response {
    page::answer_once(page::frame(title, path, &markdown::to_html(text), &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_that_says_what_why_and_what_to_do() {
        for codigo in error_code::all() {
            let page = error_code::page(codigo).unwrap();
            assert!(page.starts_with(&format!("# `{codigo}`")), "{codigo}: title");
            for part in ["## O que aconteceu", "## Por quê", "## O que fazer"] {
                assert!(page.contains(part), "{codigo}: {part}");
            }
        }
    }

    #[test]
    fn the_list_has_every_code_once_with_its_status_and_title() {
        let list = list();
        for codigo in error_code::all() {
            assert_eq!(list.matches(&format!("(/docs/erros/{codigo})")).count(), 1, "{codigo}");
        }
        assert!(list.contains("## 422 Bem formada, e errada"), "{list}");
        assert!(list.contains("- [`validacao`](/docs/erros/validacao) (422): Valor inválido"), "{list}");
        assert!(list.lines().filter(|line| line.starts_with("- ")).all(|line| !line.ends_with(": ")), "{list}");
    }

    #[test]
    fn every_page_belongs_to_a_code() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/erros");
        for entry in std::fs::read_dir(dir).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let codigo = name.strip_suffix(".md").unwrap();
            assert!(error_code::page(codigo).is_some(), "{name} has no code");
        }
    }
}
