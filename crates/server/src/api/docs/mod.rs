//! The documentation, generated: `GET /docs/json` is the OpenAPI document, `/docs` the reference in Portuguese, `/swagger` a console;
//! all three are made from the tables in `routes` (one file per resource), the layouts of the fiscal core, and the guides.
//!
//! A test compares the tables with the router, a step of `cargo xtask test` every answer of the HTTP suite with the document.
//! Must not know: how a route does its work.

mod fields;
mod guides;
mod leaf;
pub(crate) mod markdown;
mod nota;
mod openapi;
mod operation;
pub(crate) mod page;
mod receitas;
mod reference;
mod routes;
mod rules;
mod schema;
mod search;
mod webhooks;

use std::collections::HashMap;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::header;

use super::error::ApiError;

/// `GET /docs/json`
pub(crate) async fn json() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::text()).into_response()
}

/// `GET /docs`
pub(crate) async fn entrance() -> Response {
    static PAGE: OnceLock<String> = OnceLock::new();
    page::answer(PAGE.get_or_init(reference::entrance))
}

/// `GET /swagger`
pub(crate) async fn console() -> Response {
    static PAGE: OnceLock<String> = OnceLock::new();
    let body = include_str!("assets/console.html");
    page::answer(PAGE.get_or_init(|| page::frame("Console", "/swagger", body, &[])))
}

/// `GET /docs/guia/{pagina}`
pub(crate) async fn guide(Path(pagina): Path<String>) -> Result<Response, ApiError> {
    static PAGES: OnceLock<HashMap<String, String>> = OnceLock::new();
    let found = PAGES.get_or_init(pages).get(&pagina);
    found.map(|html| page::answer(html)).ok_or_else(|| ApiError::not_found("Não há página com este nome."))
}

/// `GET /docs/recursos/{arquivo}`
pub(crate) async fn asset(Path(arquivo): Path<String>) -> Result<Response, ApiError> {
    static INDEX: OnceLock<String> = OnceLock::new();
    Ok(match arquivo.as_str() {
        "estilo.css" => page::asset("text/css; charset=utf-8", include_str!("assets/estilo.css")),
        "pagina.js" => page::asset("text/javascript; charset=utf-8", include_str!("assets/pagina.js")),
        "console.js" => page::asset("text/javascript; charset=utf-8", include_str!("assets/console.js")),
        "busca.json" => page::asset("application/json", INDEX.get_or_init(search::index)),
        "nota.json" => page::asset("application/json", include_str!("../../../../../docs/guides/nota.json")),
        "empresa.json" => page::asset("application/json", include_str!("../../../../../docs/guides/empresa.json")),
        "nfce.json" => page::asset("application/json", include_str!("../../../../../docs/guides/nfce.json")),
        other => {
            let recipe = receitas::file(other).ok_or_else(|| ApiError::not_found("Não há arquivo com este nome."))?;
            page::asset("application/json", recipe)
        }
    })
}

/// Every page but the entrance, made at the first request for one.
fn pages() -> HashMap<String, String> {
    let guides = guides::GUIDES.iter().map(|guide| (guide.page.to_owned(), guides::page(guide)));
    let families = routes::families().iter().map(|family| (format!("campos-{}", family.page), fields::page(family)));
    guides.chain(families).chain([("api".to_owned(), reference::api()), ("regras".to_owned(), rules::page())]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_document_names_every_page() {
        let documented: BTreeSet<&str> = super::routes::publico::PAGES.iter().copied().collect();
        let pages = super::pages();
        assert_eq!(documented, pages.keys().map(String::as_str).collect());
    }
}
