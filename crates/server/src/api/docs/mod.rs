//! The documentation, generated: `GET /docs/json` is the OpenAPI document, `/docs` the reference in Portuguese,
//! `/swagger` a console; all three are made from the tables in `resources` (one file per resource), the layouts of the
//! fiscal core, and the guides.
//!
//! A test compares the tables with the router, a step of `cargo xtask test` every answer of the HTTP suite with the
//! document.
//! Must not know: the work of any route.

mod calls;
mod changes;
mod codes;
mod cte_rules;
mod example_year;
mod fields;
mod generators;
pub(crate) mod guides;
mod leaf;
pub(crate) mod markdown;
pub(crate) mod municipal_codes;
mod municipios;
mod nfse_rules;
mod nota;
mod openapi;
mod operation;
pub(crate) mod own_pages;
pub(crate) mod page;
mod receitas;
mod reference;
pub(crate) mod remedies;
mod resources;
mod route_page;
mod rules;
mod rules_page;
mod sample;
mod search;
pub(crate) mod static_answer;
mod webhooks;

use std::collections::HashMap;

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use fiscal::law::Law;
use http::{HeaderMap, StatusCode, header};
use openapi::WebhookSection;
use serde_json::{Map, Value};
use static_answer::{LazyValue, StaticAnswer};

use super::error::ApiError;
use super::erros;
use super::query::Query;
use crate::app::App;

/// Objects of answers by name, as JSON Schema.
pub(crate) fn objects() -> Map<String, Value> {
    openapi::own()
}

/// Schema and description of a member of a `nota`, and all members of a family, by the last part of its page's address.
pub(crate) use leaf::values;
pub(crate) use nota::describe;
pub(crate) fn members(family: &str) -> Option<Vec<fiscal::map::GroupMember>> {
    let family = resources::families().iter().find(|one| one.page == family)?;
    Some((family.members)())
}

/// `GET /docs/json`
pub(crate) async fn json(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    static DOCUMENT: LazyValue<StaticAnswer> = LazyValue::of(|| document(WebhookSection::Shown));
    static OF_CALLS: LazyValue<StaticAnswer> = LazyValue::of(|| document(WebhookSection::LeftOut));
    let mut query = Query::new(query.as_deref());
    let webhooks = query.choice("webhooks", &[("sim", WebhookSection::Shown), ("nao", WebhookSection::LeftOut)]);
    query.finish()?;
    let asked = if webhooks == Some(WebhookSection::LeftOut) { &OF_CALLS } else { &DOCUMENT };
    Ok(asked.get().await?.answer(&headers, app.edge()))
}

fn document(webhooks: WebhookSection) -> StaticAnswer {
    StaticAnswer::of("application/json", openapi::document(webhooks).to_string())
}

/// `GET /docs`
pub(crate) async fn entrance(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static PAGE: LazyValue<StaticAnswer> = LazyValue::of(|| StaticAnswer::page(reference::entrance()));
    Ok(PAGE.get().await?.answer(&headers, app.edge()))
}

/// `GET /swagger`
pub(crate) async fn console(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    static PAGE: LazyValue<StaticAnswer> = LazyValue::of(|| {
        StaticAnswer::page(page::frame("Console", "/swagger", include_str!("assets/console.html"), &[]))
    });
    Ok(PAGE.get().await?.answer(&headers, app.edge()))
}

/// `GET /docs/guia/{pagina}`
pub(crate) async fn guide(
    State(app): State<App>,
    Path(pagina): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(own) = own_pages::find(&app, &pagina).await? {
        return Ok(own.answer(&headers, app.edge()));
    }
    let found = PAGES.get().await?.iter().find(|page| page.name == pagina);
    found.map_or_else(
        || missing(&headers, "Não há página com este nome."),
        |page| Ok(page.html.answer(&headers, app.edge())),
    )
}

/// `GET /docs/rotas/{operacao}`
pub(crate) async fn route(
    State(app): State<App>,
    Path(operacao): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    static ROUTES: LazyValue<HashMap<&'static str, StaticAnswer>> =
        LazyValue::of(|| route_page::all().map(|(id, html)| (id, StaticAnswer::page(html))).collect());
    let found = ROUTES.get().await?.get(operacao.as_str());
    found.map_or_else(|| missing(&headers, "Não há rota com este nome."), |html| Ok(html.answer(&headers, app.edge())))
}

/// 404: a page with the search for browsers, the usual error body for programs.
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

/// `GET /docs/recursos/{arquivo}`
pub(crate) async fn asset(
    State(app): State<App>,
    Path(arquivo): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    static INDEX: LazyValue<StaticAnswer> = LazyValue::of(|| StaticAnswer::of("application/json", index()));
    if let Some(own) = own_pages::find(&app, &arquivo).await? {
        return Ok(own.answer(&headers, app.edge()));
    }
    let found = match arquivo.as_str() {
        "busca.json" => Some(INDEX.get().await?),
        name => ASSETS.get().await?.get(name),
    };
    let found = found.ok_or_else(|| ApiError::not_found("Não há arquivo com este nome."))?;
    Ok(found.answer(&headers, app.edge()))
}

/// Assets by name: files of the pages, and the examples of the guides.
static ASSETS: LazyValue<HashMap<&'static str, StaticAnswer>> = LazyValue::of(|| {
    let of_pages = [
        ("estilo.css", StaticAnswer::of("text/css; charset=utf-8", include_str!("assets/estilo.css"))),
        ("pagina.js", StaticAnswer::of("text/javascript; charset=utf-8", include_str!("assets/pagina.js"))),
        ("busca.js", StaticAnswer::of("text/javascript; charset=utf-8", include_str!("assets/busca.js"))),
        ("console.js", StaticAnswer::of("text/javascript; charset=utf-8", include_str!("assets/console.js"))),
    ];
    let examples = [
        ("nota.json", include_str!("../../../../../docs/guides/nota.json")),
        ("empresa.json", include_str!("../../../../../docs/guides/empresa.json")),
        ("nfce.json", include_str!("../../../../../docs/guides/nfce.json")),
        ("cte.json", include_str!("../../../../../docs/guides/cte.json")),
        ("cte-os.json", include_str!("../../../../../docs/guides/cte-os.json")),
        ("nfse.json", include_str!("../../../../../docs/guides/nfse.json")),
        ("nfse-municipal.json", include_str!("../../../../../docs/guides/nfse-municipal.json")),
    ];
    let examples = examples.into_iter().chain(receitas::files());
    of_pages
        .into_iter()
        .chain(examples.map(|(name, text)| (name, StaticAnswer::of("application/json", text))))
        .collect()
});

/// A page below `/docs/guia`.
struct GuidePage {
    name: String,
    /// Kind of its sections in the search, unless a section names its own.
    kind: &'static str,
    html: StaticAnswer,
}

/// Every page but the entrance and those of the errors; the search includes them.
static PAGES: LazyValue<Vec<GuidePage>> = LazyValue::of(|| {
    let page = |kind, name: &str, html| GuidePage { name: name.to_owned(), kind, html: StaticAnswer::page(html) };
    let guides = guides::GUIDES.iter().map(|guide| page("guia", guide.page, guides::page(guide)));
    let families = resources::families()
        .iter()
        .map(|family| page("campo", &format!("campos-{}", family.page), fields::page(family)));
    let tables = [
        page("rota", "api", reference::api()),
        page("regra", "regras", rules::page(Law::printed())),
        page("guia", "o-que-muda", changes::page(Law::printed())),
        page("regra", "regras-do-cte", cte_rules::page(Law::printed())),
        page("regra", "regras-da-nfse", nfse_rules::page(Law::printed())),
        page("codigo", "codigos-das-prefeituras", municipal_codes::page()),
        page("regra", "municipios-de-ensaio", municipios::page()),
        page("codigo", "codigos", codes::page()),
    ];
    guides.chain(families).chain(tables).collect()
});

/// Index of the search: every page above, every error, every route in brief.
fn index() -> String {
    let errors: Vec<(String, String)> = erros::pages().collect();
    let errors =
        errors.iter().map(|(address, html)| search::SearchPage { address: address.clone(), kind: "erro", html });
    let pages = PAGES.now().iter().map(|page| search::SearchPage {
        address: format!("/docs/guia/{}", page.name),
        kind: page.kind,
        html: page.html.text(),
    });
    let routes: Vec<(&str, String)> = route_page::briefs().collect();
    let routes =
        routes.iter().map(|(id, html)| search::SearchPage { address: route_page::address(id), kind: "rota", html });
    search::index(pages.chain(errors).chain(routes))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_document_names_every_page() {
        let documented: BTreeSet<&str> = super::resources::publico::PAGES.iter().copied().collect();
        assert_eq!(documented, super::PAGES.now().iter().map(|page| page.name.as_str()).collect());
    }
}
