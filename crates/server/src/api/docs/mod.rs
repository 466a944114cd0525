//! The documentation, generated: `GET /docs/json` is the OpenAPI document, `/docs` the reference in Portuguese, `/swagger` a console;
//! all three are made from the tables in `routes` (one file per resource), the layouts of the fiscal core, and the guides.
//!
//! A test compares the tables with the router, a step of `cargo xtask test` every answer of the HTTP suite with the document.
//! Must not know: how a route does its work.

mod calls;
mod codes;
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
mod remedies;
mod route_page;
mod routes;
mod rules;
mod sample;
mod search;
mod webhooks;

use std::collections::HashMap;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};

use super::error::ApiError;
use super::erros;

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
pub(crate) async fn guide(Path(pagina): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let found = pages().iter().find(|page| page.name == pagina);
    found.map_or_else(|| missing(&headers, "Não há página com este nome."), |page| Ok(page::answer(&page.html)))
}

/// `GET /docs/rotas/{operacao}`
pub(crate) async fn route(Path(operacao): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    static PAGES: OnceLock<HashMap<&'static str, String>> = OnceLock::new();
    let found = PAGES.get_or_init(|| route_page::all().collect()).get(operacao.as_str());
    found.map_or_else(|| missing(&headers, "Não há rota com este nome."), |html| Ok(page::answer(html)))
}

/// What is not there: a page with the search for who reads in a browser, the refusal of every other route for programs.
pub(crate) fn missing(headers: &HeaderMap, what: &str) -> Result<Response, ApiError> {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !accept.contains("text/html") {
        return Err(ApiError::not_found(what));
    }
    let lead = format!("# Página não encontrada\n\n{what}\n\n{WAYS_ON}");
    let html = page::frame("Página não encontrada", "", &markdown::to_html(&lead), &[]);
    Ok((StatusCode::NOT_FOUND, page::answer_once(html)).into_response())
}

const WAYS_ON: &str = "Procure acima por rota, campo, código ou assunto, ou comece por aqui:\n\n\
    - [Documentação](/docs): guias e rotas\n\
    - [Primeira nota em cinco minutos](/docs/guia/primeira-nota)\n\
    - [Rotas e objetos](/docs/guia/api)\n\
    - [Códigos de erro](/docs/erros)\n\
    - [Console](/swagger): executa chamadas com a sua chave\n";

/// `GET /docs/recursos/{arquivo}`; a browser that has it asks only whether it is still the same.
pub(crate) async fn asset(Path(arquivo): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let (media, text) = match arquivo.as_str() {
        "estilo.css" => ("text/css; charset=utf-8", include_str!("assets/estilo.css")),
        "pagina.js" => ("text/javascript; charset=utf-8", include_str!("assets/pagina.js")),
        "busca.js" => ("text/javascript; charset=utf-8", include_str!("assets/busca.js")),
        "console.js" => ("text/javascript; charset=utf-8", include_str!("assets/console.js")),
        "busca.json" => ("application/json", index()),
        "nota.json" => ("application/json", include_str!("../../../../../docs/guides/nota.json")),
        "empresa.json" => ("application/json", include_str!("../../../../../docs/guides/empresa.json")),
        "nfce.json" => ("application/json", include_str!("../../../../../docs/guides/nfce.json")),
        "cte.json" => ("application/json", include_str!("../../../../../docs/guides/cte.json")),
        "cte-os.json" => ("application/json", include_str!("../../../../../docs/guides/cte-os.json")),
        other => {
            let recipe = receitas::file(other).ok_or_else(|| ApiError::not_found("Não há arquivo com este nome."))?;
            ("application/json", recipe)
        }
    };
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    Ok(page::asset(media, text, known))
}

/// A page below `/docs/guia`.
struct Page {
    name: String,
    /// What its places are, where they do not say it themselves.
    kind: &'static str,
    html: String,
}

/// Every page but the entrance and those of the errors, made at the first request for one; the search looks through this list.
fn pages() -> &'static [Page] {
    static PAGES: OnceLock<Vec<Page>> = OnceLock::new();
    PAGES.get_or_init(|| {
        let page = |kind: &'static str, name: &str, html: String| Page { name: name.to_owned(), kind, html };
        let guides = guides::GUIDES.iter().map(|guide| page("guia", guide.page, guides::page(guide)));
        let families = routes::families()
            .iter()
            .map(|family| page("campo", &format!("campos-{}", family.page), fields::page(family)));
        let tables = [
            page("rota", "api", reference::api()),
            page("regra", "regras", rules::page()),
            page("codigo", "codigos", codes::page()),
        ];
        guides.chain(families).chain(tables).collect()
    })
}

/// What the search looks through: every page above, every error, every route in brief.
fn index() -> &'static str {
    static INDEX: OnceLock<String> = OnceLock::new();
    INDEX.get_or_init(|| {
        let errors: Vec<(String, String)> = erros::pages().collect();
        let errors = errors.iter().map(|(address, html)| search::Page { address: address.clone(), kind: "erro", html });
        let pages = pages().iter().map(|page| search::Page {
            address: format!("/docs/guia/{}", page.name),
            kind: page.kind,
            html: &page.html,
        });
        let routes: Vec<(&str, String)> = route_page::briefs().collect();
        let routes =
            routes.iter().map(|(id, html)| search::Page { address: route_page::address(id), kind: "rota", html });
        search::index(pages.chain(errors).chain(routes))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_document_names_every_page() {
        let documented: BTreeSet<&str> = super::routes::publico::PAGES.iter().copied().collect();
        assert_eq!(documented, super::pages().iter().map(|page| page.name.as_str()).collect());
    }
}
